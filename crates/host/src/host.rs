//! The host itself: what it holds, and what all of its commands share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use plumbline_contract::{AppState, Broadcast, CheckedText, CommandError, HostErrorCode, Startup};
use plumbline_core::engine::Engine;
use plumbline_core::messages::Message;
use plumbline_core::ports::Scope;
use plumbline_library::{Library, WorkerCommand};
use plumbline_models::managed::GuardCommand;
use plumbline_team::FollowedShelves;
use plumbline_telemetry::LogGuard;
use plumbline_workspace::{OpenEngine, Shelves, Workspace, WorkspaceOptions};
use tokio_util::sync::CancellationToken;

use crate::Desktop;
use crate::error::{failed, internal, not_found, of_file, of_start};
use crate::evaluating::EvaluationDesk;
use crate::history::History;
use crate::indexing::IndexingDesk;
use crate::locks::lock;
use crate::own_model::OwnModelDesk;
use crate::tasks::Tasks;
use crate::team::TeamDesk;
use crate::texts::Texts;

/// Steps until questions can be asked.
pub(crate) const STARTUP_STEPS: u32 = 3;

/// With what a host is made.
pub struct HostOptions {
    /// How the workspace is opened.
    pub workspace: WorkspaceOptions,
    /// Where the sample library's files lie: the folder of its `library.toml`.
    pub sample_library: Option<PathBuf>,
    /// The process that reads files.
    pub worker: WorkerCommand,
    /// The process that guards a model's server.
    pub guard: GuardCommand,
}

/// Everything behind the window. Cheap to clone; every clone is the same host.
#[derive(Clone)]
pub struct Host {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub options: HostOptions,
    pub desktop: Arc<dyn Desktop>,
    pub broadcast: Arc<dyn Fn(Broadcast) + Send + Sync>,
    pub state: Mutex<AppState>,
    pub texts: Mutex<Texts>,
    pub open: RwLock<Option<Arc<OpenWorkspace>>>,
    pub history: Mutex<Option<Arc<History>>>,
    /// Held while settings change or the engine is opened anew, so that one happens after the other.
    pub changing: tokio::sync::Mutex<()>,
    pub answers: Mutex<HashMap<String, RunningAnswer>>,
    pub pulls: Mutex<HashMap<String, CancellationToken>>,
    /// Stops the check of a text that goes on.
    pub check: Mutex<CancellationToken>,
    pub last_check: Mutex<Option<CheckedText>>,
    pub indexing: IndexingDesk,
    pub team: TeamDesk,
    pub evaluating: EvaluationDesk,
    pub own_model: OwnModelDesk,
    /// Ends everything that runs in the background; another one after everything was deleted.
    pub stop: Mutex<CancellationToken>,
    pub tasks: Tasks,
    /// The log is written as long as this is held.
    pub log: Mutex<Option<LogGuard>>,
    pub counters_kept: Mutex<bool>,
}

impl Drop for Inner {
    /// A host that nobody holds any more leaves nothing running.
    fn drop(&mut self) {
        lock(&self.stop).cancel();
    }
}

/// A question that is being answered.
pub(crate) struct RunningAnswer {
    pub conversation: String,
    pub stop: CancellationToken,
}

/// A workspace and the engine over it.
pub(crate) struct OpenWorkspace {
    pub workspace: Arc<Workspace>,
    pub opened: Arc<OpenEngine>,
}

impl OpenWorkspace {
    pub fn engine(&self) -> &Engine {
        &self.opened.engine
    }

    pub fn library(&self) -> Option<&Arc<Library>> {
        self.opened.library.as_ref()
    }
}

impl Host {
    /// A host that has not started: it answers [`Host::app_state`] at once and does no I/O.
    pub fn new(
        mut options: HostOptions,
        desktop: Arc<dyn Desktop>,
        broadcast: Arc<dyn Fn(Broadcast) + Send + Sync>,
    ) -> Self {
        let team = TeamDesk::default();
        let shelves = FollowedShelves::new(Arc::clone(&team.follower.keys));
        options.workspace.shelves = Shelves::through(Arc::new(shelves));
        let texts = Texts::default();
        let step = texts.plain(Message::StartupSettings);
        let state = AppState {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            startup: Startup::Starting { step, done: 0, total: STARTUP_STEPS },
            first_run: false,
            sample_library: false,
            remote: None,
            answers_with_model: false,
        };
        let inner = Inner {
            options,
            desktop,
            broadcast,
            state: Mutex::new(state),
            texts: Mutex::new(texts),
            open: RwLock::new(None),
            history: Mutex::new(None),
            changing: tokio::sync::Mutex::new(()),
            answers: Mutex::default(),
            pulls: Mutex::default(),
            check: Mutex::default(),
            last_check: Mutex::default(),
            indexing: IndexingDesk::default(),
            team,
            evaluating: EvaluationDesk::default(),
            own_model: OwnModelDesk::default(),
            stop: Mutex::default(),
            tasks: Tasks::default(),
            log: Mutex::new(None),
            counters_kept: Mutex::new(false),
        };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn tell(&self, broadcast: Broadcast) {
        (self.inner.broadcast)(broadcast);
    }

    /// What ends with the host.
    pub(crate) fn stop_token(&self) -> CancellationToken {
        lock(&self.inner.stop).clone()
    }

    pub(crate) fn texts(&self) -> Texts {
        *lock(&self.inner.texts)
    }

    pub(crate) fn say(&self, message: Message) -> String {
        self.texts().plain(message)
    }

    /// The workspace and its engine, or that they are not there yet.
    pub(crate) fn open(&self) -> Result<Arc<OpenWorkspace>, CommandError> {
        let open = self.inner.open.read().unwrap_or_else(PoisonError::into_inner).clone();
        open.ok_or_else(|| match &lock(&self.inner.state).startup {
            Startup::Failed { message } => failed(
                HostErrorCode::Internal,
                self.texts().say(Message::StartupFailed, &[("reason", message)]),
            ),
            _ => failed(HostErrorCode::Starting, self.say(Message::StartupRunning)),
        })
    }

    pub(crate) fn set_open(&self, open: Option<OpenWorkspace>) {
        if let Some(open) = &open {
            lock(&self.inner.texts).language = open.workspace.settings().general.language;
        }
        *self.inner.open.write().unwrap_or_else(PoisonError::into_inner) = open.map(Arc::new);
    }

    /// The library, or that there is no document yet.
    pub(crate) fn library_for(&self, id: &str) -> Result<Arc<Library>, CommandError> {
        self.open()?.library().cloned().ok_or_else(|| self.no_document(id))
    }

    pub(crate) fn no_document(&self, id: &str) -> CommandError {
        not_found(self.texts().say(Message::MissingDocument, &[("id", id)]))
    }

    /// The store of conversations, opened when it is first needed.
    pub(crate) fn history(&self) -> Result<Arc<History>, CommandError> {
        let mut history = lock(&self.inner.history);
        if let Some(history) = &*history {
            return Ok(Arc::clone(history));
        }
        let opened = Arc::new(History::open(&self.folder()?)?);
        *history = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// The workspace's folder.
    pub(crate) fn folder(&self) -> Result<PathBuf, CommandError> {
        self.inner.options.workspace.folder().map_err(|problem| of_start(&problem, self.texts()))
    }

    /// What the user may see.
    pub(crate) fn scope(&self) -> Scope {
        self.inner.options.workspace.scope()
    }

    /// Changes the window's state and tells it, where it did change.
    pub(crate) fn update_state(&self, change: impl FnOnce(&mut AppState)) {
        let changed = {
            let mut state = lock(&self.inner.state);
            let before = state.clone();
            change(&mut state);
            (*state != before).then(|| state.clone())
        };
        if let Some(state) = changed {
            self.tell(Broadcast::State { state });
        }
    }

    /// Does something that waits for files, off the async threads.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CommandError> {
        tokio::task::spawn_blocking(work).await.map_err(internal)
    }

    /// Writes a file where the user wants it; the path, or nothing where they changed their mind.
    pub(crate) async fn save(&self, name: &str, text: String) -> Result<Option<String>, CommandError> {
        let Some(path) = self.inner.desktop.save_as(name).await else { return Ok(None) };
        self.write_to(path, text).await.map(Some)
    }

    /// Writes a file; its path.
    pub(crate) async fn write_to(&self, path: PathBuf, text: String) -> Result<String, CommandError> {
        self.blocking(move || write(&path, &text)).await?
    }
}

fn write(path: &Path, text: &str) -> Result<String, CommandError> {
    std::fs::write(path, text).map_err(|problem| of_file(path, problem))?;
    Ok(path.display().to_string())
}
