use plumbline_core::domain::Collection;
use plumbline_core::request::Choice;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the window may say of a question. Whose documents are meant, what the user may see and what was said before is the
/// host's to fill in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuestionRequest {
    /// The question, as typed.
    pub query: String,
    /// Ask within these collections only; all where empty.
    pub collections: Vec<Collection>,
    /// What the user picked, where the question comes from a picker or a suggestion.
    pub choice: Option<Choice>,
}

impl QuestionRequest {
    /// A plain question.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), collections: Vec::new(), choice: None }
    }
}
