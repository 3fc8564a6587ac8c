//! Why a stage did not run, or failed: in the reader's language for the reader, in English for the record.

use crate::domain::Language;
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::ports::{ModelError, PortError, VocabularyError};
use crate::response::StageOutcome;

/// Why a stage did not run, or failed.
pub(super) enum Reason {
    /// A fixed text.
    Of(Message),
    Port(PortError),
    Model(ModelError),
    Vocabulary(VocabularyError),
    /// So many cited passages are no longer in the library.
    SourcesGone(usize),
}

impl Reason {
    pub fn text(&self, language: Language) -> String {
        let messages = Messages::of(language);
        match self {
            Self::Of(message) => messages.text(*message, &[]),
            Self::Port(problem) => problem.detail().text(language),
            Self::Model(problem) => model_text(problem, language),
            Self::Vocabulary(problem) => problem.detail().text(language),
            Self::SourcesGone(count) => {
                messages.text(Message::StageSourcesGone, &[("n", &count.to_string())])
            }
        }
    }
}

impl Reason {
    /// The reason with the way out, where there is one: a model to pull, a server to start.
    pub fn way_out(&self, language: Language) -> String {
        match self {
            Self::Model(problem @ (ModelError::Unavailable(_) | ModelError::Connection { .. })) => {
                AskError::of_model(problem.clone(), "").text(language)
            }
            other => other.text(language),
        }
    }
}

fn model_text(problem: &ModelError, language: Language) -> String {
    let messages = Messages::of(language);
    match problem {
        ModelError::Connection { address, detail } => messages
            .text(Message::ModelConnection, &[("address", address), ("detail", &detail.text(language))]),
        ModelError::Refused { address, detail } => messages
            .text(Message::ErrorLlmRefused, &[("address", address), ("detail", &detail.text(language))]),
        ModelError::Timeout(limit) => {
            messages.text(Message::ModelTimeout, &[("limit", &format!("{limit:?}"))])
        }
        ModelError::Unavailable(model) => messages.text(Message::ModelUnavailable, &[("model", model)]),
        ModelError::Broken(detail) => {
            messages.text(Message::ModelBroken, &[("detail", &detail.text(language))])
        }
    }
}

impl From<Message> for Reason {
    fn from(message: Message) -> Self {
        Self::Of(message)
    }
}

impl From<PortError> for Reason {
    fn from(problem: PortError) -> Self {
        Self::Port(problem)
    }
}

impl From<ModelError> for Reason {
    fn from(problem: ModelError) -> Self {
        Self::Model(problem)
    }
}

impl From<VocabularyError> for Reason {
    fn from(problem: VocabularyError) -> Self {
        Self::Vocabulary(problem)
    }
}

/// How a stage went.
pub(super) enum Outcome {
    Ok,
    Skipped(Reason),
    Failed(Reason),
}

impl Outcome {
    pub fn skipped(reason: impl Into<Reason>) -> Self {
        Self::Skipped(reason.into())
    }

    pub fn failed(reason: impl Into<Reason>) -> Self {
        Self::Failed(reason.into())
    }

    /// The outcome in a language.
    pub fn in_language(&self, language: Language) -> StageOutcome {
        match self {
            Self::Ok => StageOutcome::Ok,
            Self::Skipped(reason) => StageOutcome::Skipped(reason.text(language)),
            Self::Failed(reason) => StageOutcome::Failed(reason.text(language)),
        }
    }
}
