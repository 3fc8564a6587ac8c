//! What can go wrong with a question, with codes that the window branches on.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ports::{ModelError, PortError};

/// Why there is no response at all. A refusal is not an error.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum AskError {
    /// The question holds nothing to answer.
    #[error("the question is empty: type a question of at least one word")]
    EmptyQuestion,
    /// The question is longer than any model reads.
    #[error(
        "the question has {chars} characters; at most {limit} are read. Ask the question itself and leave the rest out"
    )]
    QuestionTooLong {
        /// How many it has.
        chars: usize,
        /// How many are read.
        limit: usize,
    },
    /// Ollama cannot be reached.
    #[error(
        "cannot connect to Ollama at {address}: {detail}. Start it with `ollama serve`, or correct `models.ollama_url` (OLLAMA_BASE_URL)"
    )]
    LlmConnection {
        /// The configured address.
        address: String,
        /// What failed.
        detail: String,
    },
    /// Ollama is well and will not do what was asked: a token that it does not accept, a prompt that is too long for it.
    #[error("Ollama at {address} refused: {detail}")]
    LlmRefused {
        /// The configured address.
        address: String,
        /// Why, and the way out where there is one.
        detail: String,
    },
    /// The model's reply broke off or cannot be read.
    #[error("the reply of the model `{model}` broke off: {detail}. Ask again")]
    LlmBroken {
        /// The model.
        model: String,
        /// What happened to it.
        detail: String,
    },
    /// The model did not answer in time.
    #[error("the model `{model}` did not answer within {seconds} s")]
    LlmTimeout {
        /// The model.
        model: String,
        /// The limit that passed.
        seconds: u64,
    },
    /// The model is not on the allowlist.
    #[error("model `{model}` is not on the allowlist; allowed are: {}. Add it under `models.allow` to use it", allowed.join(", "))]
    ModelNotAllowed {
        /// The model.
        model: String,
        /// What is allowed.
        allowed: Vec<String>,
    },
    /// The model is not pulled.
    #[error("model `{model}` is not available in Ollama. Run: ollama pull {model}")]
    ModelUnavailable {
        /// The model.
        model: String,
    },
    /// Passages could not be fetched or prepared.
    #[error("the library could not be searched: {detail}")]
    Context {
        /// What failed.
        detail: String,
    },
    /// System prompt, question and the answer's reserve leave no room for one passage.
    #[error(
        "the question and its history need {needed} tokens and `{model}` has room for {available}: shorten the question or start a new conversation"
    )]
    TokenBudgetExceeded {
        /// The model.
        model: String,
        /// What is needed at the least.
        needed: usize,
        /// What there is.
        available: usize,
    },
    /// Nothing can answer: the catalogue, or what a request relies on, is out of order.
    #[error("{0}")]
    Port(#[from] PortError),
    /// The user stopped it.
    #[error("stopped")]
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

    /// The error as the window gets it.
    pub fn report(&self) -> ErrorReport {
        ErrorReport { code: self.code(), message: self.to_string() }
    }
}

/// An error as it crosses to the window: branch on the code, show the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ErrorReport {
    /// What the window branches on.
    pub code: ErrorCode,
    /// What the user reads.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_is_told_what_went_wrong_and_nothing_else() {
        let refused = ModelError::Refused {
            address: "https://models.example".to_owned(),
            detail: "the token is not accepted".to_owned(),
        };
        let refused = AskError::of_model(refused, "llama3.2");
        assert_eq!(refused.code(), ErrorCode::LlmRefused);
        let told = refused.to_string();
        assert!(told.contains("the token is not accepted"), "{told}");
        assert!(!told.contains("ollama serve"), "it runs: starting it changes nothing");

        let broken = AskError::of_model(ModelError::Broken("the last line was cut".to_owned()), "llama3.2");
        assert_eq!(broken.code(), ErrorCode::LlmBroken);
        let told = broken.to_string();
        assert!(told.contains("llama3.2") && told.contains("the last line was cut"), "{told}");
        assert!(!told.contains("library"), "the library has no part in it: {told}");
    }
}
