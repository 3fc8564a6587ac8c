//! Indexing in the background: one run after the other, each with its progress, and folders that are followed.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use plumbline_contract::{Broadcast, CommandError, Indexing, IndexingSummary};
use plumbline_library::{
    FolderWatch, IndexError, IndexProgress, IndexReport, Indexer, LibraryOrigin, library_origins,
};
use plumbline_workspace::WorkspaceError;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::clock::now;
use crate::error::{internal, of_indexing, of_workspace};
use crate::locks::lock;
use crate::numbers::count;

/// The fact that holds the last run.
pub(crate) const LAST_RUN: &str = "last_run";
/// The fact that holds when each folder was last compared with the index.
pub(crate) const CHECKED: &str = "checked";
/// The window hears of progress so often.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// The rate is that of the last few seconds.
const RATE_OVER: Duration = Duration::from_secs(6);

/// What is being indexed, and what should be next.
#[derive(Default)]
pub(crate) struct IndexingDesk {
    state: Mutex<State>,
    wake: Notify,
}

struct State {
    indexing: Indexing,
    wanted: bool,
    /// Whether the engine is to be opened anew after the run, whatever that finds.
    reopen: bool,
    /// Of the run that is going on.
    stop: Option<CancellationToken>,
    /// Why the last run failed.
    failure: Option<String>,
    /// Which folders are followed, and what ends that.
    followed: Vec<PathBuf>,
    following: CancellationToken,
}

impl Default for State {
    fn default() -> Self {
        Self {
            indexing: Indexing::Idle,
            wanted: false,
            reopen: false,
            stop: None,
            failure: None,
            followed: Vec::new(),
            following: CancellationToken::new(),
        }
    }
}

impl IndexingDesk {
    /// As on the first day.
    pub fn reset(&self) {
        *lock(&self.state) = State::default();
    }

    /// How far indexing is.
    pub fn indexing(&self) -> Indexing {
        lock(&self.state).indexing.clone()
    }

    /// Why the last run failed, where it did.
    pub fn failure(&self) -> Option<String> {
        lock(&self.state).failure.clone()
    }

    pub fn is_running(&self) -> bool {
        let state = lock(&self.state);
        state.stop.is_some() || state.wanted
    }

    /// Has a run begin as soon as none is going on, and the engine opened anew after it: vocabulary, owners and curated
    /// memory come with the folders.
    pub fn want(&self) {
        let mut state = lock(&self.state);
        (state.wanted, state.reopen) = (true, true);
        self.wake.notify_one();
    }

    /// The same when the engine has just been opened: only what the run finds is a reason to do so again.
    pub fn want_comparison(&self) {
        lock(&self.state).wanted = true;
        self.wake.notify_one();
    }

    /// Stops the run that is going on and forgets the one that would come next.
    pub fn stop(&self) {
        let mut state = lock(&self.state);
        state.wanted = false;
        if let Some(stop) = &state.stop {
            stop.cancel();
        }
    }

    pub fn is_followed(&self, folder: &Path) -> bool {
        lock(&self.state).followed.iter().any(|followed| followed.as_path() == folder)
    }

    /// The stop of a run, where one is wanted, and whether the engine is to be opened anew after it.
    fn begin(&self, parent: &CancellationToken) -> Option<(CancellationToken, bool)> {
        let mut state = lock(&self.state);
        if !std::mem::take(&mut state.wanted) || parent.is_cancelled() {
            return None;
        }
        let stop = parent.child_token();
        state.stop = Some(stop.clone());
        Some((stop, std::mem::take(&mut state.reopen)))
    }

    fn end(&self, failure: Option<String>, indexing: Indexing) {
        let mut state = lock(&self.state);
        state.stop = None;
        state.failure = failure;
        state.indexing = indexing;
    }
}

impl Host {
    /// Runs whenever a run is wanted, until the host stops.
    pub(crate) async fn keep_indexing(self) {
        let stop = self.stop_token();
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.inner.indexing.wake.notified() => {}
            }
            while let Some((run, reopen)) = self.inner.indexing.begin(&stop) {
                self.index(run, reopen).await;
            }
        }
    }

    /// Wants a run where the library has folders.
    pub(crate) async fn want_indexing_if_any_folder(&self) {
        let Ok(folder) = self.folder() else { return };
        let origins = self.blocking(move || library_origins(&folder)).await;
        if origins.is_ok_and(|origins| origins.is_ok_and(|origins| !origins.is_empty())) {
            self.inner.indexing.want_comparison();
        }
    }

    async fn index(&self, stop: CancellationToken, reopen: bool) {
        let progress = Arc::new(Progress::new(self.clone()));
        let result = self.run_indexer(stop, Arc::clone(&progress)).await;
        let (failure, indexing) = match &result {
            Ok(report) if report.stopped => (None, Indexing::Stopped { files_left: progress.files_left() }),
            Ok(_) => (None, Indexing::Idle),
            Err(problem) => {
                tracing::error!(target: "indexer", event = "run_failed", reason = problem.message.as_str());
                (Some(problem.message.clone()), Indexing::Idle)
            }
        };
        if let Ok(report) = &result {
            self.keep_summary(report);
        }
        if self.stop_token().is_cancelled() {
            self.inner.indexing.end(failure, indexing);
            return;
        }
        let found = result.as_ref().is_ok_and(|report| {
            report.added + report.changed + report.removed + report.embedded > 0 || report.stopped
        });
        let without_library = self.open().is_ok_and(|open| open.library().is_none());
        if (reopen || found || without_library)
            && let Err(problem) = self.reopen_engine().await
        {
            tracing::error!(target: "host", event = "reopen_failed", reason = problem.message.as_str());
        }
        let _ = self.refresh_state().await;
        self.inner.indexing.end(failure, indexing.clone());
        self.tell(Broadcast::Indexing { indexing });
        self.tell(Broadcast::LibraryChanged);
        self.tell(Broadcast::MemoryChanged);
    }

    async fn run_indexer(
        &self,
        stop: CancellationToken,
        progress: Arc<Progress>,
    ) -> Result<IndexReport, CommandError> {
        let workspace = Arc::clone(&self.open()?.workspace);
        let failed = |problem: WorkspaceError| of_workspace(&problem, self.texts());
        // An embedder that is away for a while must not keep documents from being found by their words.
        let reachable = workspace.embedder().await.is_ok_and(|chosen| chosen.unreachable.is_none());
        let mut options = workspace.index_options(reachable).await.map_err(failed)?;
        options.reader.worker = Some(self.inner.options.worker.clone());
        let (folder, runtime) = (workspace.folder().to_owned(), Handle::current());
        // What a team published may be about to be taken in.
        let writing = Arc::clone(&self.inner.team.follower.writing).lock_owned().await;
        let work = move || -> Result<IndexReport, IndexError> {
            let _writing = writing;
            let mut indexer = Indexer::open(&folder, options, runtime)?;
            indexer.run(&stop, &|step| progress.tell(step))
        };
        self.inner
            .tasks
            .spawn_blocking(work)
            .await
            .map_err(internal)?
            .map_err(|problem| of_indexing(&problem, self.texts()))
    }

    fn keep_summary(&self, report: &IndexReport) {
        let summary = IndexingSummary {
            finished_at: now(),
            added: count(report.added),
            changed: count(report.changed),
            removed: count(report.removed),
            embedded: count(report.embedded),
            reused: count(report.reused),
            seconds: report.seconds,
        };
        let Ok(history) = self.history() else { return };
        let checked = |folder: PathBuf| -> Option<BTreeMap<PathBuf, String>> {
            let mut checked: BTreeMap<PathBuf, String> =
                history.fact(CHECKED).ok().flatten().unwrap_or_default();
            let origins = library_origins(&folder).ok()?;
            checked.retain(|path, _| origins.iter().any(|origin| origin.path == *path));
            let present = origins.into_iter().filter(|origin| origin.present);
            checked.extend(present.map(|origin| (origin.path, summary.finished_at.clone())));
            Some(checked)
        };
        let kept = history.keep_fact(LAST_RUN, &summary).and_then(|()| {
            match (report.stopped, self.folder().ok().and_then(checked)) {
                (false, Some(checked)) => history.keep_fact(CHECKED, &checked),
                _ => Ok(()),
            }
        });
        if let Err(problem) = kept {
            tracing::error!(target: "host", event = "summary_not_kept", reason = %problem);
        }
    }

    /// Follows the folders that the library has now, and no others.
    pub(crate) async fn follow_folders(&self) {
        let following = self.stop_token().child_token();
        let before = std::mem::replace(&mut lock(&self.inner.indexing.state).following, following.clone());
        before.cancel();
        let Ok(folder) = self.folder() else { return };
        let origins = self.blocking(move || library_origins(&folder).unwrap_or_default()).await;
        let mut followed = Vec::new();
        for origin in origins.unwrap_or_default().into_iter().filter(|origin| origin.present) {
            let places = places(&origin);
            match self.blocking(move || FolderWatch::begin(&places)).await {
                Ok(Ok(watch)) => {
                    followed.push(origin.path);
                    // Whoever follows folders must not keep the host alive: it ends with the host.
                    let (host, stop) = (Arc::downgrade(&self.inner), following.clone());
                    self.inner.tasks.spawn_blocking(move || {
                        while watch.wait(&stop) {
                            let Some(host) = host.upgrade() else { return };
                            host.indexing.want();
                        }
                    });
                }
                Ok(Err(problem)) => {
                    tracing::warn!(target: "host", event = "folder_not_followed", reason = %problem)
                }
                Err(_) => return,
            }
        }
        lock(&self.inner.indexing.state).followed = followed;
    }
}

/// The folder of an origin, and the trees that it takes documents from elsewhere.
fn places(origin: &LibraryOrigin) -> Vec<PathBuf> {
    let elsewhere = origin.sources.iter().filter(|source| !source.path.starts_with(&origin.folder));
    let there = elsewhere.map(|source| source.path.clone()).filter(|path| path.is_dir());
    std::iter::once(origin.folder.clone()).chain(there).collect()
}

/// Turns a run's steps into what the window shows.
struct Progress {
    host: Host,
    runtime: Handle,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    told: Option<Instant>,
    /// When how many passages were written, lately.
    written: VecDeque<(Instant, usize)>,
    files_left: u32,
    opened: bool,
}

impl Progress {
    fn new(host: Host) -> Self {
        Self { host, runtime: Handle::current(), seen: Mutex::default() }
    }

    fn files_left(&self) -> u32 {
        lock(&self.seen).files_left
    }

    fn tell(&self, step: IndexProgress) {
        let mut seen = lock(&self.seen);
        let at = Instant::now();
        let (indexing, last) = match step {
            IndexProgress::Reading { done, total } => {
                seen.files_left = count(total.saturating_sub(done));
                (Indexing::Reading { done: count(done), total: count(total) }, done == total)
            }
            IndexProgress::Writing { files, total_files, chunks, total_chunks } => {
                seen.files_left = count(total_files.saturating_sub(files));
                let rate = seen.rate(at, chunks);
                let left = total_chunks.saturating_sub(chunks) as f64;
                let indexing = Indexing::Writing {
                    files: count(files),
                    total_files: count(total_files),
                    passages: count(chunks),
                    total_passages: count(total_chunks),
                    rate: rate.unwrap_or(0.0),
                    seconds_left: rate.filter(|rate| *rate > 0.0).map(|rate| (left / rate).ceil() as u64),
                };
                (indexing, chunks == total_chunks)
            }
            IndexProgress::Committed { .. } => {
                let opened = std::mem::replace(&mut seen.opened, true);
                drop(seen);
                return self.committed(!opened);
            }
        };
        if !last && seen.told.is_some_and(|told| at.duration_since(told) < TELL_EVERY) {
            return;
        }
        seen.told = Some(at);
        drop(seen);
        lock(&self.host.inner.indexing.state).indexing = indexing.clone();
        self.host.tell(Broadcast::Indexing { indexing });
    }

    /// What is there already can be asked; the first generation of all needs an engine that knows of it.
    fn committed(&self, first: bool) {
        let host = self.host.clone();
        let without_library = host.open().is_ok_and(|open| open.library().is_none());
        if !(first && without_library) {
            return host.tell(Broadcast::LibraryChanged);
        }
        self.runtime.spawn(async move {
            if host.reopen_engine().await.is_ok() {
                host.tell(Broadcast::LibraryChanged);
            }
        });
    }
}

impl Seen {
    fn rate(&mut self, at: Instant, written: usize) -> Option<f64> {
        self.written.push_back((at, written));
        while self.written.len() > 2 && at.duration_since(self.written[0].0) > RATE_OVER {
            self.written.pop_front();
        }
        let (began, before) = self.written[0];
        let seconds = at.duration_since(began).as_secs_f64();
        (seconds > 0.5 && written > before).then(|| (written - before) as f64 / seconds)
    }
}
