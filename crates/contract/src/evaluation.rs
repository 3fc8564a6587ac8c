use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::metrics::Tally;

/// Whose questions are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GoldenSetOrigin {
    /// Those that come with the sample library.
    Sample,
    /// Those of a file that the user chose.
    Own,
}

/// The questions that are run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GoldenSet {
    /// Whose they are.
    pub origin: GoldenSetOrigin,
    /// The file.
    pub path: String,
    /// Its version; empty where it has none.
    pub version: String,
    /// Its hash.
    pub sha256: String,
    /// How many questions it holds.
    pub questions: u32,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EvaluationProgress {
    /// Questions asked.
    pub done: u32,
    /// Questions in all.
    pub total: u32,
    /// Of those asked, how many failed.
    pub failed: u32,
    /// The question being asked.
    pub current: String,
}

/// How well a group of questions was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GroupScore {
    /// The collection or category; `overall` for all.
    pub name: String,
    /// Questions.
    pub questions: u32,
    /// Of these, answered as expected.
    pub passed: u32,
    /// Cited documents that were expected, of all cited; absent where nothing is to be cited.
    pub precision: Option<f64>,
    /// Expected documents that were cited.
    pub recall: Option<f64>,
    /// Both in one.
    pub f1: Option<f64>,
}

/// A question that was not answered as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EvaluationFailure {
    /// Its id in the golden set.
    pub id: String,
    /// The question.
    pub query: String,
    /// Its category.
    pub category: String,
    /// What was expected, in words.
    pub expected: String,
    /// What came, in words.
    pub got: String,
    /// Whether it passed in the run before.
    pub regression: bool,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EvaluationReport {
    /// When it ended, ISO 8601.
    pub finished_at: String,
    /// How long it took.
    pub seconds: f64,
    /// The hash of the golden set that was run.
    pub golden_set_sha256: String,
    /// The model that answered; absent for extracts.
    pub model: Option<String>,
    /// Over all questions.
    pub overall: GroupScore,
    /// By collection.
    pub by_collection: Vec<GroupScore>,
    /// By category.
    pub by_category: Vec<GroupScore>,
    /// By half: `fitted`, which may be looked at, `reported`, which is only reported, and `no_document` for questions
    /// that belong to neither; runs of earlier versions do not tell.
    #[serde(default)]
    pub by_half: Vec<GroupScore>,
    /// Refusals, by reason.
    pub abstentions: Vec<Tally>,
    /// Half of the answers took no longer, in milliseconds.
    pub latency_p50: f64,
    /// 95 % took no longer.
    pub latency_p95: f64,
    /// 99 % took no longer.
    pub latency_p99: f64,
    /// Questions that were not answered as expected.
    pub failures: Vec<EvaluationFailure>,
    /// Ids of questions that failed in the run before and pass now.
    pub mended: Vec<String>,
}

/// The evaluation view's state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Evaluation {
    /// The questions that are run; absent where none were chosen and the library does not hold the sample.
    pub golden_set: Option<GoldenSet>,
    /// Why the chosen file cannot be read; absent where it can.
    pub unreadable: Option<String>,
    /// Whether the sample library's questions can be run.
    pub sample_available: bool,
    /// How far the run is; absent where none is going on.
    pub running: Option<EvaluationProgress>,
    /// The last finished run.
    pub last: Option<EvaluationReport>,
    /// The run before it, to compare with.
    pub previous: Option<EvaluationReport>,
}
