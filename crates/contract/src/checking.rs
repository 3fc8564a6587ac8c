use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A text of the user's own, read from a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Draft {
    /// The file's name.
    pub name: String,
    /// What it says, without headings' marks and other form.
    pub text: String,
}
