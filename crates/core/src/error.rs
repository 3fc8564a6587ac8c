//! What can go wrong with a question, with codes that the window branches on.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::detail::{Detail, told};
use crate::domain::Language;
use crate::messages::{Message, Messages};
use crate::ports::{ModelError, PortError};

/// Why there is no response at all. A refusal is not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// The question holds nothing to answer.
    EmptyQuestion,
    /// The question is longer than any model reads.
    QuestionTooLong {
        /// How many it has.
        chars: usize,
        /// How many are read.
        limit: usize,
    },
    /// The text that is to be checked is longer than is checked in one go.
    TextTooLong {
        /// How many it has.
        chars: usize,
        /// How many are read.
        limit: usize,
    },
    /// The model server cannot be reached.
    LlmConnection {
        /// The configured address.
        address: String,
        /// What failed.
        detail: Detail,
    },
    /// The model server is well and will not do what was asked: a token that it does not accept, a prompt that is too long for it.
    LlmRefused {
        /// The configured address.
        address: String,
        /// Why, and the way out where there is one.
        detail: Detail,
    },
    /// The model's reply broke off or cannot be read.
    LlmBroken {
        /// The model.
        model: String,
        /// What happened to it.
        detail: Detail,
    },
    /// The model did not answer in time.
    LlmTimeout {
        /// The model.
        model: String,
        /// The limit that passed.
        seconds: u64,
    },
    /// The model is not on the allowlist.
    ModelNotAllowed {
        /// The model.
        model: String,
        /// What is allowed.
        allowed: Vec<String>,
    },
    /// The server does not have the model.
    ModelUnavailable {
        /// The model.
        model: String,
    },
    /// Passages could not be fetched or prepared.
    Context {
        /// What failed.
        detail: Detail,
    },
    /// System prompt, question and the answer's reserve leave no room for one passage.
    TokenBudgetExceeded {
        /// The model.
        model: String,
        /// What is needed at the least.
        needed: usize,
        /// What there is.
        available: usize,
    },
    /// Nothing can answer: the catalogue, or what a request relies on, is out of order.
    Port(PortError),
    /// The user stopped it.
    Stopped,
}

/// A stable code per kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ErrorCode {
    /// [`AskError::EmptyQuestion`].
    EmptyQuestion,
    /// [`AskError::QuestionTooLong`].
    QuestionTooLong,
    /// [`AskError::TextTooLong`].
    TextTooLong,
    /// [`AskError::LlmConnection`].
    LlmConnection,
    /// [`AskError::LlmRefused`].
    LlmRefused,
    /// [`AskError::LlmBroken`].
    LlmBroken,
    /// [`AskError::LlmTimeout`].
    LlmTimeout,
    /// [`AskError::ModelNotAllowed`].
    ModelNotAllowed,
    /// [`AskError::ModelUnavailable`].
    ModelUnavailable,
    /// [`AskError::Context`].
    Context,
    /// [`AskError::TokenBudgetExceeded`].
    TokenBudgetExceeded,
    /// [`AskError::Port`].
    Port,
    /// [`AskError::Stopped`].
    Stopped,
    /// The settings could not be read.
    Settings,
}

impl AskError {
    /// The code the window branches on.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::EmptyQuestion => ErrorCode::EmptyQuestion,
            Self::QuestionTooLong { .. } => ErrorCode::QuestionTooLong,
            Self::TextTooLong { .. } => ErrorCode::TextTooLong,
            Self::LlmConnection { .. } => ErrorCode::LlmConnection,
            Self::LlmRefused { .. } => ErrorCode::LlmRefused,
            Self::LlmBroken { .. } => ErrorCode::LlmBroken,
            Self::LlmTimeout { .. } => ErrorCode::LlmTimeout,
            Self::ModelNotAllowed { .. } => ErrorCode::ModelNotAllowed,
            Self::ModelUnavailable { .. } => ErrorCode::ModelUnavailable,
            Self::Context { .. } => ErrorCode::Context,
            Self::TokenBudgetExceeded { .. } => ErrorCode::TokenBudgetExceeded,
            Self::Port(_) => ErrorCode::Port,
            Self::Stopped => ErrorCode::Stopped,
        }
    }

    /// A model's failure as the user gets it where it cannot be answered around.
    pub fn of_model(problem: ModelError, model: &str) -> Self {
        match problem {
            ModelError::Connection { address, detail } => Self::LlmConnection { address, detail },
            ModelError::Refused { address, detail } => Self::LlmRefused { address, detail },
            ModelError::Timeout(limit) => {
                Self::LlmTimeout { model: model.to_owned(), seconds: limit.as_secs() }
            }
            ModelError::Unavailable(model) => Self::ModelUnavailable { model },
            ModelError::Broken(detail) => Self::LlmBroken { model: model.to_owned(), detail },
        }
    }

    /// What fills the placeholders of its text.
    fn values(&self) -> BTreeMap<String, String> {
        let values: Vec<(&str, Detail)> = match self {
            Self::EmptyQuestion | Self::Stopped => Vec::new(),
            Self::QuestionTooLong { chars, limit } | Self::TextTooLong { chars, limit } => {
                vec![("chars", chars.to_string().into()), ("limit", limit.to_string().into())]
            }
            Self::LlmConnection { address, detail } | Self::LlmRefused { address, detail } => {
                vec![("address", address.as_str().into()), ("detail", detail.clone())]
            }
            Self::LlmBroken { model, detail } => {
                vec![("model", model.as_str().into()), ("detail", detail.clone())]
            }
            Self::LlmTimeout { model, seconds } => {
                vec![("model", model.as_str().into()), ("seconds", seconds.to_string().into())]
            }
            Self::ModelNotAllowed { model, allowed } => {
                vec![("model", model.as_str().into()), ("allowed", allowed.join(", ").into())]
            }
            Self::ModelUnavailable { model } => vec![("model", model.as_str().into())],
            Self::Context { detail } => vec![("detail", detail.clone())],
            Self::TokenBudgetExceeded { model, needed, available } => vec![
                ("model", model.as_str().into()),
                ("needed", needed.to_string().into()),
                ("available", available.to_string().into()),
            ],
            Self::Port(problem) => vec![("detail", problem.detail())],
        };
        let mut kept = BTreeMap::new();
        for (name, value) in values {
            value.keep(name, &mut kept);
        }
        kept
    }

    /// The error as it crosses to the window and is kept, in English; [`ErrorReport::in_language`] words it anew.
    pub fn report(&self) -> ErrorReport {
        let report = ErrorReport { code: self.code(), values: self.values(), message: String::new() };
        report.in_language(Language::EN)
    }

    /// What the user reads.
    pub fn text(&self, language: Language) -> String {
        self.report().in_language(language).message
    }
}

/// As logs have it: in English.
impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::EN))
    }
}

impl std::error::Error for AskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Port(problem) => Some(problem),
            _ => None,
        }
    }
}

impl From<PortError> for AskError {
    fn from(problem: PortError) -> Self {
        Self::Port(problem)
    }
}

impl ErrorCode {
    /// The text of errors with this code; what is wrong with settings is told in other words each time.
    const fn message(self) -> Option<Message> {
        Some(match self {
            Self::EmptyQuestion => Message::ErrorEmptyQuestion,
            Self::QuestionTooLong => Message::ErrorQuestionTooLong,
            Self::TextTooLong => Message::ErrorTextTooLong,
            Self::LlmConnection => Message::ErrorLlmConnection,
            Self::LlmRefused => Message::ErrorLlmRefused,
            Self::LlmBroken => Message::ErrorLlmBroken,
            Self::LlmTimeout => Message::ErrorLlmTimeout,
            Self::ModelNotAllowed => Message::ErrorModelNotAllowed,
            Self::ModelUnavailable => Message::ErrorModelUnavailable,
            Self::Context => Message::ErrorContext,
            Self::TokenBudgetExceeded => Message::ErrorTokenBudgetExceeded,
            Self::Port => Message::ErrorPort,
            Self::Stopped => Message::ErrorStopped,
            Self::Settings => return None,
        })
    }
}

/// An error as it crosses to the window: branch on the code, show the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ErrorReport {
    /// What the window branches on.
    pub code: ErrorCode,
    /// What the message was made of, by name: addresses, models, limits.
    // `detail.code` is the key of the text of `detail`, where it has one, and `detail.status` what that was made of.
    // Conversations of earlier versions hold code and message alone.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// What the user reads.
    pub message: String,
}

impl ErrorReport {
    /// The same, worded in another language. A report that was kept without its values stays as it was written.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        let told = told(&self.values, language);
        let message = self.code.message();
        if let Some(text) = message.and_then(|message| Messages::of(language).filled(message, &told)) {
            self.message = text;
        }
        self
    }
}

#[cfg(test)]
mod tests;
