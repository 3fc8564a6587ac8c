//! Why a file is not in the library, with codes that stay the same in every language.

use std::collections::BTreeMap;
use std::fmt;

use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use serde::{Deserialize, Serialize};

use super::Format;

/// Why a file cannot be read, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unreadable {
    /// Nothing is there.
    NotFound,
    /// A folder, a device or the like.
    NotAFile,
    /// The system does not let us read it.
    NoAccess {
        /// What the system said.
        reason: String,
    },
    /// No format has this extension.
    UnknownFormat {
        /// The extension, without its dot.
        extension: String,
    },
    /// The name says one thing, the content another.
    WrongFormat {
        /// What the name says.
        expected: Format,
        /// What the content is.
        found: String,
    },
    /// Nothing but white space, comments or markup.
    Empty,
    /// Pages, but no text on them.
    NoText {
        /// How many pages there are.
        pages: usize,
    },
    /// A password is needed.
    Encrypted,
    /// Cut off or broken.
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// More than the limits allow.
    TooLarge {
        /// Which limit was passed.
        what: String,
    },
    /// Reading it took too long.
    TooSlow {
        /// The limit.
        seconds: u64,
    },
    /// The reader broke down over it.
    Crashed,
}

impl Unreadable {
    /// A name of the reason that stays the same whatever the text says.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotAFile => "not_a_file",
            Self::NoAccess { .. } => "no_access",
            Self::UnknownFormat { .. } => "unknown_format",
            Self::WrongFormat { .. } => "wrong_format",
            Self::Empty => "empty",
            Self::NoText { .. } => "no_text",
            Self::Encrypted => "encrypted",
            Self::Damaged { .. } => "damaged",
            Self::TooLarge { .. } => "too_large",
            Self::TooSlow { .. } => "too_slow",
            Self::Crashed => "crashed",
        }
    }

    /// What fills the placeholders of its text.
    pub fn values(&self) -> BTreeMap<String, String> {
        let values = match self {
            Self::NotFound | Self::NotAFile | Self::Empty | Self::Encrypted | Self::Crashed => Vec::new(),
            Self::NoAccess { reason } | Self::Damaged { reason } => vec![("reason", reason.clone())],
            Self::UnknownFormat { extension } => vec![("extension", extension.clone())],
            Self::WrongFormat { expected, found } => {
                vec![("expected", expected.to_string()), ("found", found.clone())]
            }
            Self::NoText { pages } => vec![("pages", pages.to_string())],
            Self::TooLarge { what } => vec![("what", what.clone())],
            Self::TooSlow { seconds } => vec![("seconds", seconds.to_string())],
        };
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    pub(super) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged { reason: reason.into() }
    }

    pub(super) fn too_large(what: impl Into<String>) -> Self {
        Self::TooLarge { what: what.into() }
    }
}

/// In English, as logs and the command line have it.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&reason_in(Language::EN, self.code(), &self.values()).unwrap_or_default())
    }
}

impl std::error::Error for Unreadable {}

/// What is wrong and what to do, in words; nothing where the code is not known or a value is missing.
pub(crate) fn reason_in(language: Language, code: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let message = match code {
        "not_found" => Message::UnreadableNotFound,
        "not_a_file" => Message::UnreadableNotAFile,
        "no_access" => Message::UnreadableNoAccess,
        "unknown_format" => Message::UnreadableUnknownFormat,
        "wrong_format" => Message::UnreadableWrongFormat,
        "empty" => Message::UnreadableEmpty,
        "no_text" => Message::UnreadableNoText,
        "encrypted" => Message::UnreadableEncrypted,
        "damaged" => Message::UnreadableDamaged,
        "too_large" => Message::UnreadableTooLarge,
        "too_slow" => Message::UnreadableTooSlow,
        "crashed" => Message::UnreadableCrashed,
        _ => return None,
    };
    Messages::of(language).filled(message, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_words_in_every_language() {
        let reason = || "<reason>".to_owned();
        let all = [
            Unreadable::NotFound,
            Unreadable::NotAFile,
            Unreadable::NoAccess { reason: reason() },
            Unreadable::UnknownFormat { extension: "odt".to_owned() },
            Unreadable::WrongFormat { expected: Format::Pdf, found: "a picture".to_owned() },
            Unreadable::Empty,
            Unreadable::NoText { pages: 7 },
            Unreadable::Encrypted,
            Unreadable::Damaged { reason: reason() },
            Unreadable::TooLarge { what: "more than 100 MB".to_owned() },
            Unreadable::TooSlow { seconds: 30 },
            Unreadable::Crashed,
        ];
        for unreadable in all {
            let values = unreadable.values();
            for language in [Language::EN, Language::NL] {
                let told = reason_in(language, unreadable.code(), &values).unwrap();
                assert!(values.values().all(|value| told.contains(value)), "{told}");
            }
        }
    }
}
