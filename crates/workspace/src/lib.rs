//! One workspace, opened: settings, stores, models and counters, and the engine over them.
//!
//! The command line, the window and the evaluation all open this, so that there is one way to put the parts together.
#![deny(missing_docs)]

mod counters;
pub mod doctor;
mod embedders;
mod engine;
mod error;
mod models;
mod vocabularies;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_core::settings::{Owners, Settings, Sources, Thresholds};
use plumbline_library::{EmbedderKey, IndexOptions, Library, ReaderOptions, WorkerCommand};
use plumbline_models::ollama::{OllamaClient, Token, TokenStore};
use plumbline_telemetry::{Metrics, SystemClock};

pub use counters::kept_counters;
pub use embedders::{EmbeddingCost, WorkspaceEmbedder};
pub use engine::OpenEngine;
pub use error::WorkspaceError;
pub use models::built_in_model;

/// A settings file of the user's own, in the workspace.
const SETTINGS: &str = "settings.toml";
/// Calibrated thresholds, in the workspace.
const THRESHOLDS: &str = "thresholds.yaml";
/// Owners, in the workspace; those of the library come first.
const OWNERS: &str = "owners.toml";
/// A token for this session only.
const TOKEN_VARIABLE: &str = "PLUMBLINE_TOKEN";

/// What decides how a workspace is opened.
#[derive(Debug, Clone, Default)]
pub struct WorkspaceOptions {
    /// Where indexes, history and settings live; the platform's data folder where absent.
    pub folder: Option<PathBuf>,
    /// A settings file elsewhere than in the workspace.
    pub settings_file: Option<PathBuf>,
    /// The environment's variables.
    pub environment: Vec<(String, String)>,
    /// Settings given one by one, `section.key` and value.
    pub flags: Vec<(String, String)>,
    /// Vocabulary files that replace those of library and settings.
    pub vocabulary: Vec<PathBuf>,
}

/// A workspace with its settings read. Stores and models are opened when they are asked for.
pub struct Workspace {
    folder: PathBuf,
    settings: Settings,
    thresholds: Thresholds,
    vocabulary: Vec<PathBuf>,
    metrics: Metrics,
    tokens: Arc<TokenStore>,
}

impl Workspace {
    /// Makes the folder where it is missing, and reads settings and thresholds.
    pub fn open(options: WorkspaceOptions) -> Result<Self, WorkspaceError> {
        let folder = options
            .folder
            .or_else(|| Some(dirs::data_dir()?.join("plumbline")))
            .ok_or(WorkspaceError::NoFolder)?;
        std::fs::create_dir_all(&folder)
            .map_err(|source| WorkspaceError::File { path: folder.clone(), source })?;
        let user_file = match options.settings_file {
            Some(path) => Some((path.clone(), text_of(&path)?)),
            None => text_if_there(&folder.join(SETTINGS))?,
        };
        let token = options.environment.iter().find(|(name, _)| name == TOKEN_VARIABLE);
        let token = token.and_then(|(_, value)| Token::new(value));
        let settings =
            Settings::resolve(Sources { user_file, environment: options.environment, flags: options.flags })?;
        let thresholds = match text_if_there(&folder.join(THRESHOLDS))? {
            Some((path, text)) => Thresholds::parse(&path.to_string_lossy(), &text)?,
            None => Thresholds::default(),
        };
        let tokens = TokenStore::of_system(&settings.models.ollama_url);
        if let Some(token) = token {
            tokens.use_for_this_session(token);
        }
        Ok(Self {
            folder,
            settings,
            thresholds,
            vocabulary: options.vocabulary,
            metrics: Metrics::new(),
            tokens,
        })
    }

    /// Where everything lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is counted here.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The token for Ollama.
    pub fn tokens(&self) -> &Arc<TokenStore> {
        &self.tokens
    }

    /// A client for the configured Ollama; nothing is connected yet.
    pub fn ollama(&self) -> Result<OllamaClient, WorkspaceError> {
        Ok(OllamaClient::new(&self.settings.models, Some(self.tokens.source()))?)
    }

    /// The library, open for reading.
    pub async fn library(&self, embedder: Option<EmbedderKey>) -> Result<Library, WorkspaceError> {
        Library::open(&self.folder, embedder).await?.ok_or(WorkspaceError::NoLibrary)
    }

    /// With what a library is indexed here.
    pub async fn index_options(&self, embeddings: bool) -> Result<IndexOptions, WorkspaceError> {
        let embedder = match embeddings {
            true => {
                let chosen = self.embedder().await?;
                Some((chosen.embedder, chosen.key))
            }
            false => None,
        };
        let worker = WorkerCommand::this_program().map_err(WorkspaceError::Program)?;
        let reader = ReaderOptions { worker: Some(worker), ..ReaderOptions::default() };
        Ok(IndexOptions { embedder, reader, clock: Arc::new(SystemClock) })
    }

    /// Who answers for which topic: the library's own list, else the workspace's, else the default.
    fn owners(&self) -> Result<Owners, WorkspaceError> {
        let of_library =
            plumbline_library::manifests(&self.folder)?.into_iter().find_map(|found| found.owners);
        let path = of_library.unwrap_or_else(|| self.folder.join(OWNERS));
        match text_if_there(&path)? {
            Some((path, text)) => Ok(Owners::parse(&path.to_string_lossy(), &text)?),
            None => Ok(Owners::default()),
        }
    }

    /// Adds what was counted here to what the workspace has counted since it began. Once, at the end.
    pub fn keep_counters(&self) -> Result<(), WorkspaceError> {
        counters::keep(&self.folder, &self.metrics)
    }
}

fn text_of(path: &Path) -> Result<String, WorkspaceError> {
    std::fs::read_to_string(path).map_err(|source| WorkspaceError::File { path: path.to_owned(), source })
}

fn text_if_there(path: &Path) -> Result<Option<(PathBuf, String)>, WorkspaceError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some((path.to_owned(), text))),
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(WorkspaceError::File { path: path.to_owned(), source }),
    }
}
