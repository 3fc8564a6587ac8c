//! How a language puts several questions into one text.

use std::collections::HashSet;

use serde::Deserialize;

/// Single words, folded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeveralQuestions {
    /// Words that join two questions.
    pub joins: HashSet<String>,
    /// Words that a question opens with.
    pub openers: HashSet<String>,
    /// Words that point back to the question before.
    pub back: HashSet<String>,
}
