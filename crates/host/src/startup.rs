//! From a host that knows nothing to one that answers, and back.

use std::sync::Arc;
use std::time::Duration;

use plumbline_contract::{Broadcast, CommandError, RemoteServer, Startup};
use plumbline_core::messages::Message;
use plumbline_library::library_origins;
use plumbline_workspace::{OpenVocabulary, Workspace, WorkspaceError};

use crate::Host;
use crate::error::{of_start, of_workspace};
use crate::host::{OpenWorkspace, STARTUP_STEPS};
use crate::locks::lock;

/// How often it is looked whether a service went off or came back.
const BANNER_EVERY: Duration = Duration::from_millis(500);
/// What runs gets so long to end when the program does.
const PATIENCE: Duration = Duration::from_secs(8);
/// The fact that a folder was added once.
pub(crate) const FOLDER_ADDED: &str = "folder_added";

impl Host {
    /// Opens the workspace and its engine; how far it is goes out as broadcasts.
    pub async fn start(&self) {
        let startup = match self.open_everything().await {
            Ok(()) => Startup::Ready,
            Err(problem) => {
                tracing::error!(target: "host", event = "start_failed", reason = problem.message.as_str());
                Startup::Failed { message: problem.message }
            }
        };
        let ready = startup == Startup::Ready;
        self.update_state(|state| state.startup = startup);
        if ready {
            self.inner.tasks.spawn(self.clone().keep_indexing());
            self.inner.tasks.spawn(self.clone().keep_banner());
            self.inner.tasks.spawn(self.clone().keep_following());
            self.inner.tasks.spawn(self.clone().warm_up());
            self.follow_own_model().await;
            self.follow_folders().await;
            // What changed while the program was not running is found now.
            self.want_indexing_if_any_folder().await;
        }
    }

    async fn open_everything(&self) -> Result<(), CommandError> {
        self.starting(Message::StartupSettings, 0);
        let options = self.inner.options.workspace.clone();
        let opened = self.blocking(move || Workspace::open(options)).await?;
        let failed = |problem: WorkspaceError| of_start(&problem, self.texts());
        let workspace = Arc::new(opened.map_err(failed)?);
        lock(&self.inner.texts).language = workspace.settings().general.language;
        // A log that cannot be written, or that somebody else writes, costs nobody an answer.
        *lock(&self.inner.log) = workspace.begin_log().ok();
        self.starting(Message::StartupConversations, 1);
        let host = self.clone();
        self.blocking(move || host.history().map(drop)).await??;
        self.starting(Message::StartupLibrary, 2);
        self.set_open(Some(self.opened(workspace).await.map_err(failed)?));
        self.refresh_state().await
    }

    fn starting(&self, step: Message, done: u32) {
        let step = self.say(step);
        self.update_state(|state| state.startup = Startup::Starting { step, done, total: STARTUP_STEPS });
    }

    async fn opened(&self, workspace: Arc<Workspace>) -> Result<OpenWorkspace, WorkspaceError> {
        let opened = workspace.engine_with_or_without_library().await?;
        for remark in &opened.remarks {
            tracing::warn!(target: "host", event = "opened_with_remark", %remark);
        }
        Ok(OpenWorkspace { workspace, opened: Arc::new(opened) })
    }

    /// Opens the engine anew over the same settings: folders, vocabulary or curated memory have changed.
    pub(crate) async fn reopen_engine(&self) -> Result<(), CommandError> {
        let _changing = self.inner.changing.lock().await;
        let workspace = Arc::clone(&self.open()?.workspace);
        let open = self.opened(workspace).await.map_err(|problem| of_workspace(&problem, self.texts()))?;
        self.set_open(Some(open));
        Ok(())
    }

    /// Reads the settings anew and opens the engine over them; with `keep_engine`, the engine stays as it is until an
    /// indexing run has ended.
    pub(crate) async fn reopen_settings(&self, keep_engine: bool) -> Result<(), CommandError> {
        {
            let _changing = self.inner.changing.lock().await;
            let before = self.open()?;
            let failed = |problem: WorkspaceError| of_workspace(&problem, self.texts());
            let workspace =
                before.workspace.reopened(self.inner.options.workspace.clone()).map_err(failed)?;
            let workspace = Arc::new(workspace);
            let open = match keep_engine {
                true => OpenWorkspace { workspace, opened: Arc::clone(&before.opened) },
                false => self.opened(workspace).await.map_err(failed)?,
            };
            self.set_open(Some(open));
        }
        self.refresh_state().await?;
        self.tell(Broadcast::Settings { settings: Box::new(self.settings().await?) });
        Ok(())
    }

    /// Brings the window's state in line with folders and settings.
    pub(crate) async fn refresh_state(&self) -> Result<(), CommandError> {
        let open = self.open()?;
        let (folder, history) = (self.folder()?, self.history()?);
        let sample = self.sample_manifest();
        let workspace = Arc::clone(&open.workspace);
        let searched = open.library().is_some();
        let (first_run, sample_library, remote) = self
            .blocking(move || {
                let origins = library_origins(&folder).unwrap_or_default();
                let added = history.fact::<bool>(FOLDER_ADDED).ok().flatten().unwrap_or(false);
                let first_run = !added && origins.is_empty() && !searched;
                let is_sample = origins.iter().any(|origin| Some(&origin.path) == sample.as_ref());
                (first_run, is_sample, remote_server(&workspace))
            })
            .await?;
        let answers_with_model = open.workspace.answering_model().is_some();
        self.update_state(|state| {
            state.first_run = first_run;
            state.sample_library = sample_library;
            state.remote = remote;
            state.answers_with_model = answers_with_model;
        });
        Ok(())
    }

    /// The first question need not wait for the model's weights or for a connection.
    async fn warm_up(self) {
        let Ok(open) = self.open() else { return };
        if let Some(OpenVocabulary::Server(client)) = &open.opened.vocabulary {
            client.warm(self.texts().language).await;
        }
        if let Some(embedder) = &open.opened.embedder
            && open.workspace.settings().models.embedder.is_none()
        {
            // It fails again, and is told, when a question needs it.
            let _ = embedder.embedder.embed(&["plumb line".to_owned()]).await;
        }
    }

    /// Tells the window when a service goes off or comes back, also while nobody asks anything.
    async fn keep_banner(self) {
        let stop = self.stop_token();
        let mut told = Vec::new();
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(BANNER_EVERY) => {}
            }
            let Ok(open) = self.open() else { continue };
            let items = open.engine().banner();
            // The window counts the seconds down itself.
            let now: Vec<_> = items
                .iter()
                .map(|item| (item.service.clone(), item.state, item.retry_in_seconds == 0))
                .collect();
            if now != told {
                told = now;
                self.tell(Broadcast::Banner { items });
            }
        }
    }

    /// Stops answers, indexing, downloads and watching, and keeps what was counted. Takes a few seconds at the most.
    pub async fn shutdown(&self) {
        self.stop_everything().await;
        let mut kept = lock(&self.inner.counters_kept);
        if let (false, Ok(open)) = (*kept, self.open()) {
            *kept = true;
            if let Err(problem) = open.workspace.keep_counters() {
                tracing::error!(target: "host", event = "counters_not_kept", reason = %problem);
            }
        }
        drop(kept);
        lock(&self.inner.log).take();
    }

    /// Ends what runs in the background and waits for it.
    pub(crate) async fn stop_everything(&self) {
        self.stop_token().cancel();
        self.inner.indexing.stop();
        for answer in lock(&self.inner.answers).values() {
            answer.stop.cancel();
        }
        for pull in lock(&self.inner.pulls).values() {
            pull.cancel();
        }
        self.inner.evaluating.stop();
        self.end_own_model().await;
        if tokio::time::timeout(PATIENCE, self.inner.tasks.wait()).await.is_err() {
            tracing::warn!(target: "host", event = "tasks_left_running", tasks = self.inner.tasks.len());
        }
    }
}

/// Who else gets to see passages: the server of the models in use, where that is another machine.
fn remote_server(workspace: &Workspace) -> Option<RemoteServer> {
    let models = &workspace.settings().models;
    let jobs = [&models.answer, &models.planner, &models.judge, &models.embedder, &models.reranker];
    if jobs.iter().all(|job| job.is_none()) {
        return None;
    }
    let client = workspace.model_server().ok().filter(|client| !client.is_on_this_machine())?;
    let host = client.address().split_once("://").map_or(client.address(), |(_, host)| host);
    let encrypted = client.is_encrypted();
    Some(RemoteServer {
        host: host.to_owned(),
        encrypted,
        // The keyring is asked only where a token would be sent.
        sends_token: encrypted && workspace.tokens().token().is_some(),
    })
}
