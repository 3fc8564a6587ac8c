use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{Token, TokenSource};

/// The name under which the system's keyring knows the tokens.
const SERVICE: &str = "plumbline";

/// A keyring, or something that stands in for one.
pub trait Keyring: Send + Sync {
    /// The secret of an account; `None` where there is none.
    fn read(&self, account: &str) -> Result<Option<String>, KeyringUnusable>;
    /// Keeps a secret.
    fn write(&self, account: &str, secret: &str) -> Result<(), KeyringUnusable>;
    /// Forgets a secret, whether or not there was one.
    fn remove(&self, account: &str) -> Result<(), KeyringUnusable>;
}

/// Why the system's keyring cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct KeyringUnusable(Message);

impl KeyringUnusable {
    /// What is wrong and what to do, as it is told in any language.
    pub fn detail(&self) -> Detail {
        Detail::of(Message::OllamaKeyringUnusable, [("why", self.0.into())])
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for KeyringUnusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// How long a token is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// In the system's keyring, until it is forgotten.
    InKeyring,
    /// Until this program ends, since the keyring cannot be used.
    ForThisSession(KeyringUnusable),
}

/// The token for one server: in the system's keyring, never in a file of ours.
pub struct TokenStore {
    keyring: Box<dyn Keyring>,
    account: String,
    /// Read once, when the first request needs it; a keyring may ask the user to unlock it.
    held: Mutex<Option<Held>>,
}

#[derive(Clone)]
struct Held {
    token: Option<Token>,
    problem: Option<KeyringUnusable>,
    /// Whether the token is here alone and not in the keyring.
    for_this_session: bool,
}

impl TokenStore {
    /// The token for the server at an address, in the system's keyring.
    pub fn of_system(address: &str) -> Arc<Self> {
        Self::new(Box::new(SystemKeyring), address)
    }

    /// The same with another keyring.
    pub fn new(keyring: Box<dyn Keyring>, address: &str) -> Arc<Self> {
        Arc::new(Self { keyring, account: address.trim_end_matches('/').to_owned(), held: Mutex::new(None) })
    }

    /// Uses this token until the program ends, whatever the keyring holds.
    pub fn use_for_this_session(&self, token: Token) {
        *self.lock() = Some(Held { token: Some(token), problem: None, for_this_session: true });
    }

    /// Whether the token is forgotten when the program ends.
    pub fn is_for_this_session(&self) -> bool {
        let held = self.held();
        held.token.is_some() && held.for_this_session
    }

    /// The token, if there is one.
    pub fn token(&self) -> Option<Token> {
        self.held().token
    }

    /// Why the keyring could not be read, if it could not.
    pub fn problem(&self) -> Option<KeyringUnusable> {
        self.held().problem
    }

    /// Keeps a token; the next request uses it.
    pub fn keep(&self, token: Token) -> Kept {
        let written = token.expose(|secret| self.keyring.write(&self.account, secret));
        let problem = written.err();
        let for_this_session = problem.is_some();
        *self.lock() = Some(Held { token: Some(token), problem: problem.clone(), for_this_session });
        problem.map_or(Kept::InKeyring, Kept::ForThisSession)
    }

    /// Forgets the token, here and in the keyring.
    pub fn forget(&self) -> Result<(), KeyringUnusable> {
        *self.lock() = Some(Held { token: None, problem: None, for_this_session: false });
        self.keyring.remove(&self.account)
    }

    /// What a client asks for the token.
    pub fn source(self: &Arc<Self>) -> TokenSource {
        let store = Arc::clone(self);
        Arc::new(move || store.token())
    }

    fn held(&self) -> Held {
        let mut held = self.lock();
        let read = || match self.keyring.read(&self.account) {
            Ok(secret) => {
                let token = secret.as_deref().and_then(Token::new);
                Held { token, problem: None, for_this_session: false }
            }
            Err(problem) => Held { token: None, problem: Some(problem), for_this_session: false },
        };
        held.get_or_insert_with(read).clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The keyring of the system that this program runs on.
pub struct SystemKeyring;

impl SystemKeyring {
    fn entry(account: &str) -> Result<keyring::v1::Entry, KeyringUnusable> {
        keyring::v1::Entry::new(SERVICE, account).map_err(|problem| unusable(&problem))
    }
}

impl Keyring for SystemKeyring {
    fn read(&self, account: &str) -> Result<Option<String>, KeyringUnusable> {
        match Self::entry(account)?.get_password() {
            Ok(secret) => Ok(Some(secret)),
            Err(keyring::v1::Error::NoEntry) => Ok(None),
            Err(problem) => Err(unusable(&problem)),
        }
    }

    fn write(&self, account: &str, secret: &str) -> Result<(), KeyringUnusable> {
        Self::entry(account)?.set_password(secret).map_err(|problem| unusable(&problem))
    }

    fn remove(&self, account: &str) -> Result<(), KeyringUnusable> {
        match Self::entry(account)?.delete_credential() {
            Ok(()) | Err(keyring::v1::Error::NoEntry) => Ok(()),
            Err(problem) => Err(unusable(&problem)),
        }
    }
}

/// Only the kind of problem: details may hold what the keyring holds.
fn unusable(problem: &keyring::v1::Error) -> KeyringUnusable {
    use keyring::v1::Error;
    let kind = match problem {
        Error::NoDefaultStore => Message::OllamaKeyringNone,
        Error::NoStorageAccess(_) => Message::OllamaKeyringLocked,
        Error::PlatformFailure(_) => Message::OllamaKeyringSilent,
        Error::BadEncoding(_) => Message::OllamaKeyringNoText,
        _ => Message::OllamaKeyringRefuses,
    };
    KeyringUnusable(kind)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use plumbline_core::domain::Language;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    /// A keyring in memory; `None` inside is one that cannot be used.
    #[derive(Clone)]
    struct Memory(Option<Arc<Mutex<HashMap<String, String>>>>);

    impl Memory {
        fn secrets(&self) -> Result<std::sync::MutexGuard<'_, HashMap<String, String>>, KeyringUnusable> {
            let secrets = self.0.as_ref().ok_or(KeyringUnusable(Message::OllamaKeyringNone))?;
            Ok(secrets.lock().unwrap())
        }
    }

    impl Keyring for Memory {
        fn read(&self, account: &str) -> Result<Option<String>, KeyringUnusable> {
            Ok(self.secrets()?.get(account).cloned())
        }

        fn write(&self, account: &str, secret: &str) -> Result<(), KeyringUnusable> {
            self.secrets()?.insert(account.to_owned(), secret.to_owned());
            Ok(())
        }

        fn remove(&self, account: &str) -> Result<(), KeyringUnusable> {
            self.secrets()?.remove(account);
            Ok(())
        }
    }

    fn store(keyring: &Memory, address: &str) -> Arc<TokenStore> {
        TokenStore::new(Box::new(keyring.clone()), address)
    }

    #[test]
    fn a_token_outlives_the_program_and_belongs_to_one_server() {
        let keyring = Memory(Some(Arc::default()));
        let token = Token::new("s3cret").unwrap();
        assert_eq!(store(&keyring, "https://a.example").keep(token.clone()), Kept::InKeyring);
        let later = store(&keyring, "https://a.example/");
        assert_eq!(later.token(), Some(token), "another program, the same server");
        assert_eq!(store(&keyring, "https://b.example").token(), None);
        later.forget().unwrap();
        assert_eq!(later.token(), None);
        assert_eq!(store(&keyring, "https://a.example").token(), None);
    }

    #[test]
    fn without_a_keyring_a_token_lasts_for_the_session_and_that_is_said() {
        let store = store(&Memory(None), "https://a.example");
        assert_eq!(store.token(), None);
        let problem = store.problem().unwrap();
        assert!(problem.to_string().contains("PLUMBLINE_TOKEN"));
        assert_dutch(&problem.detail().text(Language::NL));
        let token = Token::new("s3cret").unwrap();
        let Kept::ForThisSession(problem) = store.keep(token.clone()) else { panic!("there is no keyring") };
        assert!(!problem.to_string().contains("s3cret"));
        assert_eq!(store.source()(), Some(token));
        assert!(store.is_for_this_session());
    }
}
