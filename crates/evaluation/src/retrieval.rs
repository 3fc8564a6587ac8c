//! How well the lanes find what they should, on a set in BEIR's form.
//!
//! [`BeirSet::read`] reads the set; whoever runs the evaluation indexes its documents into a library and says which
//! document of the library is which of the set. [`evaluate`] then asks the engine's own lanes and ranking.

mod beir;
mod metrics;
mod rankings;
mod report;

use std::collections::{BTreeMap, HashSet};

use plumbline_core::domain::{Candidate, DocumentId, Lane};
use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::ports::{Clock, Scope};
use thiserror::Error;

pub use beir::{BeirDocument, BeirQuery, BeirSet, Judgements};
pub use metrics::{mean, ndcg, percentile, recall, reciprocal_rank};
pub use rankings::{FoundChunk, QueryRankings};
pub use report::{Cuts, LaneReport, LanesReport, Latency, RetrievalReport};

/// The ranks that nDCG looks at.
pub const NDCG_CUT: usize = 10;

/// The ranks that the reciprocal rank and the recall look at.
pub const DEEP_CUT: usize = 100;

/// Why an evaluation cannot be finished.
#[derive(Debug, Error)]
pub enum RetrievalError {
    /// No question has a relevant document, so there is nothing to measure.
    #[error("no question of the set has a relevant document: check qrels against queries.jsonl")]
    NothingJudged,
    /// A question could not be searched for.
    #[error("question `{query}` could not be searched for: {source}")]
    Search {
        /// Its id.
        query: String,
        /// Why.
        source: AskError,
    },
    /// The library holds something else than the set.
    #[error(
        "the library holds the document `{document}`, which is not of the set: index the set into a library of its own"
    )]
    ForeignDocument {
        /// The library's document.
        document: DocumentId,
    },
}

/// Asks every question that has a relevant document, one after the other. `documents` names the set's document that
/// each document of the library holds; `done` hears what the lanes found for each question.
pub async fn evaluate(
    engine: &Engine,
    set: &BeirSet,
    documents: &BTreeMap<DocumentId, String>,
    scope: &Scope,
    clock: &dyn Clock,
    mut done: impl FnMut(QueryRankings),
) -> Result<RetrievalReport, RetrievalError> {
    let mut lanes: [Vec<LaneReport>; 3] = Default::default();
    let mut latencies = Vec::new();
    let mut fallbacks: BTreeMap<String, usize> = BTreeMap::new();
    for (query, judgements) in set.judged() {
        let before = clock.monotonic();
        let retrieved = engine
            .retrieve(&query.text, scope, DEEP_CUT)
            .await
            .map_err(|source| RetrievalError::Search { query: query.id.clone(), source })?;
        latencies.push(clock.monotonic().saturating_sub(before).as_secs_f64() * 1000.0);
        let nothing = Vec::new();
        let of_lane = |lane| retrieved.lanes.get(&lane).unwrap_or(&nothing);
        let rankings = [of_lane(Lane::Dense), of_lane(Lane::Lexical), &retrieved.whole];
        for (measured, ranking) in lanes.iter_mut().zip(rankings) {
            measured.push(LaneReport::of(&documents_of(ranking, documents)?, judgements));
        }
        done(QueryRankings::of(&query.id, judgements, &retrieved, documents));
        for flag in retrieved.fallback_flags {
            *fallbacks.entry(flag).or_default() += 1;
        }
    }
    if latencies.is_empty() {
        return Err(RetrievalError::NothingJudged);
    }
    let [dense, lexical, whole] = lanes.map(|measured| LaneReport::mean(&measured));
    Ok(RetrievalReport {
        queries: latencies.len(),
        lanes: LanesReport { dense, lexical, whole },
        latency_ms: Latency::of(latencies),
        documents: set.documents.len(),
        cuts: Cuts::default(),
        fallbacks,
    })
}

/// The documents of a ranking of chunks, each where its best chunk stands.
fn documents_of<'d>(
    ranking: &[Candidate],
    documents: &'d BTreeMap<DocumentId, String>,
) -> Result<Vec<&'d str>, RetrievalError> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for candidate in ranking {
        let document = &candidate.chunk.document.id;
        let id = documents
            .get(document)
            .ok_or_else(|| RetrievalError::ForeignDocument { document: document.clone() })?;
        if seen.insert(id) {
            found.push(id.as_str());
        }
    }
    Ok(found)
}
