use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::settings::ServerKind;

use super::address::Address;
use super::{Fault, ProblemKind};

/// The setting with the server's address, as a text names it.
pub(super) fn setting(server: ServerKind) -> Detail {
    match server {
        ServerKind::Ollama => "`models.ollama_url` (OLLAMA_BASE_URL)",
        ServerKind::Openai => "`models.openai_url` (OPENAI_BASE_URL)",
    }
    .into()
}

/// To correct the address.
pub(super) fn correct_address(server: ServerKind) -> Detail {
    match server {
        ServerKind::Ollama => Message::OllamaFixAddress,
        ServerKind::Openai => Message::OpenaiFixAddress,
    }
    .into()
}

/// What kind of problem a fault is, and the way out of it.
pub(super) fn remedy(fault: &Fault, server: ServerKind, at: &Address) -> (ProblemKind, Detail) {
    let of = |ollama: Message, other: Message| match server {
        ServerKind::Ollama => ollama,
        ServerKind::Openai => other,
    };
    let or_correct = |message| Detail::of(message, [("correct", correct_address(server))]);
    match fault {
        Fault::ConnectionRefused if at.is_loopback() => {
            (ProblemKind::ConnectionRefused, or_correct(of(Message::OllamaFixStart, Message::OpenaiFixStart)))
        }
        Fault::ConnectionRefused => (
            ProblemKind::ConnectionRefused,
            or_correct(of(Message::OllamaFixStartThere, Message::OpenaiFixStartThere)),
        ),
        Fault::UnknownHost | Fault::Address { .. } => {
            (ProblemKind::UnknownHost, or_correct(Message::OllamaFixHost))
        }
        Fault::Tls => (ProblemKind::Tls, or_correct(Message::OllamaFixTls)),
        Fault::Timeout(_) => (ProblemKind::Timeout, or_correct(Message::OllamaFixTimeout)),
        Fault::OtherServer(_) => {
            (ProblemKind::OtherServer, or_correct(of(Message::OllamaFixPort, Message::OpenaiFixPort)))
        }
        Fault::Redirect => {
            let setting = [("setting", setting(server))];
            (ProblemKind::Redirect, Detail::of(Message::OllamaFixRedirect, setting))
        }
        Fault::Unauthorised | Fault::TokenUnusable => (ProblemKind::Token, Message::OllamaFixToken.into()),
        Fault::TokenExposed => (ProblemKind::Token, Message::OllamaFixHttps.into()),
        Fault::Forbidden => {
            (ProblemKind::Forbidden, of(Message::OllamaFixOrigin, Message::OpenaiFixAllowed).into())
        }
        Fault::Loading => (ProblemKind::Loading, Message::OpenaiFixWait.into()),
        Fault::Unreachable(_) | Fault::Client(_) => {
            (ProblemKind::Unreachable, or_correct(Message::OllamaFixNetwork))
        }
        _ => (ProblemKind::ServerError, Message::OllamaFixLog.into()),
    }
}
