//! A finished run of the golden set, as the window shows it and as it is kept.

use std::collections::BTreeSet;

use plumbline_contract::{EvaluationFailure, EvaluationReport, GroupScore, Tally};
use plumbline_evaluation::golden::{GoldenFile, GoldenQuery};
use plumbline_evaluation::quality::{AskedQuestion, Failure, QualityReport, Score};
use serde_json::Value;

use crate::golden_sets::hash_of;
use crate::numbers::count;

/// The facts that hold the last run and the one before.
pub(crate) const LAST: &str = "evaluation_last";
pub(crate) const PREVIOUS: &str = "evaluation_previous";

/// A finished run as the window shows it, compared with the one before where that asked the same set.
pub(crate) fn report_of(
    quality: &QualityReport,
    read: &GoldenFile,
    asked: &[AskedQuestion<'_>],
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
        by_half: metrics.by_half.iter().map(|(half, score)| group(half.as_str(), score)).collect(),
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
