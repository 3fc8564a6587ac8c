use serde::{Deserialize, Serialize};

/// A record that is yet to be written, as far as the library fills it in. It is never put into the library by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecordDraft {
    /// What it is about.
    pub topic: String,
    /// The number that it may get, as the library writes its numbers; a suggestion.
    pub reference: Option<String>,
    /// A name for its file, as the library names its files.
    pub file_name: String,
    /// All of it as Markdown, with a footnote for each passage.
    pub text: String,
}
