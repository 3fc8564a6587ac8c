use std::fmt;
use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ModelError, PortError};
use thiserror::Error;

/// What a server says of itself is cut here.
const MAX_MESSAGE: usize = 200;

/// Why Ollama did not do what it was asked. Each text says what to do where that is known.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum OllamaError {
    /// The address in the settings is of no use.
    Address {
        /// The address, without credentials.
        address: String,
        /// What is wrong with it.
        why: Message,
    },
    /// Connections cannot be made on this machine.
    Client(String),
    /// A token would have to be sent where others can read it.
    TokenExposed,
    /// The token holds what no header may.
    TokenUnusable,
    /// Nothing listens at the address.
    ConnectionRefused,
    /// The host's name leads nowhere.
    UnknownHost,
    /// No secure connection came about.
    Tls,
    /// The connection could not be made for another reason.
    Unreachable(Message),
    /// It did not answer in time.
    Timeout(Duration),
    /// Something else answers at the address.
    NotOllama(Message),
    /// It sends one elsewhere, where neither question nor token follow.
    Redirect,
    /// It wants another token.
    Unauthorised,
    /// It does not serve this name or origin.
    Forbidden,
    /// The model is not pulled.
    ModelMissing(String),
    /// The model cannot do this job.
    Incapable {
        /// The model.
        model: String,
        /// What it cannot do.
        job: Message,
    },
    /// The prompt or the text is longer than the model reads.
    TooLong,
    /// The request itself is at fault, whatever the status says.
    Rejected {
        /// The status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// It has too much to do.
    Busy,
    /// It failed.
    Server {
        /// The status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// It failed in the middle of a reply.
    Failed(String),
    /// The reply ended before its end.
    BrokenOff(Message),
    /// The reply cannot be read.
    Malformed(&'static str),
    /// Another model answered.
    OtherModel {
        /// The model that was asked.
        asked: String,
        /// The model that the reply names.
        answered: String,
    },
    /// A model could not be pulled.
    Pull {
        /// The model.
        model: String,
        /// What the server said.
        message: String,
    },
}

impl OllamaError {
    /// What failed, as it is told in any language.
    pub fn detail(&self) -> Detail {
        let words = |text: &str| Detail::from(text);
        match self {
            Self::Address { address, why } => {
                let address = format!("{address:?}").into();
                Detail::of(Message::OllamaAddress, [("address", address), ("why", (*why).into())])
            }
            Self::Client(detail) => Detail::of(Message::OllamaClient, [("detail", words(detail))]),
            Self::TokenExposed => Message::OllamaTokenExposed.into(),
            Self::TokenUnusable => Message::OllamaTokenUnusable.into(),
            Self::ConnectionRefused => Message::OllamaConnectionRefused.into(),
            Self::UnknownHost => Message::OllamaUnknownHost.into(),
            Self::Tls => Message::OllamaTls.into(),
            Self::Unreachable(why) | Self::BrokenOff(why) => (*why).into(),
            Self::Timeout(limit) => {
                Detail::of(Message::OllamaTimeout, [("limit", format!("{limit:?}").into())])
            }
            Self::NotOllama(why) => Detail::of(Message::OllamaNotOllama, [("why", (*why).into())]),
            Self::Redirect => Message::OllamaRedirect.into(),
            Self::Unauthorised => Message::OllamaUnauthorised.into(),
            Self::Forbidden => Message::OllamaForbidden.into(),
            Self::ModelMissing(model) => Detail::of(Message::OllamaModelMissing, [("model", words(model))]),
            Self::Incapable { model, job } => {
                Detail::of(Message::OllamaIncapable, [("model", words(model)), ("job", (*job).into())])
            }
            Self::TooLong => Message::OllamaTooLong.into(),
            Self::Rejected { status, message } => {
                let status = status.to_string().into();
                Detail::of(Message::OllamaRejected, [("status", status), ("message", words(message))])
            }
            Self::Busy => Message::OllamaBusy.into(),
            Self::Server { status, message } => {
                let status = status.to_string().into();
                Detail::of(Message::OllamaServer, [("status", status), ("message", words(message))])
            }
            Self::Failed(message) => Detail::of(Message::OllamaFailed, [("message", words(message))]),
            Self::Malformed(detail) => Detail::of(Message::OllamaMalformed, [("detail", words(detail))]),
            Self::OtherModel { asked, answered } => Detail::of(
                Message::OllamaOtherModel,
                [("asked", words(asked)), ("answered", words(answered))],
            ),
            Self::Pull { model, message } => {
                Detail::of(Message::OllamaPull, [("model", words(model)), ("message", words(message))])
            }
        }
    }

    /// The error as core's model port tells it.
    pub(super) fn into_model_error(self, address: &str) -> ModelError {
        let address = address.to_owned();
        let detail = self.detail();
        match self {
            Self::Timeout(limit) => ModelError::Timeout(limit),
            Self::ModelMissing(model) => ModelError::Unavailable(model),
            Self::Failed(_) | Self::BrokenOff(_) | Self::Malformed(_) | Self::OtherModel { .. } => {
                ModelError::Broken(detail)
            }
            Self::TokenExposed
            | Self::TokenUnusable
            | Self::Unauthorised
            | Self::Forbidden
            | Self::Incapable { .. }
            | Self::TooLong
            | Self::Rejected { .. } => ModelError::Refused { address, detail },
            _ => ModelError::Connection { address, detail },
        }
    }

    /// The error as core's other ports tell it, which repeat nothing that a server said.
    pub(super) fn into_port_error(self, service: &'static str, address: &str) -> PortError {
        let address = ("address", Detail::from(address));
        let detail = match self {
            Self::Timeout(limit) => {
                return PortError::Timeout {
                    service,
                    ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
                };
            }
            Self::Server { status, .. } => {
                Detail::of(Message::OllamaAtStatus, [address, ("status", status.to_string().into())])
            }
            Self::Rejected { status, .. } => {
                Detail::of(Message::OllamaAtRejected, [address, ("status", status.to_string().into())])
            }
            Self::Failed(_) => Detail::of(Message::OllamaAtFailed, [address]),
            Self::OtherModel { asked, .. } => {
                Detail::of(Message::OllamaAtOtherModel, [address, ("asked", asked.into())])
            }
            other => Detail::of(Message::OllamaAt, [address, ("detail", other.detail())]),
        };
        PortError::Failed { service, detail }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for OllamaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
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
