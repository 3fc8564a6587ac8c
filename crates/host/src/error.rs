//! Failures as the window gets them.

use std::fmt::Display;
use std::path::Path;

use plumbline_contract::{CommandError, CommandErrorCode, HostErrorCode};
use plumbline_core::error::{AskError, ErrorCode};
use plumbline_core::messages::Message;
use plumbline_core::ports::{PortError, VocabularyError};
use plumbline_core::settings::SettingsError;
use plumbline_library::{IndexError, StoreError};
use plumbline_models::server::ServerError;
use plumbline_team::TeamError;
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

pub(crate) fn of_indexing(problem: &IndexError, texts: Texts) -> CommandError {
    let code = match problem {
        IndexError::Store(problem) => return of_library(problem, texts),
        IndexError::Origin(_) => HostErrorCode::InvalidInput,
        IndexError::Embedding(_) => HostErrorCode::Internal,
    };
    failed(code, problem.detail().text(texts.language))
}

pub(crate) fn of_port(problem: &PortError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Internal, problem.detail().text(texts.language))
}

pub(crate) fn of_server(problem: &ServerError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Unreachable, problem.detail().text(texts.language))
}

pub(crate) fn of_vocabulary(problem: &VocabularyError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Unreachable, problem.detail().text(texts.language))
}

/// A setting that is wrong, named without the place where the window put it.
pub(crate) fn of_settings(problem: &SettingsError, texts: Texts) -> CommandError {
    let message = match problem {
        SettingsError::Value { key, value, allowed, .. } => {
            let (value, allowed) = (value.text(texts.language), allowed.text(texts.language));
            texts.say(Message::RefusedSettingValue, &[("key", key), ("value", &value), ("allowed", &allowed)])
        }
        SettingsError::UnknownKey { key, .. } => texts.say(Message::RefusedSettingKey, &[("key", key)]),
        SettingsError::Syntax { .. } | SettingsError::Numbers(_) => problem.detail().text(texts.language),
    };
    CommandError { code: CommandErrorCode::Engine(ErrorCode::Settings), message }
}

pub(crate) fn of_workspace(problem: &WorkspaceError, texts: Texts) -> CommandError {
    let code = match problem {
        WorkspaceError::Settings(problem) => return of_settings(problem, texts),
        WorkspaceError::Library(problem) => return of_library(problem, texts),
        WorkspaceError::Server(problem) => return of_server(problem, texts),
        WorkspaceError::File { .. } => HostErrorCode::File,
        WorkspaceError::ServerEmbedder { .. } => HostErrorCode::Unreachable,
        _ => HostErrorCode::Internal,
    };
    failed(code, problem.detail().text(texts.language))
}

pub(crate) fn of_team(problem: &TeamError, texts: Texts) -> CommandError {
    let code = match problem {
        TeamError::Library(problem) => return of_library(problem, texts),
        TeamError::Index(problem) => return of_indexing(problem, texts),
        TeamError::Workspace(problem) => return of_workspace(problem, texts),
        TeamError::Address { .. } | TeamError::Database { .. } | TeamError::NoCloud { .. } => {
            HostErrorCode::InvalidInput
        }
        TeamError::Nothing { .. } => HostErrorCode::NotFound,
        _ => HostErrorCode::Unreachable,
    };
    failed(code, problem.detail().text(texts.language))
}

/// The whole message, which also names the file in which a setting is wrong: nothing can be asked before that is mended.
pub(crate) fn of_start(problem: &WorkspaceError, texts: Texts) -> CommandError {
    failed(HostErrorCode::Internal, problem.detail().text(texts.language))
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_core::settings::{Settings, Sources};
    use plumbline_library::add_origin;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    const DUTCH: Texts = Texts { language: Language::NL };

    #[test]
    fn a_dutch_window_gets_dutch_errors() {
        let folder = tempfile::tempdir().unwrap();
        let gone = add_origin(folder.path(), &folder.path().join("gone")).unwrap_err();
        let unknown = PortError::Timeout { service: "lexical search", ms: 300 };
        let told = [
            of_indexing(&gone, DUTCH),
            of_indexing(&IndexError::Embedding(Message::PortNoVector.into()), DUTCH),
            of_port(&unknown, DUTCH),
            of_workspace(&WorkspaceError::NoLibrary, DUTCH),
            of_workspace(&WorkspaceError::NoModel, DUTCH),
            of_start(&WorkspaceError::NoFolder, DUTCH),
        ];
        told.iter().for_each(|problem| assert_dutch(&problem.message));
    }

    #[test]
    fn a_wrong_setting_is_told_in_dutch_with_its_place_only_where_nothing_started() {
        for (key, value) in [
            ("retrieval.total_chunks", "many"),
            ("general.privacy", "perhaps"),
            ("models.ollama_url", "here"),
        ] {
            let flags = vec![(key.to_owned(), value.to_owned())];
            let problem = Settings::resolve(Sources { flags, ..Sources::default() }).unwrap_err();
            let told = of_settings(&problem, DUTCH).message;
            assert!(told.contains(key) && !told.contains("optie"), "{told}");
            assert_dutch(&told);
            let whole = of_start(&WorkspaceError::from(problem), DUTCH).message;
            assert!(whole.starts_with("de optie "), "{whole}");
            assert_dutch(&whole);
        }
    }
}
