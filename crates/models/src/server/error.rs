use std::fmt;
use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ModelError, PortError};
use plumbline_core::settings::ServerKind;
use thiserror::Error;

use super::address::Address;
use super::remedy;

/// What a server says of itself is cut here.
const MAX_MESSAGE: usize = 200;

/// Why a server did not do what it was asked. Its text says what to do where that is known.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub struct ServerError {
    /// What kind of server it should be.
    pub server: ServerKind,
    /// What happened.
    pub fault: Fault,
}

impl ServerError {
    /// What failed, as it is told in any language.
    pub fn detail(&self) -> Detail {
        self.fault.detail(self.server)
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// What can happen with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
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
    OtherServer(Message),
    /// It sends one elsewhere, where neither question nor token follow.
    Redirect,
    /// It wants another token.
    Unauthorised,
    /// It does not serve this name, origin or user.
    Forbidden,
    /// It does not have the model.
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
    /// Its model is not in memory yet.
    Loading,
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
    /// It fetches no models.
    NoPull(String),
    /// A model could not be pulled.
    Pull {
        /// The model.
        model: String,
        /// What the server said.
        message: String,
    },
}

impl Fault {
    /// What failed, as it is told in any language.
    pub fn detail(&self, server: ServerKind) -> Detail {
        let words = |text: &str| Detail::from(text);
        let of = |ollama: Message, other: Message| match server {
            ServerKind::Ollama => ollama,
            ServerKind::Openai => other,
        };
        match self {
            Self::Address { address, why } => {
                let address = format!("{address:?}").into();
                let correct = remedy::correct_address(server);
                Detail::of(
                    Message::OllamaAddress,
                    [("address", address), ("why", (*why).into()), ("correct", correct)],
                )
            }
            Self::Client(detail) => Detail::of(Message::OllamaClient, [("detail", words(detail))]),
            Self::TokenExposed => {
                Detail::of(Message::OllamaTokenExposed, [("setting", remedy::setting(server))])
            }
            Self::TokenUnusable => Message::OllamaTokenUnusable.into(),
            Self::ConnectionRefused => Message::OllamaConnectionRefused.into(),
            Self::UnknownHost => Message::OllamaUnknownHost.into(),
            Self::Tls => Message::OllamaTls.into(),
            Self::Unreachable(why) | Self::BrokenOff(why) => (*why).into(),
            Self::Timeout(limit) => {
                Detail::of(Message::OllamaTimeout, [("limit", format!("{limit:?}").into())])
            }
            Self::OtherServer(why) => {
                let message = of(Message::OllamaNotOllama, Message::OpenaiNotOpenai);
                Detail::of(message, [("why", (*why).into())])
            }
            Self::Redirect => Detail::of(Message::OllamaRedirect, [("setting", remedy::setting(server))]),
            Self::Unauthorised => Message::OllamaUnauthorised.into(),
            Self::Forbidden => of(Message::OllamaForbidden, Message::OpenaiForbidden).into(),
            Self::ModelMissing(model) => {
                let message = of(Message::OllamaModelMissing, Message::OpenaiModelMissing);
                Detail::of(message, [("model", words(model))])
            }
            Self::Incapable { model, job } => {
                Detail::of(Message::OllamaIncapable, [("model", words(model)), ("job", (*job).into())])
            }
            Self::TooLong => Message::OllamaTooLong.into(),
            Self::Rejected { status, message } => {
                let status = status.to_string().into();
                Detail::of(Message::OllamaRejected, [("status", status), ("message", words(message))])
            }
            Self::Busy => of(Message::OllamaBusy, Message::OpenaiBusy).into(),
            Self::Loading => Message::OpenaiLoading.into(),
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
            Self::NoPull(model) => Detail::of(Message::OpenaiNoPull, [("model", words(model))]),
            Self::Pull { model, message } => {
                Detail::of(Message::OllamaPull, [("model", words(model)), ("message", words(message))])
            }
        }
    }

    /// The error as core's model port tells it, with the way out where its text has none.
    pub(super) fn into_model_error(self, server: ServerKind, at: &Address) -> ModelError {
        let address = at.shown().to_owned();
        let detail = self.detail(server);
        match self {
            Self::ConnectionRefused | Self::UnknownHost | Self::Unreachable(_) | Self::OtherServer(_) => {
                let (_, fix) = remedy::remedy(&self, server, at);
                ModelError::Connection { address, detail: Detail::all(vec![detail, fix]) }
            }
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
    pub(super) fn into_port_error(
        self,
        server: ServerKind,
        service: &'static str,
        address: &str,
    ) -> PortError {
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
            other => Detail::of(Message::OllamaAt, [address, ("detail", other.detail(server))]),
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
