use std::time::Duration;

use plumbline_core::ports::{ModelError, PortError};
use thiserror::Error;

/// What a server says of itself is cut here.
const MAX_MESSAGE: usize = 200;

/// Why Ollama did not do what it was asked. Each text says what to do where that is known.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum OllamaError {
    /// The address in the settings is of no use.
    #[error("the Ollama address {address:?} {why}: correct `models.ollama_url` (OLLAMA_BASE_URL)")]
    Address {
        /// The address, without credentials.
        address: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Connections cannot be made on this machine.
    #[error("no connection can be made: {0}")]
    Client(String),
    /// A token would have to be sent where others can read it.
    #[error(
        "the token is not sent over plain http: use an https:// address in `models.ollama_url` (OLLAMA_BASE_URL)"
    )]
    TokenExposed,
    /// The token holds what no header may.
    #[error("the token holds characters that cannot be sent: enter it again")]
    TokenUnusable,
    /// Nothing listens at the address.
    #[error("connection refused")]
    ConnectionRefused,
    /// The host's name leads nowhere.
    #[error("the host name cannot be resolved")]
    UnknownHost,
    /// No secure connection came about.
    #[error(
        "no secure connection: the certificate is not trusted, or the server does not speak TLS (then use http://)"
    )]
    Tls,
    /// The connection could not be made for another reason.
    #[error("{0}")]
    Unreachable(&'static str),
    /// It did not answer in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// Something else answers at the address.
    #[error("what answers there is not Ollama: {0}")]
    NotOllama(&'static str),
    /// It sends one elsewhere, where neither question nor token follow.
    #[error(
        "it redirects to another address, which is not followed: set `models.ollama_url` to that address"
    )]
    Redirect,
    /// It wants another token.
    #[error("it does not accept the token (status 401): enter Ollama's token in the settings")]
    Unauthorised,
    /// It does not serve this name or origin.
    #[error(
        "it does not serve this host name or origin (status 403): allow it in OLLAMA_HOST or OLLAMA_ORIGINS"
    )]
    Forbidden,
    /// The model is not pulled.
    #[error("model `{0}` is not available: run `ollama pull {0}`")]
    ModelMissing(String),
    /// The model cannot do this job.
    #[error("model `{model}` cannot {job}: choose another one")]
    Incapable {
        /// The model.
        model: String,
        /// What it cannot do.
        job: &'static str,
    },
    /// The prompt or the text is longer than the model reads.
    #[error("the text is longer than the context of the model")]
    TooLong,
    /// The request itself is at fault, whatever the status says.
    #[error("it rejected the request (status {status}): {message}")]
    Rejected {
        /// The status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// It has too much to do.
    #[error("it is busy: try again in a moment, or raise OLLAMA_MAX_QUEUE")]
    Busy,
    /// It failed.
    #[error("it answered with status {status}: {message}")]
    Server {
        /// The status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// It failed in the middle of a reply.
    #[error("the server reported an error: {0}")]
    Failed(String),
    /// The reply ended before its end.
    #[error("{0}")]
    BrokenOff(&'static str),
    /// The reply cannot be read.
    #[error("the reply cannot be read: {0}")]
    Malformed(&'static str),
    /// Another model answered.
    #[error("`{asked}` was asked and `{answered}` answered")]
    OtherModel {
        /// The model that was asked.
        asked: String,
        /// The model that the reply names.
        answered: String,
    },
    /// A model could not be pulled.
    #[error("`ollama pull {model}` failed: {message}")]
    Pull {
        /// The model.
        model: String,
        /// What the server said.
        message: String,
    },
}

impl OllamaError {
    /// The error as core's model port tells it.
    pub(super) fn into_model_error(self, address: &str) -> ModelError {
        let address = address.to_owned();
        match self {
            Self::Timeout(limit) => ModelError::Timeout(limit),
            Self::ModelMissing(model) => ModelError::Unavailable(model),
            Self::Failed(_) | Self::BrokenOff(_) | Self::Malformed(_) | Self::OtherModel { .. } => {
                ModelError::Broken(self.to_string())
            }
            Self::TokenExposed
            | Self::TokenUnusable
            | Self::Unauthorised
            | Self::Forbidden
            | Self::Incapable { .. }
            | Self::TooLong
            | Self::Rejected { .. } => ModelError::Refused { address, detail: self.to_string() },
            _ => ModelError::Connection { address, detail: self.to_string() },
        }
    }

    /// The error as core's other ports tell it, which repeat nothing that a server said.
    pub(super) fn into_port_error(self, service: &'static str, address: &str) -> PortError {
        let detail = match self {
            Self::Timeout(limit) => {
                return PortError::Timeout {
                    service,
                    ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
                };
            }
            Self::Server { status, .. } => format!("Ollama at {address} answered with status {status}"),
            Self::Rejected { status, .. } => {
                format!("Ollama at {address} rejected the request (status {status})")
            }
            Self::Failed(_) => format!("Ollama at {address} reported an error in the middle of its reply"),
            Self::OtherModel { asked, .. } => format!("another model than `{asked}` answered at {address}"),
            other => format!("Ollama at {address}: {other}"),
        };
        PortError::Failed { service, detail }
    }
}

/// What a server said, fit to be shown: one line, not endless.
pub(super) fn cleaned(text: &str) -> String {
    let line = text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_MESSAGE) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None if line.is_empty() => "no reason given".to_owned(),
        None => line,
    }
}
