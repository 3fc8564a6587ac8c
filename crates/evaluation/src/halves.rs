//! Which half of a set may be looked at while something is fitted, and which is only reported.

use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

/// A half of a set, by the name of the document that a question or statement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// What may be looked at and fitted to.
    Fitted,
    /// What is only reported.
    Reported,
    /// What is about no document, and so belongs to neither.
    NoDocument,
}

impl Half {
    /// The half of a document: reported where the hash of its name ends in an odd digit.
    pub fn of(name: &str) -> Self {
        let last = sha256_hex(name).pop().and_then(|digit| digit.to_digit(16));
        if last.is_some_and(|digit| digit % 2 == 1) { Self::Reported } else { Self::Fitted }
    }

    /// The name in JSON and in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fitted => "fitted",
            Self::Reported => "reported",
            Self::NoDocument => "no_document",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documents_half_never_changes() {
        // What `printf NAME | sha256sum` ends in: 4 and 1.
        assert_eq!(Half::of("adr-0003"), Half::Fitted);
        assert_eq!(Half::of("adr-0001"), Half::Reported);
    }
}
