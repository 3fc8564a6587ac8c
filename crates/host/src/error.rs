//! Failures as the window gets them.

use std::fmt::Display;
use std::path::Path;

use plumbline_contract::{CommandError, CommandErrorCode, HostErrorCode};
use plumbline_core::error::{AskError, ErrorCode};
use plumbline_core::messages::Message;
use plumbline_core::ports::VocabularyError;
use plumbline_core::settings::SettingsError;
use plumbline_library::{IndexError, StoreError};
use plumbline_models::ollama::OllamaError;
use plumbline_workspace::WorkspaceError;

use crate::texts::Texts;

/// A failure of the host's own.
pub(crate) fn failed(code: HostErrorCode, message: impl Into<String>) -> CommandError {
    CommandError { code: CommandErrorCode::Host(code), message: message.into() }
}

/// What was named is not there.
pub(crate) fn not_found(message: impl Into<String>) -> CommandError {
    failed(HostErrorCode::NotFound, message)
}

/// What was given cannot be used.
pub(crate) fn invalid(message: impl Into<String>) -> CommandError {
    failed(HostErrorCode::InvalidInput, message)
}

/// A fault that the user can do nothing about.
pub(crate) fn internal(problem: impl Display) -> CommandError {
    failed(HostErrorCode::Internal, problem.to_string())
}

/// A file that could not be read or written.
pub(crate) fn of_file(path: &Path, problem: impl Display) -> CommandError {
    failed(HostErrorCode::File, format!("{}: {problem}", path.display()))
}

pub(crate) fn of_question(problem: &AskError, texts: Texts) -> CommandError {
    CommandError { code: CommandErrorCode::Engine(problem.code()), message: problem.text(texts.language) }
}

pub(crate) fn of_library(problem: &StoreError, texts: Texts) -> CommandError {
    let code = match problem {
        StoreError::Held { .. } => HostErrorCode::Busy,
        StoreError::Io { .. } => HostErrorCode::File,
        _ => HostErrorCode::Internal,
    };
    failed(code, problem.detail().text(texts.language))
}

pub(crate) fn of_indexing(problem: IndexError, texts: Texts) -> CommandError {
    match problem {
        IndexError::Store(problem) => of_library(&problem, texts),
        IndexError::Origin(problem) => invalid(problem.to_string()),
        problem @ IndexError::Embedding(_) => internal(problem),
    }
}

pub(crate) fn of_ollama(problem: &OllamaError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Unreachable, problem.detail().text(texts.language))
}

pub(crate) fn of_vocabulary(problem: &VocabularyError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Unreachable, problem.detail().text(texts.language))
}

/// A setting that is wrong, named without the place where the window put it.
pub(crate) fn of_settings(problem: &SettingsError, texts: Texts) -> CommandError {
    let message = match problem {
        SettingsError::Value { key, value, allowed, .. } => {
            texts.say(Message::RefusedSettingValue, &[("key", key), ("value", value), ("allowed", allowed)])
        }
        SettingsError::UnknownKey { key, .. } => texts.say(Message::RefusedSettingKey, &[("key", key)]),
        SettingsError::Syntax { .. } | SettingsError::Numbers(_) => problem.to_string(),
    };
    CommandError { code: CommandErrorCode::Engine(ErrorCode::Settings), message }
}

pub(crate) fn of_workspace(problem: WorkspaceError, texts: Texts) -> CommandError {
    match problem {
        WorkspaceError::Settings(problem) => of_settings(&problem, texts),
        WorkspaceError::Library(problem) => of_library(&problem, texts),
        WorkspaceError::Ollama(problem) => of_ollama(&problem, texts),
        problem @ WorkspaceError::File { .. } => failed(HostErrorCode::File, problem.to_string()),
        problem @ WorkspaceError::OllamaEmbedder { .. } => {
            failed(HostErrorCode::Unreachable, problem.to_string())
        }
        problem => internal(problem),
    }
}
