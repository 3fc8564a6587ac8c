use plumbline_core::breaker::BreakerState;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How often something happened, by its label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Tally {
    /// The label.
    pub label: String,
    /// How often.
    pub count: f64,
}

/// How long something took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct Latency {
    /// Half took no longer.
    pub p50: f64,
    /// 95 % took no longer.
    pub p95: f64,
    /// How many were measured.
    pub count: u64,
}

/// The latency of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StageLatency {
    /// The stage.
    pub stage: String,
    /// How long it took.
    pub latency: Latency,
}

/// Look-ups in one vocabulary backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LookupTally {
    /// `skosmos` or `embedded`.
    pub backend: String,
    /// Look-ups.
    pub lookups: f64,
    /// That found the term.
    pub hits: f64,
    /// That did not.
    pub misses: f64,
    /// That took too long.
    pub timeouts: f64,
    /// That failed.
    pub errors: f64,
    /// Answered from the cache, beside the look-ups.
    pub cache_hits: f64,
}

/// A circuit breaker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BreakerStatus {
    /// The service.
    pub service: String,
    /// Whether it is asked.
    pub state: BreakerState,
    /// How often it opened.
    pub trips: f64,
    /// Whole seconds until it is tried again.
    pub retry_in_seconds: u64,
}

/// The rates to watch, 0 to 1; absent where nothing has been counted yet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct WatchedRates {
    /// Questions refused for lack of context, of all questions.
    pub no_context: Option<f64>,
    /// Fact look-ups that found their fact.
    pub fact_lookups_ok: Option<f64>,
    /// Answers with citations, of all answers.
    pub answers_with_sources: Option<f64>,
    /// Mean confidence of the chosen intent.
    pub mean_routing_confidence: Option<f64>,
    /// Positive ratings, of all ratings.
    pub feedback_positive: Option<f64>,
}

/// What is searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IndexFigures {
    /// Documents.
    pub documents: u64,
    /// Passages.
    pub passages: u64,
    /// The generation that is searched.
    pub generation: u64,
    /// The model that embeds.
    pub embedder: String,
    /// Bytes on disk.
    pub bytes: u64,
}

/// A point of the metrics panel's curves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MetricsSample {
    /// When it was taken, ISO 8601.
    pub at: String,
    /// Questions asked by then.
    pub requests: f64,
    /// From question to response, the median in milliseconds.
    pub p50: Option<f64>,
    /// The same, of which 95 in a hundred stay below.
    pub p95: Option<f64>,
}

/// All that the metrics panel shows, since the workspace began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MetricsSnapshot {
    /// When it was taken, ISO 8601.
    pub taken_at: String,
    /// Questions asked, by route.
    pub requests: Vec<Tally>,
    /// Responses given, by action.
    pub answers: Vec<Tally>,
    /// From question to response; absent where none was measured.
    pub latency: Option<Latency>,
    /// By stage.
    pub stages: Vec<StageLatency>,
    /// Questions refused, by reason.
    pub abstentions: Vec<Tally>,
    /// Look-ups in the vocabulary.
    pub lookups: Vec<LookupTally>,
    /// Circuit breakers.
    pub breakers: Vec<BreakerStatus>,
    /// Citations shown, by lane.
    pub citations_kept: Vec<Tally>,
    /// Citation markers dropped, by reason.
    pub citations_dropped: Vec<Tally>,
    /// Sentences withheld, by label.
    pub withheld: Vec<Tally>,
    /// Ratings of users.
    pub feedback: Vec<Tally>,
    /// The rates to watch.
    pub rates: WatchedRates,
    /// What is searched.
    pub index: IndexFigures,
    /// The curves of requests and waiting times, the oldest point first, this one included.
    pub samples: Vec<MetricsSample>,
}

/// How metrics are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MetricsFormat {
    /// JSON.
    Json,
    /// Prometheus' text format.
    Prometheus,
}
