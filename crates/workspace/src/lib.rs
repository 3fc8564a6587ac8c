//! One workspace, opened: settings, stores, models and counters, and the engine over them.
//!
//! The command line, the window and the evaluation all open this, so that there is one way to put the parts together.
#![deny(missing_docs)]

mod contradictions;
mod counters;
pub mod doctor;
mod embedders;
mod engine;
mod error;
mod languages;
mod models;
mod own_model;
mod settings_file;
mod shelves;
mod thresholds;
mod vocabularies;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use plumbline_core::language;
use plumbline_core::ports::Scope;
use plumbline_core::settings::{Origin, Owners, Settings, Sources, Thresholds};
use plumbline_library::{EmbedderKey, IndexOptions, Library, ReaderOptions, WorkerCommand};
use plumbline_models::embedder::BuiltInEmbedder;
use plumbline_models::managed::STATE_FILE;
use plumbline_models::server::{ModelServer, Token, TokenStore};
use plumbline_telemetry::{
    LogError, LogGuard, LogLevel, LogSettings, Metrics, Snapshot, SystemClock, init_logs,
};

pub use contradictions::{MarkedOpposition, Opposed, StatementProgress, built_in_meaning};
pub use counters::kept_counters;
pub use embedders::{EmbeddingCost, WorkspaceEmbedder};
pub use engine::OpenEngine;
pub use error::WorkspaceError;
pub use languages::{languages_in, start_languages};
pub use models::{built_in_embedders, built_in_reader};
pub use own_model::OwnModel;
pub use settings_file::{change_settings, change_thresholds};
pub use shelves::Shelves;
pub use vocabularies::OpenVocabulary;

/// A settings file of the user's own, in the workspace.
const SETTINGS: &str = "settings.toml";
/// Calibrated thresholds, in the workspace.
const THRESHOLDS: &str = "thresholds.yaml";
/// Owners, in the workspace; those of the library come first.
const OWNERS: &str = "owners.toml";
/// Access tags that the user holds, separated by commas.
const TAGS_VARIABLE: &str = "PLUMBLINE_TAGS";
/// Whose documents are meant.
const TENANT_VARIABLE: &str = "PLUMBLINE_TENANT";
/// A token for this session only.
const TOKEN_VARIABLE: &str = "PLUMBLINE_TOKEN";
/// The log's folder, in the workspace.
const LOGS: &str = "logs";
/// A log for each of so many days is kept.
const LOG_FILES: usize = 14;

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
    /// Where published libraries are reached that are read in place.
    pub shelves: Shelves,
}

impl WorkspaceOptions {
    /// Where the workspace is.
    pub fn folder(&self) -> Result<PathBuf, WorkspaceError> {
        self.folder
            .clone()
            .or_else(|| Some(dirs::data_dir()?.join("plumbline")))
            .ok_or(WorkspaceError::NoFolder)
    }

    /// What the user may see, by the environment.
    pub fn scope(&self) -> Scope {
        let given = |name: &str| {
            self.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let tags = given(TAGS_VARIABLE).unwrap_or_default().split(',').map(str::trim);
        Scope {
            tenant: given(TENANT_VARIABLE).unwrap_or_default().to_owned(),
            user_tags: tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
            collections: Vec::new(),
        }
    }

    /// The settings file, whether or not there is one.
    pub fn settings_path(&self) -> Result<PathBuf, WorkspaceError> {
        match &self.settings_file {
            Some(path) => Ok(path.clone()),
            None => Ok(self.folder()?.join(SETTINGS)),
        }
    }

    /// The files whose change makes another workspace of it, whether or not they are there.
    pub fn deciding_files(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        let folder = self.folder()?;
        let in_folder = [THRESHOLDS, OWNERS, STATE_FILE].map(|name| folder.join(name));
        Ok([self.settings_path()?].into_iter().chain(in_folder).collect())
    }

    /// The settings file with its text; an error where a file was named and is not there.
    fn user_file(&self) -> Result<Option<(PathBuf, String)>, WorkspaceError> {
        let path = self.settings_path()?;
        match self.settings_file {
            Some(_) => Ok(Some((path.clone(), text_of(&path)?))),
            None => text_if_there(&path),
        }
    }
}

/// A workspace with its settings read. Stores and models are opened when they are asked for.
pub struct Workspace {
    folder: PathBuf,
    /// As the user gave them.
    given: Settings,
    /// As they are in force: with a model of our own in the server's place where that is in use.
    settings: Settings,
    own_model: OwnModel,
    setting_origins: BTreeMap<String, Origin>,
    /// The thresholds file, where there is one.
    thresholds_file: Option<(PathBuf, String)>,
    vocabulary: Vec<PathBuf>,
    shelves: Shelves,
    metrics: Metrics,
    tokens: Arc<TokenStore>,
    /// Its editions; the weights of each are read once, however often it is asked for.
    built_in: OnceLock<Vec<BuiltInEmbedder>>,
}

impl Workspace {
    /// Makes the folder where it is missing, and reads settings and thresholds.
    pub fn open(options: WorkspaceOptions) -> Result<Self, WorkspaceError> {
        // Before the settings: they name a language.
        language::start(None)?;
        let folder = options.folder()?;
        std::fs::create_dir_all(&folder)
            .map_err(|source| WorkspaceError::File { path: folder.clone(), source })?;
        let user_file = options.user_file()?;
        let token = options.environment.iter().find(|(name, _)| name == TOKEN_VARIABLE);
        let token = token.and_then(|(_, value)| Token::new(value));
        let (given, setting_origins) = Settings::resolve_with_origins(Sources {
            user_file,
            environment: options.environment,
            flags: options.flags,
        })?;
        let thresholds_file = text_if_there(&folder.join(THRESHOLDS))?;
        if let Some((path, text)) = &thresholds_file {
            Thresholds::parse(&path.to_string_lossy(), text)?;
        }
        let (settings, own_model) = own_model::in_force(&folder, &given);
        let token = match &own_model {
            OwnModel::Off => token,
            OwnModel::Stopped => None,
            OwnModel::Running(running) => Token::new(&running.key),
        };
        let tokens = TokenStore::of_system(settings.models.address());
        if let Some(token) = token {
            tokens.use_for_this_session(token);
        }
        Ok(Self {
            folder,
            given,
            settings,
            own_model,
            setting_origins,
            thresholds_file,
            vocabulary: options.vocabulary,
            shelves: options.shelves,
            metrics: Metrics::new(),
            tokens,
            built_in: OnceLock::new(),
        })
    }

    /// The same workspace with its settings read anew. It goes on counting, and keeps a token that was given for this
    /// session as long as the server stays the same.
    pub fn reopened(&self, options: WorkspaceOptions) -> Result<Self, WorkspaceError> {
        let anew = Self::open(options)?;
        let same_server = anew.settings.models.address() == self.settings.models.address()
            && anew.own_model == self.own_model;
        let tokens = if same_server { Arc::clone(&self.tokens) } else { anew.tokens };
        Ok(Self { metrics: self.metrics.clone(), tokens, built_in: self.built_in.clone(), ..anew })
    }

    /// Where everything lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings as the user gave them.
    pub fn given_settings(&self) -> &Settings {
        &self.given
    }

    /// Whether Plumbline runs a model by itself.
    pub fn own_model(&self) -> &OwnModel {
        &self.own_model
    }

    /// The model that writes answers; none where it is Plumbline's own and does not run.
    pub fn answering_model(&self) -> Option<&str> {
        let runs = self.own_model != OwnModel::Stopped;
        self.settings.models.answer.as_deref().filter(|_| runs)
    }

    /// The settings in force: where Plumbline runs a model by itself, that is the server.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where each `section.key` that is not a default was given.
    pub fn setting_origins(&self) -> &BTreeMap<String, Origin> {
        &self.setting_origins
    }

    /// What is counted here.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The token for the model server.
    pub fn tokens(&self) -> &Arc<TokenStore> {
        &self.tokens
    }

    /// A client for the model server of the settings; nothing is connected yet.
    pub fn model_server(&self) -> Result<ModelServer, WorkspaceError> {
        if self.own_model == OwnModel::Stopped {
            return Err(WorkspaceError::ModelNotRunning);
        }
        Ok(ModelServer::new(&self.settings.models, Some(self.tokens.source()))?)
    }

    /// The library, open for reading.
    pub async fn library(&self, embedder: Option<EmbedderKey>) -> Result<Library, WorkspaceError> {
        self.library_if_any(embedder).await?.ok_or(WorkspaceError::NoLibrary)
    }

    /// The same; none where nothing was ever indexed.
    pub async fn library_if_any(
        &self,
        embedder: Option<EmbedderKey>,
    ) -> Result<Option<Library>, WorkspaceError> {
        let deadline = self.settings.retrieval.lane_deadline_ms;
        Ok(Library::open_with(&self.folder, embedder, self.shelves.within(deadline)).await?)
    }

    /// The library, open for reading, and the embedder that it is searched with.
    pub async fn searched_library(&self) -> Result<(Library, WorkspaceEmbedder), WorkspaceError> {
        let (library, answering) = self.searched_by(self.embedder().await?).await?;
        Ok((library.ok_or(WorkspaceError::NoLibrary)?, answering))
    }

    /// With what a library is indexed here.
    pub async fn index_options(&self, embeddings: bool) -> Result<IndexOptions, WorkspaceError> {
        let (embedder, meanwhile) = match embeddings {
            true => {
                let chosen = self.embedder().await?;
                let answering = self.searched_by(chosen.clone()).await?.1;
                let meanwhile = (answering.key != chosen.key).then_some((answering.embedder, answering.key));
                (Some((chosen.embedder, chosen.key)), meanwhile)
            }
            false => (None, None),
        };
        let worker = WorkerCommand::this_program().map_err(WorkspaceError::Program)?;
        let reader = ReaderOptions { worker: Some(worker), ..ReaderOptions::default() };
        Ok(IndexOptions { embedder, meanwhile, reader, clock: Arc::new(SystemClock) })
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

    /// Where logs are written.
    pub fn logs_folder(&self) -> PathBuf {
        self.folder.join(LOGS)
    }

    /// Begins to write the program's log, for as long as the guard lives.
    pub fn begin_log(&self) -> Result<LogGuard, LogError> {
        init_logs(LogSettings {
            folder: self.logs_folder(),
            max_files: LOG_FILES,
            privacy: self.settings.general.privacy,
            level: LogLevel::Info,
        })
    }

    /// What the workspace has counted since it began, this program's counts included.
    pub fn counted(&self) -> Result<Snapshot, WorkspaceError> {
        counters::together(&self.folder, &self.metrics)
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
