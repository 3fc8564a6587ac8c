use plumbline_core::detail::{Detail, KeptDetail};
use serde::{Deserialize, Serialize};

/// Something odd about a file that did not keep it from being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Oddity {
    /// A stable name of what it is.
    pub code: String,
    /// What is odd, in words.
    text: KeptDetail,
}

impl Oddity {
    pub(super) fn new(code: &str, text: impl Into<Detail>) -> Self {
        Self { code: code.to_owned(), text: KeptDetail(text.into()) }
    }

    /// What is odd, as it is told in any language.
    pub fn detail(&self) -> &Detail {
        &self.text.0
    }
}

/// Catalogues of the first reading hold the words alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    Words(String),
    Named { code: String, text: KeptDetail },
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
    use plumbline_core::domain::Language;
    use plumbline_core::messages::Message;
    use plumbline_testkit::dutch::assert_dutch;

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

        let comment = Detail::of(Message::OddComment, [("line", "3".into())]);
        let written = serde_json::to_string(&Oddity::new("comment_open", comment.clone())).unwrap();
        let read: Oddity = serde_json::from_str(&written).unwrap();
        assert_eq!(read.detail(), &comment, "{written}");
        assert_dutch(&read.detail().text(Language::NL));
    }
}
