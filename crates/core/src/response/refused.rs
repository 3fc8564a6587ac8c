use serde::{Deserialize, Serialize};

use crate::request::Choice;

/// Why a question was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum RefusalReason {
    /// Nothing in the library comes near.
    NoResults,
    /// What comes near is not enough.
    LowConfidence,
    /// The vocabulary does not hold the term.
    TerminologyNotFound,
    /// The vocabulary did not answer in time.
    TerminologyTimeout,
    /// The vocabulary could not be asked.
    TerminologyError,
    /// There is no such record.
    EntityNotFound,
    /// Nothing that the model wrote is supported by the passages.
    Unsupported,
    /// No word of the question occurs in the library.
    OffTopic,
}

impl RefusalReason {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::NoResults,
        Self::LowConfidence,
        Self::TerminologyNotFound,
        Self::TerminologyTimeout,
        Self::TerminologyError,
        Self::EntityNotFound,
        Self::Unsupported,
        Self::OffTopic,
    ];

    /// The reason in JSON, metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoResults => "no_results",
            Self::LowConfidence => "low_confidence",
            Self::TerminologyNotFound => "terminology_not_found",
            Self::TerminologyTimeout => "terminology_timeout",
            Self::TerminologyError => "terminology_error",
            Self::EntityNotFound => "entity_not_found",
            Self::Unsupported => "unsupported",
            Self::OffTopic => "off_topic",
        }
    }
}

/// A way on that one click takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Suggestion {
    /// What the button says.
    pub label: String,
    /// The question that it asks.
    pub query: String,
    /// The choice that goes with the question.
    pub choice: Option<Choice>,
}

/// One way to understand the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClarificationOption {
    /// What it says.
    pub label: String,
    /// A line below it: the vocabulary, or the first line of the definition.
    pub detail: Option<String>,
    /// The question that choosing it asks.
    pub query: String,
    /// The choice that goes with it.
    pub choice: Choice,
}

/// The question asked back, with its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Clarification {
    /// What is asked.
    pub question: String,
    /// What can be chosen; empty where the user is asked for details in words.
    pub options: Vec<ClarificationOption>,
}
