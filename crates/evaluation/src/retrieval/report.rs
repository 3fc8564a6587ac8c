use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::beir::Judgements;
use super::metrics::{mean, ndcg, percentile, recall, reciprocal_rank};
use super::{DEEP_CUT, NDCG_CUT};

/// What `eval retrieval` writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RetrievalReport {
    /// How many questions were asked: those with a relevant document.
    pub queries: usize,
    /// How well each lane does alone, and all together.
    pub lanes: LanesReport,
    /// How long a question took, from its text to the ranking.
    pub latency_ms: Latency,
    /// How many documents were searched.
    pub documents: usize,
    /// How many documents of a ranking each measure looks at.
    pub cuts: Cuts,
    /// How many questions met something that was off, by what it was. Where it is not empty, the figures are not those
    /// of a sound system.
    pub fallbacks: BTreeMap<String, usize>,
}

/// The lanes that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LanesReport {
    /// Vector search alone.
    pub dense: LaneReport,
    /// BM25 alone.
    pub lexical: LaneReport,
    /// The order that an answer would use.
    pub whole: LaneReport,
}

/// The measures of one ranking, or their means over questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LaneReport {
    /// nDCG over the first 10 documents.
    pub ndcg10: f64,
    /// The reciprocal rank of the first relevant document among the first 100.
    pub mrr: f64,
    /// The share of the relevant documents among the first 100.
    pub recall100: f64,
}

impl LaneReport {
    /// Of one ranking of documents.
    #[must_use]
    pub fn of(ranking: &[&str], judgements: &Judgements) -> Self {
        Self {
            ndcg10: ndcg(ranking, judgements, NDCG_CUT),
            mrr: reciprocal_rank(ranking, judgements, DEEP_CUT),
            recall100: recall(ranking, judgements, DEEP_CUT),
        }
    }

    /// The means over questions.
    #[must_use]
    pub fn mean(measured: &[Self]) -> Self {
        Self {
            ndcg10: mean(measured.iter().map(|lane| lane.ndcg10)),
            mrr: mean(measured.iter().map(|lane| lane.mrr)),
            recall100: mean(measured.iter().map(|lane| lane.recall100)),
        }
    }
}

/// Percentiles of the time that questions took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Half of them took no longer.
    pub p50: f64,
    /// 95 of 100 took no longer.
    pub p95: f64,
    /// 99 of 100 took no longer.
    pub p99: f64,
}

impl Latency {
    /// Of these times.
    #[must_use]
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { p50: percentile(&times, 0.50), p95: percentile(&times, 0.95), p99: percentile(&times, 0.99) }
    }
}

/// How many documents of a ranking each measure looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cuts {
    /// nDCG.
    pub ndcg: usize,
    /// Reciprocal rank.
    pub mrr: usize,
    /// Recall.
    pub recall: usize,
}

impl Default for Cuts {
    fn default() -> Self {
        Self { ndcg: NDCG_CUT, mrr: DEEP_CUT, recall: DEEP_CUT }
    }
}
