//! Keys to a store. Those that the environment names come first, then what the system's keyring holds for the address, then the
//! platform's own chain. Nothing of ours writes them down.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use plumbline_models::server::{Keyring, KeyringUnusable, SystemKeyring};
use plumbline_storage::{Address, StoreKeys};

/// Keys by the address that they are for.
pub struct KeyStore {
    keyring: Box<dyn Keyring>,
    /// Those that the keyring would not take: until the program ends.
    session: Mutex<BTreeMap<String, StoreKeys>>,
}

impl KeyStore {
    /// Over the system's keyring.
    pub fn of_system() -> Self {
        Self::over(Box::new(SystemKeyring))
    }

    /// The same over another keyring.
    pub fn over(keyring: Box<dyn Keyring>) -> Self {
        Self { keyring, session: Mutex::default() }
    }

    /// The keys that are kept for an address; none where the environment or the platform has the word. It may wait for a user
    /// who unlocks the keyring.
    pub fn keys(&self, address: &Address) -> Option<StoreKeys> {
        self.keys_where(address, |name| std::env::var_os(name).is_some())
    }

    fn keys_where(&self, address: &Address, is_set: impl Fn(&str) -> bool) -> Option<StoreKeys> {
        let cloud = address.cloud()?;
        if cloud.key_variables().iter().any(|name| is_set(name)) {
            return None;
        }
        let account = address.to_string();
        let of_session = self.session.lock().unwrap_or_else(PoisonError::into_inner).get(&account).cloned();
        // A keyring that cannot be used holds nothing; the store says what it thinks of a request without keys.
        of_session.or_else(|| read(&self.keyring.read(&account).ok()??))
    }

    /// Keeps keys for an address; until the program ends where the keyring cannot be used, which is told.
    pub fn keep(&self, address: &Address, keys: StoreKeys) -> Result<(), KeyringUnusable> {
        let account = address.to_string();
        let kept = self.keyring.write(&account, &written(&keys));
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match &kept {
            Ok(()) => session.remove(&account),
            Err(_) => session.insert(account, keys),
        };
        kept
    }

    /// Forgets the keys for an address.
    pub fn forget(&self, address: &Address) -> Result<(), KeyringUnusable> {
        let account = address.to_string();
        self.session.lock().unwrap_or_else(PoisonError::into_inner).remove(&account);
        match address.cloud() {
            Some(_) => self.keyring.remove(&account),
            None => Ok(()),
        }
    }
}

/// Keys as the keyring holds them.
fn written(keys: &StoreKeys) -> String {
    format!("{}\n{}", keys.id(), keys.secret())
}

fn read(written: &str) -> Option<StoreKeys> {
    let (id, secret) = written.split_once('\n')?;
    StoreKeys::new(id, secret)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<BTreeMap<String, String>>>);

    impl Keyring for Memory {
        fn read(&self, account: &str) -> Result<Option<String>, KeyringUnusable> {
            Ok(self.0.lock().unwrap().get(account).cloned())
        }

        fn write(&self, account: &str, secret: &str) -> Result<(), KeyringUnusable> {
            self.0.lock().unwrap().insert(account.to_owned(), secret.to_owned());
            Ok(())
        }

        fn remove(&self, account: &str) -> Result<(), KeyringUnusable> {
            self.0.lock().unwrap().remove(account);
            Ok(())
        }
    }

    #[test]
    fn keys_belong_to_one_address_and_those_of_the_environment_come_first() {
        let keyring = Memory::default();
        let [one, other] = ["s3://records/one", "s3://records/other"].map(|at| Address::parse(at).unwrap());
        let keys = StoreKeys::new(" id ", "s3cret\n").unwrap();
        KeyStore::over(Box::new(keyring.clone())).keep(&one, keys.clone()).unwrap();
        let later = KeyStore::over(Box::new(keyring));
        assert_eq!(
            later.keys_where(&one, |_| false),
            Some(keys.clone()),
            "another program, the same address"
        );
        assert_eq!(later.keys_where(&other, |_| false), None);
        assert_eq!(later.keys_where(&one, |name| name == "AWS_ACCESS_KEY_ID"), None);
        later.forget(&one).unwrap();
        assert_eq!(later.keys_where(&one, |_| false), None);
    }
}
