//! The host's fixed texts.

use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};

/// The host's fixed texts in the user's language.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Texts {
    pub language: Language,
}

impl Texts {
    /// A text with its placeholders filled in.
    pub fn say(self, message: Message, values: &[(&str, &str)]) -> String {
        Messages::of(self.language).text(message, values)
    }

    /// A text without placeholders.
    pub fn plain(self, message: Message) -> String {
        self.say(message, &[])
    }
}
