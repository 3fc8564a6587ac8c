//! Keys to a store.

use std::fmt;

/// An id and its secret: access key, storage account with its key, or a service account's file, which has no id beside it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreKeys {
    id: String,
    secret: String,
}

impl StoreKeys {
    /// Keys without the blanks around them; none where there is no secret.
    pub fn new(id: &str, secret: &str) -> Option<Self> {
        let (id, secret) = (id.trim().to_owned(), secret.trim().to_owned());
        (!secret.is_empty()).then_some(Self { id, secret })
    }

    /// Whose they are; empty where the secret says so.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What nobody else may know.
    pub fn secret(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for StoreKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreKeys(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_no_blanks_around_them_and_show_themselves_nowhere() {
        let keys = StoreKeys::new(" id ", "s3cret\n").unwrap();
        assert_eq!((keys.id(), keys.secret()), ("id", "s3cret"));
        assert_eq!(format!("{keys:?}"), "StoreKeys(…)");
        assert_eq!(StoreKeys::new("id", " "), None);
    }
}
