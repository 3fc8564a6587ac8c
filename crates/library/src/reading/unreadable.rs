//! Why a file is not in the library, with codes that stay the same in every language.

use std::collections::BTreeMap;
use std::fmt;

use plumbline_core::detail::{Detail, KeptDetail, told};
use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use serde::{Deserialize, Serialize};

use super::Format;

/// Where the texts stand, before the code of each.
const SECTION: &str = "unreadable.";

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
        reason: KeptDetail,
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
        found: KeptDetail,
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
        reason: KeptDetail,
    },
    /// More than the limits allow.
    TooLarge {
        /// Which limit was passed.
        what: KeptDetail,
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
    const fn message(&self) -> Message {
        match self {
            Self::NotFound => Message::UnreadableNotFound,
            Self::NotAFile => Message::UnreadableNotAFile,
            Self::NoAccess { .. } => Message::UnreadableNoAccess,
            Self::UnknownFormat { .. } => Message::UnreadableUnknownFormat,
            Self::WrongFormat { .. } => Message::UnreadableWrongFormat,
            Self::Empty => Message::UnreadableEmpty,
            Self::NoText { .. } => Message::UnreadableNoText,
            Self::Encrypted => Message::UnreadableEncrypted,
            Self::Damaged { .. } => Message::UnreadableDamaged,
            Self::TooLarge { .. } => Message::UnreadableTooLarge,
            Self::TooSlow { .. } => Message::UnreadableTooSlow,
            Self::Crashed => Message::UnreadableCrashed,
        }
    }

    /// A name of the reason that stays the same whatever the text says.
    pub fn code(&self) -> &'static str {
        self.message().key().trim_start_matches(SECTION)
    }

    fn parts(&self) -> Vec<(&'static str, Detail)> {
        match self {
            Self::NotFound | Self::NotAFile | Self::Empty | Self::Encrypted | Self::Crashed => Vec::new(),
            Self::NoAccess { reason } | Self::Damaged { reason } => vec![("reason", reason.0.clone())],
            Self::UnknownFormat { extension } => vec![("extension", extension.as_str().into())],
            Self::WrongFormat { expected, found } => {
                vec![("expected", expected.detail()), ("found", found.0.clone())]
            }
            Self::NoText { pages } => vec![("pages", pages.to_string().into())],
            Self::TooLarge { what } => vec![("what", what.0.clone())],
            Self::TooSlow { seconds } => vec![("seconds", seconds.to_string().into())],
        }
    }

    /// What fills the placeholders of its text, as it is kept.
    pub fn values(&self) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        for (name, value) in self.parts() {
            value.keep(name, &mut values);
        }
        values
    }

    /// What is wrong and what to do, as it is told in any language.
    pub fn detail(&self) -> Detail {
        Detail::with(self.message(), self.parts())
    }

    pub(super) fn damaged(reason: impl Into<Detail>) -> Self {
        Self::Damaged { reason: KeptDetail(reason.into()) }
    }

    pub(super) fn too_large(what: impl Into<Detail>) -> Self {
        Self::TooLarge { what: KeptDetail(what.into()) }
    }

    pub(super) fn wrong_format(expected: Format, found: Message) -> Self {
        Self::WrongFormat { expected, found: KeptDetail(found.into()) }
    }
}

/// As logs and the command line have it: in English.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl std::error::Error for Unreadable {}

/// What is wrong and what to do, in words; nothing where the code is not known or a value is missing.
pub(crate) fn reason_in(language: Language, code: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let message = Message::from_key(&format!("{SECTION}{code}"))?;
    Messages::of(language).filled(message, &told(values, language))
}

#[cfg(test)]
mod tests {
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    #[test]
    fn every_reason_has_its_words_in_every_language() {
        let all = [
            Unreadable::NotFound,
            Unreadable::NotAFile,
            Unreadable::NoAccess { reason: Detail::from("<reason>").into() },
            Unreadable::UnknownFormat { extension: "odt".to_owned() },
            Unreadable::wrong_format(Format::Text, Message::UnreadableIsImage),
            Unreadable::Empty,
            Unreadable::NoText { pages: 7 },
            Unreadable::Encrypted,
            Unreadable::damaged(Detail::about(Message::UnreadableXml, "<reason>")),
            Unreadable::too_large(Detail::of(Message::UnreadableBytes, [("size", "100 MB".into())])),
            Unreadable::TooSlow { seconds: 30 },
            Unreadable::Crashed,
        ];
        for unreadable in all {
            let values = unreadable.values();
            for language in [Language::EN, Language::NL] {
                let kept = reason_in(language, unreadable.code(), &values).unwrap();
                assert_eq!(kept, unreadable.detail().text(language), "what was kept is told as it was");
                let filled_in =
                    unreadable.parts().into_iter().all(|(_, part)| kept.contains(&part.text(language)));
                assert!(filled_in, "{kept}");
            }
            assert_dutch(&unreadable.detail().text(Language::NL));
            let written = serde_json::to_string(&unreadable).unwrap();
            assert_eq!(serde_json::from_str::<Unreadable>(&written).unwrap(), unreadable, "{written}");
        }
    }

    #[test]
    fn what_an_older_catalogue_kept_is_told_as_far_as_it_is_known() {
        let values = BTreeMap::from([("reason".to_owned(), "its XML breaks off".to_owned())]);
        let told = reason_in(Language::NL, "damaged", &values).unwrap();
        assert!(told.contains("(its XML breaks off)"), "{told}");
        assert_eq!(reason_in(Language::NL, "damaged", &BTreeMap::new()), None);
        assert_eq!(reason_in(Language::NL, "no_such_code", &values), None);
    }
}
