use std::collections::BTreeSet;
use std::path::PathBuf;

use plumbline_contract::{
    CommandError, Evaluation, EvaluationFailure, EvaluationReport, GoldenSet, GoldenSetOrigin, GroupScore,
    HostErrorCode, Tally,
};
use plumbline_core::messages::Message;
use plumbline_evaluation::golden::{GoldenFile, GoldenQuery};
use plumbline_evaluation::quality::{Asked, Failure, QualityReport, Score};
use serde_json::Value;

use crate::error::{failed, invalid};
use crate::evaluating::{GOLDEN_SET, LAST, PREVIOUS, hash_of, info_of, read_set};
use crate::library::count;
use crate::{FileKind, Host};

impl Host {
    /// The golden set, a run that is going on, and the last two.
    pub async fn evaluation(&self) -> Result<Evaluation, CommandError> {
        let history = self.history()?;
        let read = match self.golden_set_file()? {
            Some((origin, file)) => {
                self.blocking(move || read_set(&file).map(|read| Some(info_of(origin, &read)))).await?
            }
            None => Ok(None),
        };
        let (golden_set, unreadable) = match read {
            Ok(set) => (set, None),
            Err(problem) => (None, Some(problem.message)),
        };
        Ok(Evaluation {
            golden_set,
            unreadable,
            sample_available: self.sample_golden_set().is_some(),
            running: self.inner.evaluating.progress(),
            last: history.fact(LAST)?,
            previous: history.fact(PREVIOUS)?,
        })
    }

    /// Asks the user for a golden set of their own; nothing where they changed their mind.
    pub async fn pick_golden_set(&self) -> Result<Option<GoldenSet>, CommandError> {
        let Some(path) = self.inner.desktop.pick_file(FileKind::GoldenSet).await else { return Ok(None) };
        let chosen = path.clone();
        let read = self.blocking(move || read_set(&chosen)).await??;
        self.history()?.keep_fact(GOLDEN_SET, &path)?;
        Ok(Some(info_of(GoldenSetOrigin::Own, &read)))
    }

    /// Goes back from a file of the user's own to the sample library's golden set.
    pub async fn use_sample_golden_set(&self) -> Result<(), CommandError> {
        if self.sample_golden_set().is_none() {
            return Err(invalid(self.say(Message::MissingGoldenSet)));
        }
        Ok(self.history()?.keep_fact(GOLDEN_SET, &None::<PathBuf>)?)
    }

    /// Runs the golden set; how far it is comes as a broadcast.
    pub async fn start_evaluation(&self) -> Result<(), CommandError> {
        if self.open()?.library().is_none() {
            return Err(invalid(self.say(Message::LibraryEmpty)));
        }
        let Some((_, file)) = self.golden_set_file()? else {
            return Err(invalid(self.say(Message::MissingGoldenSet)));
        };
        let read = self.blocking(move || read_set(&file)).await??;
        let stop = self.stop_token().child_token();
        if !self.inner.evaluating.begin(count(read.set.queries.len()), &stop) {
            return Err(failed(HostErrorCode::Busy, self.say(Message::BusyEvaluation)));
        }
        self.inner.tasks.spawn(self.clone().run_golden_set(read, stop));
        Ok(())
    }

    /// Stops the run; nothing is kept of it.
    pub async fn stop_evaluation(&self) -> Result<(), CommandError> {
        self.inner.evaluating.stop();
        Ok(())
    }
}

/// A finished run as the window shows it, compared with the one before where that asked the same set.
pub(crate) fn report_of(
    quality: &QualityReport,
    read: &GoldenFile,
    asked: &[Asked<'_>],
    seconds: f64,
    previous: Option<&EvaluationReport>,
) -> EvaluationReport {
    let metrics = &quality.metrics;
    let sha256 = hash_of(read);
    let before: Option<BTreeSet<&str>> = previous
        .filter(|previous| previous.golden_set_sha256 == sha256)
        .map(|previous| previous.failures.iter().map(|failure| failure.id.as_str()).collect());
    let failing: BTreeSet<&str> = quality.failures.iter().map(|failure| failure.id.as_str()).collect();
    let failures = quality.failures.iter().map(|failure| EvaluationFailure {
        id: failure.id.clone(),
        query: failure.query.clone(),
        category: query_of(read, &failure.id)
            .map_or_else(String::new, |query| query.category.as_str().to_owned()),
        expected: expected(failure),
        got: got(failure),
        regression: before.as_ref().is_some_and(|before| !before.contains(failure.id.as_str())),
    });
    let mended = before.iter().flatten().filter(|id| !failing.contains(*id)).map(|id| (*id).to_owned());
    let reasons = metrics
        .abstention
        .by_reason
        .iter()
        .map(|(label, share)| Tally { label: label.clone(), count: (share * asked.len() as f64).round() });
    EvaluationReport {
        finished_at: quality.meta.timestamp.clone(),
        seconds,
        golden_set_sha256: sha256,
        model: quality.meta.model.clone(),
        overall: group("overall", &metrics.overall),
        by_collection: metrics.by_collection.iter().map(|(name, score)| group(name, score)).collect(),
        by_category: metrics
            .by_category
            .iter()
            .map(|(category, counted)| GroupScore {
                name: category.as_str().to_owned(),
                questions: count(counted.count),
                passed: count(counted.passed),
                precision: None,
                recall: None,
                f1: None,
            })
            .collect(),
        abstentions: reasons.collect(),
        latency_p50: metrics.latency.p50_ms,
        latency_p95: metrics.latency.p95_ms,
        latency_p99: metrics.latency.p99_ms,
        failures: failures.collect(),
        mended: mended.collect(),
    }
}

fn query_of<'r>(read: &'r GoldenFile, id: &str) -> Option<&'r GoldenQuery> {
    read.set.queries.iter().find(|query| query.id == id)
}

fn group(name: &str, score: &Score) -> GroupScore {
    GroupScore {
        name: name.to_owned(),
        questions: count(score.count),
        passed: count(score.passed),
        precision: Some(score.precision),
        recall: Some(score.recall),
        f1: Some(score.f1),
    }
}

/// What a right answer holds, in a line: the parts of the expectation that say something.
fn expected(failure: &Failure) -> String {
    let Value::Object(expected) = &failure.expected else { return String::new() };
    let told = expected.iter().filter(|(_, value)| says_something(value));
    told.map(|(name, value)| format!("{name}: {}", shown(value))).collect::<Vec<_>>().join("; ")
}

/// What came, and what is wrong with it.
fn got(failure: &Failure) -> String {
    let reason = serde_json::to_value(failure.reason).unwrap_or_default();
    let mut parts = vec![shown(&reason)];
    for name in ["error", "action", "refusal_reason", "cited"] {
        match failure.actual.get(name) {
            Some(value) if says_something(value) => parts.push(format!("{name}: {}", shown(value))),
            _ => {}
        }
    }
    parts.join("; ")
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
