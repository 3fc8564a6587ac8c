use std::fmt;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::language::PackError;
use plumbline_core::messages::Message;
use plumbline_core::settings::SettingsError;
use plumbline_library::StoreError;
use plumbline_models::embedder::EmbedderError;
use plumbline_models::server::ServerError;
use plumbline_telemetry::AuditError;
use plumbline_vocabulary::skosmos::SkosmosError;

use crate::own_model::not_running;

/// Why a workspace, or a part of it, could not be opened. What a part says is the text itself, and no source behind it.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The system does not say where data belongs.
    NoFolder,
    /// A file would not be read or written.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A language cannot be used.
    Language(PackError),
    /// A setting is wrong.
    Settings(SettingsError),
    /// Nothing was indexed yet.
    NoLibrary,
    /// The library would not open.
    Library(StoreError),
    /// There is nowhere to look terms up.
    NoVocabulary,
    /// A vocabulary file that was named is not there.
    NoSuchFile(PathBuf),
    /// SKOSMOS cannot be asked.
    Vocabulary(SkosmosError),
    /// The built-in embedder would not open.
    Embedder(EmbedderError),
    /// The built-in model's folder was not found.
    NoModel,
    /// The server's embedder cannot be used, and it never was.
    ServerEmbedder {
        /// Its name.
        model: Detail,
        /// What is wrong, and the way out.
        detail: Detail,
    },
    /// The reranker cannot be used.
    Reranker {
        /// Its name or folder.
        name: String,
        /// What is wrong, and the way out.
        detail: Detail,
    },
    /// The reader cannot be used.
    Reader {
        /// What is wrong, and the way out.
        detail: Detail,
    },
    /// The model server cannot be asked.
    Server(ServerError),
    /// Plumbline's own model is to be asked and does not run.
    ModelNotRunning,
    /// The audit log would not open.
    Audit(AuditError),
    /// This program's own file is not known.
    Program(std::io::Error),
    /// The file of counters holds something else.
    Counters {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
}

impl WorkspaceError {
    /// What is wrong and what to do, as it is told in any language; what a system or a parser said stays as it is.
    pub fn detail(&self) -> Detail {
        let shown = |path: &Path| Detail::from(path.display().to_string());
        match self {
            Self::NoFolder => Message::WorkspaceNoFolder.into(),
            Self::File { path, source } => Detail::about(shown(path), source.to_string()),
            // Its words would have to come from the very packs that cannot be used.
            Self::Language(problem) => problem.to_string().into(),
            Self::Settings(problem) => problem.detail(),
            Self::NoLibrary => Message::WorkspaceNoLibrary.into(),
            Self::Library(problem) => problem.detail(),
            Self::NoVocabulary => Message::WorkspaceNoVocabulary.into(),
            Self::NoSuchFile(path) => no_file(path),
            Self::Vocabulary(problem) => problem.detail(),
            Self::Embedder(problem) => problem.detail(),
            Self::NoModel => Message::WorkspaceNoModel.into(),
            Self::ServerEmbedder { model, detail } => {
                Detail::of(Message::WorkspaceEmbedder, [("model", model.clone()), ("detail", detail.clone())])
            }
            Self::Reranker { name, detail } => Detail::of(
                Message::WorkspaceReranker,
                [("name", name.as_str().into()), ("detail", detail.clone())],
            ),
            Self::Reader { detail } => Detail::of(Message::WorkspaceReader, [("detail", detail.clone())]),
            Self::Server(problem) => problem.detail(),
            Self::ModelNotRunning => not_running(),
            Self::Audit(AuditError::Io { path, source }) => Detail::about(shown(path), source.to_string()),
            Self::Audit(problem) => problem.to_string().into(),
            Self::Program(problem) => {
                Detail::of(Message::WorkspaceProgram, [("detail", problem.to_string().into())])
            }
            Self::Counters { path, detail } => {
                let wrong = Detail::about(shown(path), detail.as_str());
                Detail::all(vec![wrong, Message::WorkspaceMoveCounters.into()])
            }
        }
    }
}

/// A file or folder that was named is not there.
pub(crate) fn no_file(path: &Path) -> Detail {
    Detail::of(Message::WorkspaceNoFile, [("path", path.display().to_string().into())])
}

/// As logs have it: in English.
impl fmt::Display for WorkspaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// Makes the failures of parts this crate's own.
macro_rules! of_parts {
    ($($part:ident: $problem:ty;)+) => {
        $(
            impl From<$problem> for WorkspaceError {
                fn from(problem: $problem) -> Self {
                    Self::$part(problem)
                }
            }
        )+
    };
}

of_parts! {
    Language: PackError;
    Settings: SettingsError;
    Library: StoreError;
    Vocabulary: SkosmosError;
    Embedder: EmbedderError;
    Server: ServerError;
    Audit: AuditError;
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_core::settings::ServerKind;
    use plumbline_models::server::Fault;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    #[test]
    fn every_failure_is_told_in_dutch_and_what_the_system_said_stays() {
        let said = || std::io::Error::other("<said>");
        let path = || PathBuf::from("/data/plumbline");
        let not_allowed = Detail::of(Message::WorkspaceNotAllowed, [("name", "phi4".into())]);
        let server = ServerKind::Ollama;
        let unreachable = Fault::ConnectionRefused.detail(server);
        for problem in [
            WorkspaceError::NoFolder,
            WorkspaceError::File { path: path(), source: said() },
            WorkspaceError::NoLibrary,
            WorkspaceError::Library(StoreError::Io { path: path(), source: said() }),
            WorkspaceError::NoVocabulary,
            WorkspaceError::NoSuchFile(path()),
            SkosmosError::NoServer.into(),
            EmbedderError::Missing { file: "model.safetensors", folder: path() }.into(),
            EmbedderError::Unreadable { path: path(), source: said() }.into(),
            WorkspaceError::NoModel,
            WorkspaceError::ServerEmbedder { model: "bge-m3".into(), detail: unreachable },
            WorkspaceError::Reranker { name: "phi4".to_owned(), detail: not_allowed },
            WorkspaceError::Reranker {
                name: "./encoder".to_owned(),
                detail: no_file(Path::new("./encoder")),
            },
            ServerError { server, fault: Fault::Tls }.into(),
            AuditError::Io { path: path(), source: said() }.into(),
            WorkspaceError::ModelNotRunning,
            WorkspaceError::Program(said()),
            WorkspaceError::Counters { path: path(), detail: "<said>".to_owned() },
        ] {
            let (english, dutch) = (problem.to_string(), problem.detail().text(Language::NL));
            assert_dutch(&dutch);
            assert_eq!(english.contains("<said>"), dutch.contains("<said>"), "{english}; {dutch}");
            assert!(english != dutch || english.contains("<said>"), "{english}");
        }
    }
}
