//! The golden set, run in the background.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use plumbline_contract::{
    Broadcast, CommandError, Evaluation, EvaluationProgress, EvaluationReport, GoldenSet,
};
use plumbline_evaluation::golden::{self, blob_hash};
use plumbline_evaluation::quality::{Meta, QualityReport, Step, ask_all, judge};
use plumbline_telemetry::{SystemClock, sha256_hex};
use plumbline_workspace::Workspace;
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::error::{internal, invalid, of_file, of_workspace};
use crate::evaluation::report_of;
use crate::host::{lock, now};
use crate::library::count;

/// The fact that holds the golden set's file.
pub(crate) const GOLDEN_SET: &str = "golden_set";
/// The facts that hold the last run and the one before.
pub(crate) const LAST: &str = "evaluation_last";
pub(crate) const PREVIOUS: &str = "evaluation_previous";
/// The file beside a set that names its version.
const VERSION: &str = "VERSION";
/// The sample library's golden set, beside its folder.
const SAMPLE_SET: &str = "evaluation/golden_queries.jsonl";

/// The run that is going on.
#[derive(Default)]
pub(crate) struct EvaluationDesk {
    running: Mutex<Option<(EvaluationProgress, CancellationToken)>>,
}

impl EvaluationDesk {
    pub fn progress(&self) -> Option<EvaluationProgress> {
        lock(&self.running).as_ref().map(|(progress, _)| progress.clone())
    }

    pub fn stop(&self) {
        if let Some((_, stop)) = &*lock(&self.running) {
            stop.cancel();
        }
    }

    /// Begins a run unless one is going on.
    pub fn begin(&self, total: u32, stop: &CancellationToken) -> bool {
        let mut running = lock(&self.running);
        let free = running.is_none();
        if free {
            let progress = EvaluationProgress { done: 0, total, failed: 0, current: String::new() };
            *running = Some((progress, stop.clone()));
        }
        free
    }

    fn change(&self, change: impl FnOnce(&mut EvaluationProgress)) {
        if let Some((progress, _)) = &mut *lock(&self.running) {
            change(progress);
        }
    }

    fn end(&self) {
        lock(&self.running).take();
    }
}

/// A golden set as it was read.
pub(crate) struct ReadSet {
    pub set: golden::GoldenSet,
    pub info: GoldenSet,
    text: String,
}

/// Reads a golden set with what is known of it.
pub(crate) fn read_set(path: &Path) -> Result<ReadSet, CommandError> {
    let text = std::fs::read_to_string(path).map_err(|problem| of_file(path, problem))?;
    let set = golden::GoldenSet::parse(&text)
        .map_err(|problem| invalid(format!("{}: {problem}", path.display())))?;
    let version = std::fs::read_to_string(path.with_file_name(VERSION)).unwrap_or_default();
    let info = GoldenSet {
        path: path.display().to_string(),
        version: version.trim().to_owned(),
        sha256: sha256_hex(&text),
        questions: count(set.queries.len()),
    };
    Ok(ReadSet { set, info, text })
}

impl Host {
    /// The file of the golden set: the one that was chosen, else the sample's where the library holds the sample.
    pub(crate) fn golden_set_file(&self) -> Result<Option<PathBuf>, CommandError> {
        if let Some(chosen) = self.history()?.fact::<PathBuf>(GOLDEN_SET)? {
            return Ok(Some(chosen));
        }
        let sample =
            self.inner.options.sample_library.as_ref().filter(|_| lock(&self.inner.state).sample_library);
        let beside = sample.and_then(|folder| Some(folder.parent()?.join(SAMPLE_SET)));
        Ok(beside.filter(|file| file.is_file()))
    }

    pub(crate) fn tell_evaluation(&self, evaluation: Evaluation) {
        self.tell(Broadcast::Evaluation { evaluation: Box::new(evaluation) });
    }

    /// Asks all questions of a set and keeps the report, unless it is stopped.
    pub(crate) async fn run_golden_set(self, read: ReadSet, stop: CancellationToken) {
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
        read: &ReadSet,
        stop: &CancellationToken,
    ) -> Result<Option<EvaluationReport>, CommandError> {
        let failed = |problem| of_workspace(problem, self.words());
        // A workspace of its own: what is asked to measure must not count as what users asked.
        let workspace = Workspace::open(self.inner.options.workspace.clone()).map_err(failed)?;
        let opened = workspace.engine().await.map_err(failed)?;
        let shown = Arc::new(Mutex::new(self.evaluation().await?));
        let began = Instant::now();
        let told = |step: Step<'_, '_>| {
            self.inner.evaluating.change(|progress| match &step {
                Step::Asking(query) => progress.current.clone_from(&query.query),
                Step::Asked(asked) => {
                    progress.done += 1;
                    progress.failed += u32::from(judge(asked.query, &asked.answer).fault.is_some());
                }
            });
            let mut evaluation = lock(&shown).clone();
            evaluation.running = self.inner.evaluating.progress();
            self.tell_evaluation(evaluation);
        };
        let asked = ask_all(&opened.engine, &read.set, None, &SystemClock, stop, told).await;
        if asked.len() < read.set.queries.len() {
            return Ok(None);
        }
        let family = opened.embedder.as_ref().map_or("Lexical", |one| one.key.family.as_str());
        let meta = Meta {
            timestamp: now(),
            config_hash: opened.engine.config_hash(),
            golden_set_hash: blob_hash(&read.text),
            golden_set_version: read.info.version.clone(),
            embedder: opened.embedder.as_ref().map(|one| one.key.fingerprint.clone()).unwrap_or_default(),
            model: opened.engine.settings().models.answer.clone(),
            total_queries: 0,
            pass_count: 0,
            fail_count: 0,
        };
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
