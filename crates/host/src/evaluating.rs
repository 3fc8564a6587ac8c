//! The one run that may go on, and the golden set, run in the background.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use plumbline_contract::{Broadcast, CommandError, Evaluation, EvaluationProgress, EvaluationReport};
use plumbline_evaluation::golden::GoldenFile;
use plumbline_evaluation::quality::{Meta, QualityReport, Step, ask_all, judge};
use plumbline_telemetry::SystemClock;
use plumbline_workspace::{Workspace, WorkspaceError};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::error::{internal, of_workspace};
use crate::evaluation_report::{LAST, PREVIOUS, report_of};
use crate::locks::lock;

/// The window hears of progress so often.
pub(crate) const TELL_EVERY: Duration = Duration::from_millis(150);

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    GoldenSet,
    DevelopmentSet,
}

/// The run that is going on. There is one at most: two would tell each other's times.
#[derive(Default)]
pub(crate) struct EvaluationDesk {
    running: Mutex<Option<Running>>,
}

struct Running {
    asked: Asked,
    progress: EvaluationProgress,
    stop: CancellationToken,
}

impl EvaluationDesk {
    /// How far the run of this set is.
    pub fn progress(&self, asked: Asked) -> Option<EvaluationProgress> {
        let running = lock(&self.running);
        running.as_ref().filter(|running| running.asked == asked).map(|running| running.progress.clone())
    }

    pub fn stop(&self) {
        if let Some(running) = &*lock(&self.running) {
            running.stop.cancel();
        }
    }

    /// Begins a run unless one is going on.
    pub fn begin(&self, asked: Asked, total: u32, stop: &CancellationToken) -> bool {
        let mut running = lock(&self.running);
        let free = running.is_none();
        if free {
            let progress = EvaluationProgress { done: 0, total, failed: 0, current: String::new() };
            *running = Some(Running { asked, progress, stop: stop.clone() });
        }
        free
    }

    pub fn change(&self, change: impl FnOnce(&mut EvaluationProgress)) {
        if let Some(running) = &mut *lock(&self.running) {
            change(&mut running.progress);
        }
    }

    pub fn end(&self) {
        lock(&self.running).take();
    }
}

impl Host {
    pub(crate) fn tell_evaluation(&self, evaluation: Evaluation) {
        self.tell(Broadcast::Evaluation { evaluation: Box::new(evaluation) });
    }

    /// Asks all questions of a set and keeps the report, unless it is stopped.
    pub(crate) async fn run_golden_set(self, read: GoldenFile, stop: CancellationToken) {
        let report = self.ask_golden_set(&read, &stop).await;
        let kept = match report {
            Ok(Some(report)) => self.keep_report(&report),
            Ok(None) => Ok(()),
            Err(problem) => Err(problem),
        };
        if let Err(problem) = kept {
            tracing::error!(target: "host", event = "evaluation_failed", reason = problem.message.as_str());
        }
        self.inner.evaluating.end();
        if let Ok(evaluation) = self.evaluation().await {
            self.tell_evaluation(evaluation);
        }
    }

    async fn ask_golden_set(
        &self,
        read: &GoldenFile,
        stop: &CancellationToken,
    ) -> Result<Option<EvaluationReport>, CommandError> {
        let unopened = |problem: WorkspaceError| of_workspace(&problem, self.texts());
        // A workspace of its own: what is asked to measure must not count as what users asked.
        let workspace = Workspace::open(self.inner.options.workspace.clone()).map_err(unopened)?;
        let opened = workspace.engine().await.map_err(unopened)?;
        let mut shown = self.evaluation().await?;
        let (began, mut last_told) = (Instant::now(), None::<Instant>);
        let told = |step: Step<'_, '_>| {
            self.inner.evaluating.change(|progress| match &step {
                Step::Asking(query) => progress.current.clone_from(&query.query),
                Step::Asked(asked) => {
                    progress.done += 1;
                    progress.failed += u32::from(judge(asked.query, &asked.answer).fault.is_some());
                }
            });
            if last_told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
                last_told = Some(Instant::now());
                shown.running = self.inner.evaluating.progress(Asked::GoldenSet);
                self.tell_evaluation(shown.clone());
            }
        };
        let asked = ask_all(&opened.engine, &read.set, None, &SystemClock, stop, told).await;
        if asked.len() < read.set.queries.len() {
            return Ok(None);
        }
        let family = opened.embedder.as_ref().map_or("Lexical", |one| one.key.family.as_str());
        let fingerprint = opened.embedder.as_ref().map(|one| one.key.fingerprint.clone());
        let meta = Meta::of(read, &opened.engine, fingerprint.unwrap_or_default(), None, &SystemClock);
        let quality = QualityReport::of(&asked, meta, family);
        let previous: Option<EvaluationReport> = self.history()?.fact(LAST)?;
        let report = report_of(&quality, read, &asked, began.elapsed().as_secs_f64(), previous.as_ref());
        Ok(Some(report))
    }

    fn keep_report(&self, report: &EvaluationReport) -> Result<(), CommandError> {
        let history = self.history()?;
        if let Some(before) = history.fact::<EvaluationReport>(LAST)? {
            history.keep_fact(PREVIOUS, &before)?;
        }
        history.keep_fact(LAST, report).map_err(internal)
    }
}
