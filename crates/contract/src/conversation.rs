use plumbline_core::domain::Collection;
use plumbline_core::error::ErrorReport;
use plumbline_core::request::Choice;
use plumbline_core::response::AskResponse;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A conversation in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConversationSummary {
    /// Its id.
    pub id: String,
    /// Its title: the first question until the user renames it; empty while nothing was asked.
    pub title: String,
    /// When it was last added to, ISO 8601.
    pub updated_at: String,
    /// How many questions were asked.
    pub turns: u32,
    /// Where the search met it, with the words around; absent without a search.
    pub excerpt: Option<String>,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// It has a response.
    Answered {
        /// The response.
        response: Box<AskResponse>,
    },
    /// The user stopped it.
    Stopped {
        /// What had been shown.
        text: String,
    },
    /// There is no response.
    Failed {
        /// Why.
        error: ErrorReport,
    },
    /// The program ended before it was answered.
    Interrupted,
}

/// What a user thinks of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackRating {
    /// It helped.
    Positive,
    /// It did not.
    Negative,
}

/// A rating with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Feedback {
    /// The rating.
    #[serde(rename = "verdict")]
    pub rating: FeedbackRating,
    /// The reason, in the user's words.
    pub comment: Option<String>,
}

/// A cited document that is no longer what it was when it was cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangedSource {
    /// The document.
    pub document_id: String,
    /// Its title at the time.
    pub title: String,
    /// Whether it is gone altogether.
    pub removed: bool,
}

/// One question of a conversation, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Turn {
    /// Its id; the request's id.
    pub id: String,
    /// When it was asked, ISO 8601.
    pub asked_at: String,
    /// The question, as typed.
    pub question: String,
    /// What the user picked with it.
    pub choice: Option<Choice>,
    /// The collections asked within; all where empty.
    pub collections: Vec<Collection>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: TurnOutcome,
    /// What the user thinks of it.
    pub feedback: Option<Feedback>,
    /// Cited documents that have changed since.
    pub changed_sources: Vec<ChangedSource>,
}

/// A conversation, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Conversation {
    /// As in the list.
    #[serde(flatten)]
    pub summary: ConversationSummary,
    /// Its questions, oldest first.
    pub history: Vec<Turn>,
}

/// How a conversation is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConversationFormat {
    /// Markdown with a footnote per source.
    Markdown,
    /// Questions, passages, hashes, models and feedback as JSON.
    EvidencePack,
}
