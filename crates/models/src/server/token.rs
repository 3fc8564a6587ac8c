use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderValue;

/// A bearer token. It goes into one header of a request and shows itself nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Where the token comes from, asked anew for every request so that a changed one holds at once.
pub type TokenSource = Arc<dyn Fn() -> Option<Token> + Send + Sync>;

impl Token {
    /// A token without the blanks around it; `None` where nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// Hands the token itself to whoever keeps it.
    pub(super) fn expose<T>(&self, keep: impl FnOnce(&str) -> T) -> T {
        keep(&self.0)
    }

    /// The value of the header; `None` where the token holds what no header may.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// A text that may repeat the token, without it.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_shows_itself_nowhere() {
        let token = Token::new("  s3cret \n").unwrap();
        assert_eq!(format!("{token} {token:?} {:?}", token.header().unwrap()), "… Token(…) Sensitive");
        assert_eq!(token.redact("bad key s3cret, s3cret"), "bad key …, …");
        assert_eq!(
            token.header().unwrap().to_str().unwrap(),
            "Bearer s3cret",
            "the blanks are no part of it"
        );
        assert!(Token::new(" \t").is_none());
        assert!(Token::new("two\nlines").unwrap().header().is_none());
    }
}
