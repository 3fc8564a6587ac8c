use serde::{Deserialize, Serialize};

/// Something odd about a file that did not keep it from being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Oddity {
    /// A stable name of what it is.
    pub code: String,
    /// What is odd, in words.
    pub text: String,
}

impl Oddity {
    pub(super) fn new(code: &str, text: impl Into<String>) -> Self {
        Self { code: code.to_owned(), text: text.into() }
    }
}

/// Catalogues of the first reading hold the words alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    Words(String),
    Named { code: String, text: String },
}

impl From<Kept> for Oddity {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Words(text) => Self::new("odd_content", text),
            Kept::Named { code, text } => Self { code, text },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_catalogue_kept_is_read_too() {
        let kept = r#"["no text on page 2", {"code": "front_matter_broken", "text": "line 1"}]"#;
        let read: Vec<Oddity> = serde_json::from_str(kept).unwrap();
        let named =
            [Oddity::new("odd_content", "no text on page 2"), Oddity::new("front_matter_broken", "line 1")];
        assert_eq!(read, named);
        let written = serde_json::to_string(&named).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Oddity>>(&written).unwrap(), named);
    }
}
