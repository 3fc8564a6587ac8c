use std::path::PathBuf;

use plumbline_core::language::PackError;
use plumbline_core::settings::SettingsError;
use plumbline_library::StoreError;
use plumbline_models::embedder::EmbedderError;
use plumbline_models::ollama::OllamaError;
use plumbline_telemetry::AuditError;
use plumbline_vocabulary::skosmos::SkosmosError;

/// Why a workspace, or a part of it, could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The system does not say where data belongs.
    #[error("this system names no folder for data: give one with --workspace")]
    NoFolder,
    /// A file would not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A language cannot be used.
    #[error(transparent)]
    Language(#[from] PackError),
    /// A setting is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Nothing was indexed yet.
    #[error("there is no library yet: make one with `plumbline index FOLDER`")]
    NoLibrary,
    /// The library would not open.
    #[error(transparent)]
    Library(#[from] StoreError),
    /// There is nowhere to look terms up.
    #[error(
        "there is no vocabulary to look in: give one with --vocabulary FILE, index a library.toml that names some, or set \
         vocabulary.skosmos_url"
    )]
    NoVocabulary,
    /// A vocabulary file that was named is not there.
    #[error("{} does not exist", .0.display())]
    NoSuchFile(PathBuf),
    /// SKOSMOS cannot be asked.
    #[error(transparent)]
    Vocabulary(#[from] SkosmosError),
    /// The built-in embedder would not open.
    #[error(transparent)]
    Embedder(#[from] EmbedderError),
    /// The built-in model's folder was not found.
    #[error("the built-in model is missing: install Plumbline anew, or name its folder in PLUMBLINE_MODELS")]
    NoModel,
    /// Ollama's embedder cannot be used, and it never was.
    #[error("the embedder `{model}` (models.embedder) cannot be used: {detail}")]
    OllamaEmbedder {
        /// Its name.
        model: String,
        /// What is wrong, and the way out.
        detail: String,
    },
    /// The reranker cannot be used.
    #[error("the reranker `{name}` (models.reranker) cannot be used: {detail}")]
    Reranker {
        /// Its name or folder.
        name: String,
        /// What is wrong, and the way out.
        detail: String,
    },
    /// Ollama cannot be asked.
    #[error(transparent)]
    Ollama(#[from] OllamaError),
    /// The audit log would not open.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// This program's own file is not known.
    #[error("cannot find this program's own file: {0}")]
    Program(std::io::Error),
    /// The file of counters holds something else.
    #[error("{}: {detail}; move it away and counting begins anew", path.display())]
    Counters {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
}
