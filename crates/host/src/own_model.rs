//! The model that the window runs by itself.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use plumbline_contract::{Broadcast, CommandError, HostErrorCode, OwnModel, OwnModelState, PullProgress};
use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_core::settings::ManagedSettings;
use plumbline_models::managed::{
    FetchProgress, ManagedError, ManagedServer, Plan, Status, download, fetch, find_program, model_name,
    running,
};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::batches::Batches;
use crate::error::{failed, invalid, of_question};
use crate::locks::lock;

/// What there is of it in this process.
#[derive(Default)]
pub(crate) struct OwnModelDesk {
    server: Mutex<Option<Arc<ManagedServer>>>,
    starting: AtomicBool,
    /// Why it does not run, where nobody stopped it.
    problem: Mutex<Option<ManagedError>>,
    fetching: Mutex<Option<CancellationToken>>,
}

impl Host {
    /// Plumbline's own model: what there is of it, and whether it runs.
    pub async fn own_model(&self) -> Result<OwnModel, CommandError> {
        let settings = self.managed()?;
        let folder = self.folder()?;
        let desk = &self.inner.own_model;
        let runs = running(&folder);
        let state = match (desk.starting.load(Ordering::SeqCst), &runs) {
            (true, _) => OwnModelState::Starting,
            (false, Some(_)) => OwnModelState::Running,
            (false, None) => OwnModelState::Stopped,
        };
        let missing = Plan::of(&settings, &folder).err();
        let language = self.texts().language;
        let problem = lock(&desk.problem).clone();
        let problem =
            if state == OwnModelState::Stopped { problem.or_else(|| missing.clone()) } else { None };
        Ok(OwnModel {
            program: find_program(&settings).map(|path| path.display().to_string()),
            model: runs.as_ref().map(|own| own.model.clone()).or_else(|| model_name(&settings, &folder)),
            downloadable: can_be_fetched(&settings, &folder),
            ready: missing.is_none(),
            state,
            address: runs.map(|own| own.address),
            problem: problem.map(|problem| problem.detail().text(language)),
        })
    }

    /// Downloads it, or what is missing of it.
    pub async fn fetch_own_model(
        &self,
        events: impl Fn(Vec<PullProgress>) + Send + Sync + 'static,
    ) -> Result<OwnModel, CommandError> {
        let wanted =
            download(&self.managed()?, &self.folder()?).map_err(|problem| self.of_own_model(&problem))?;
        let stop = self.stop_token().child_token();
        {
            let mut fetching = lock(&self.inner.own_model.fetching);
            if fetching.is_some() {
                let message = self.texts().say(Message::BusyPull, &[("model", &wanted.address)]);
                return Err(failed(HostErrorCode::Busy, message));
            }
            *fetching = Some(stop.clone());
        }
        let batches = Batches::new(events);
        let texts = self.texts();
        let tell = |progress: FetchProgress| match progress {
            FetchProgress::Fetching { done, total } => {
                let status = texts.plain(Message::ManagedFetching);
                batches.push(PullProgress { status, done: Some(done), total });
            }
            FetchProgress::Checking => {
                let status = texts.plain(Message::ManagedChecking);
                batches.push(PullProgress { status, done: None, total: None });
            }
        };
        let result = tokio::select! {
            () = stop.cancelled() => Err(of_question(&AskError::Stopped, texts)),
            result = batches.while_doing(fetch(&wanted, &tell)) => result.map_err(|problem| self.of_own_model(&problem)),
        };
        batches.flush();
        lock(&self.inner.own_model.fetching).take();
        result?;
        self.own_model().await
    }

    /// Stops the download; what has arrived stays.
    pub async fn stop_fetch_own_model(&self) -> Result<(), CommandError> {
        if let Some(stop) = &*lock(&self.inner.own_model.fetching) {
            stop.cancel();
        }
        Ok(())
    }

    /// Starts it, and comes back when it answers.
    pub async fn start_own_model(&self) -> Result<OwnModel, CommandError> {
        let (settings, folder) = (self.managed()?, self.folder()?);
        if !settings.enabled {
            return Err(invalid(self.say(Message::ManagedOff)));
        }
        let desk = &self.inner.own_model;
        if desk.starting.swap(true, Ordering::SeqCst) {
            return self.own_model().await;
        }
        let started = self.started(&settings, &folder).await;
        desk.starting.store(false, Ordering::SeqCst);
        *lock(&desk.problem) = started.as_ref().err().cloned();
        let opened = self.reopen_settings(false).await;
        self.tell_own_model().await;
        started.map_err(|problem| self.of_own_model(&problem))?;
        opened?;
        self.own_model().await
    }

    async fn started(&self, settings: &ManagedSettings, folder: &Path) -> Result<(), ManagedError> {
        let plan = Plan::of(settings, folder)?;
        self.tell_own_model().await;
        let stop = self.stop_token();
        let server = tokio::select! {
            () = stop.cancelled() => return Err(ManagedError::NotRunning),
            started = ManagedServer::start(&plan, &self.inner.options.guard, folder) => Arc::new(started?),
        };
        let mut status = server.status();
        *lock(&self.inner.own_model.server) = Some(server);
        let host = self.clone();
        self.inner.tasks.spawn(async move {
            let ended = status.wait_for(|now| matches!(now, Status::Ended(_))).await;
            let Ok(Status::Ended(Some(why))) = ended.map(|now| now.clone()) else { return };
            tracing::warn!(target: "host", event = "own_model_ended", reason = %why);
            *lock(&host.inner.own_model.problem) = Some(why);
            lock(&host.inner.own_model.server).take();
            // Questions are answered without it, and say so.
            let _ = host.reopen_settings(false).await;
            host.tell_own_model().await;
        });
        Ok(())
    }

    /// Stops it.
    pub async fn stop_own_model(&self) -> Result<OwnModel, CommandError> {
        self.end_own_model().await;
        lock(&self.inner.own_model.problem).take();
        self.reopen_settings(false).await?;
        self.tell_own_model().await;
        self.own_model().await
    }

    /// Ends the process, where there is one of ours.
    pub(crate) async fn end_own_model(&self) {
        let server = lock(&self.inner.own_model.server).take();
        if let Some(server) = server {
            server.stop().await;
        }
    }

    /// Starts it with the window where the user has chosen it and it is all here; ends it where they have not any more.
    pub(crate) async fn follow_own_model(&self) {
        let (Ok(settings), Ok(folder)) = (self.managed(), self.folder()) else { return };
        match settings.enabled {
            false => self.end_own_model().await,
            true if Plan::of(&settings, &folder).is_ok() && running(&folder).is_none() => {
                let host = self.clone();
                self.inner.tasks.spawn(async move {
                    if let Err(problem) = host.start_own_model().await {
                        tracing::warn!(target: "host", event = "own_model_not_started", reason = problem.message.as_str());
                    }
                });
            }
            true => {}
        }
    }

    fn managed(&self) -> Result<ManagedSettings, CommandError> {
        Ok(self.open()?.workspace.given_settings().managed.clone())
    }

    async fn tell_own_model(&self) {
        if let Ok(own_model) = self.own_model().await {
            self.tell(Broadcast::OwnModel { own_model });
        }
    }

    fn of_own_model(&self, problem: &ManagedError) -> CommandError {
        let code = match problem {
            ManagedError::Taken => HostErrorCode::Busy,
            ManagedError::Download { .. } => HostErrorCode::Unreachable,
            ManagedError::File { .. } | ManagedError::NoSuchFile(_) => HostErrorCode::File,
            _ => HostErrorCode::InvalidInput,
        };
        failed(code, problem.detail().text(self.texts().language))
    }
}

fn can_be_fetched(settings: &ManagedSettings, folder: &Path) -> bool {
    settings.file.is_none() && download(settings, folder).is_ok_and(|wanted| !wanted.file.is_file())
}
