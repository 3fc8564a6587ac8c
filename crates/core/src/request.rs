//! What a question brings with it.

use serde::{Deserialize, Serialize};

use crate::domain::Collection;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The assistant.
    Assistant,
    /// The system.
    System,
}

impl Role {
    /// The role as a model reads it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// One message of the conversation so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub content: String,
}

impl ChatMessage {
    /// A message of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the assistant.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// What the user picked instead of typing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Choice {
    /// A concept of the vocabulary, by its URI.
    Concept {
        /// The concept's URI.
        uri: String,
    },
    /// Look the term up in the vocabulary.
    Define {
        /// The term.
        term: String,
    },
    /// Draft a record about a topic.
    Draft {
        /// The topic.
        topic: String,
    },
    /// Search the documents, whatever the question looks like.
    SearchDocuments,
    /// A document by its id.
    Document {
        /// The document's id.
        id: String,
    },
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AskRequest {
    /// The question, as typed.
    pub query: String,
    /// The user's access tags.
    pub user_tags: Vec<String>,
    /// The tenant whose documents are asked; `default` where empty.
    pub tenant_id: String,
    /// The conversation so far, oldest first.
    pub chat_history: Vec<ChatMessage>,
    /// A model other than the configured one; it must be on the allowlist.
    pub model: Option<String>,
    /// At most this many passages go to the model; the configured number where absent.
    pub max_context_chunks: Option<usize>,
    /// Ask within these collections only; all where empty.
    pub collections: Vec<Collection>,
    /// What the user picked, where the question comes from a picker or a suggestion.
    pub choice: Option<Choice>,
}

impl AskRequest {
    /// A plain question without history.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }
}
