use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Format;

/// Why a file cannot be read, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unreadable {
    /// Nothing is there.
    #[error("the file is gone; index the folder again")]
    NotFound,
    /// A folder, a device or the like.
    #[error("this is a folder or a device, not a file; rename it or leave it out of the library")]
    NotAFile,
    /// The system does not let us read it.
    #[error("the file could not be opened ({reason}); check its permissions and that its disk is connected")]
    NoAccess {
        /// What the system said.
        reason: String,
    },
    /// No format has this extension.
    #[error(
        "files of the kind `{extension}` are not read; save it as Markdown, AsciiDoc, text, HTML, DOCX or PDF"
    )]
    UnknownFormat {
        /// The extension, without its dot.
        extension: String,
    },
    /// The name says one thing, the content another.
    #[error(
        "the name says {expected}, but the file holds {found}; give it the right extension or save it anew"
    )]
    WrongFormat {
        /// What the name says.
        expected: Format,
        /// What the content is.
        found: String,
    },
    /// Nothing but white space, comments or markup.
    #[error("the file has no text; fill it or remove it")]
    Empty,
    /// Pages, but no text on them.
    #[error(
        "none of the {pages} pages has text (scanned?); run text recognition (OCR) over the file and save it anew"
    )]
    NoText {
        /// How many pages there are.
        pages: usize,
    },
    /// A password is needed.
    #[error("the file is protected with a password; save a copy without one")]
    Encrypted,
    /// Cut off or broken.
    #[error("the file is damaged ({reason}); fetch or export it anew")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// More than the limits allow.
    #[error("the file is too large ({what}); split it or leave it out of the library")]
    TooLarge {
        /// Which limit was passed.
        what: String,
    },
    /// Reading it took too long.
    #[error("reading took longer than {seconds} s; save the file anew or split it")]
    TooSlow {
        /// The limit.
        seconds: u64,
    },
    /// The reader broke down over it.
    #[error("the file brought the reader down; save it anew with another program or convert it to Markdown")]
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

    pub(super) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged { reason: reason.into() }
    }

    pub(super) fn too_large(what: impl Into<String>) -> Self {
        Self::TooLarge { what: what.into() }
    }
}
