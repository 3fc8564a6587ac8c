//! The ways into the library, side by side, each with its own deadline and status.

use std::future::Future;
use std::time::Duration;

use plumbline_telemetry::names;
use tracing::warn;

use super::reason::Outcome;
use super::services::Services;
use super::turn::{Turn, milliseconds};
use crate::detail::Detail;
use crate::domain::{Collection, DocumentId, EmbedderFamily, Lane, Language};
use crate::error::AskError;
use crate::messages::Message;
use crate::ports::{Embedder, Hit, LexicalQuery, OutOfReach, PortError, Scope};
use crate::response::Stage;
use crate::retrieval::Pool;

/// What the lanes are asked.
pub(super) struct LaneQuery<'q> {
    /// The question and its rewrites, the question first.
    pub texts: &'q [String],
    pub language: Language,
    pub vector: Option<&'q [f32]>,
    pub documents: &'q [DocumentId],
    /// Whether the whole library is searched, or the named documents only.
    pub sweep: Result<(), Message>,
    pub limit: usize,
}

/// The question's vector, and whose scores the gates will read; without it, search goes on by words and says so.
pub(super) async fn embed(
    services: &Services,
    turn: &mut Turn<'_>,
    text: &str,
    searched: &[Collection],
) -> (Option<Vec<f32>>, EmbedderFamily) {
    let without = (None, EmbedderFamily::Lexical);
    let Some(embedder) = services.ports.embedder.clone() else {
        turn.skip(Stage::Embedding, Message::StageNoEmbedder);
        turn.fall_back("bm25_only");
        return without;
    };
    let family = embedder.family();
    let count =
        |counter| searched.iter().for_each(|c| services.metrics.inc(counter, [c.qualified(family).as_str()]));
    let started = turn.begin(Stage::Embedding);
    let permit = match services.breakers.embeddings.permit() {
        Ok(permit) => permit,
        Err(open) => {
            warn!(target: "embeddings", event = "circuit_open", service = open.service);
            turn.fall_back("bm25_only");
            turn.fall_back("circuit_open");
            count(&names::EMBEDDING_FALLBACK_TOTAL);
            turn.end(started, Outcome::skipped(Message::StageCircuitOpen));
            return without;
        }
    };
    count(&names::EMBEDDING_REQUEST_TOTAL);
    let texts = [text.to_owned()];
    match embedded(services, embedder.as_ref(), &texts).await.and_then(only_vector) {
        Ok(vector) => {
            permit.success();
            turn.end(started, Outcome::Ok);
            (Some(vector), family)
        }
        Err(problem) => {
            permit.failure();
            count(&names::EMBEDDING_FAIL_TOTAL);
            count(&names::EMBEDDING_FALLBACK_TOTAL);
            turn.fall_back("bm25_only");
            turn.end(started, Outcome::failed(problem));
            without
        }
    }
}

/// The weights are read outside the lane's deadline: on a slow machine the first question would else go without meaning.
async fn embedded(
    services: &Services,
    embedder: &dyn Embedder,
    texts: &[String],
) -> Result<Vec<Vec<f32>>, PortError> {
    services.within_reading_deadline("embedding", embedder.prepare()).await?;
    services.within_deadline("embedding", embedder.embed(texts)).await
}

/// Runs the lanes side by side, each with its own deadline and status.
pub(super) async fn run_lanes(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &LaneQuery<'_>,
    scope: &Scope,
    searched: &[Collection],
    family: EmbedderFamily,
) -> Result<Pool, AskError> {
    let before = turn.context.elapsed();
    let dense = async {
        match (query.sweep, query.vector) {
            (Err(reason), _) => LaneResult::Skipped(reason),
            (Ok(()), None) => LaneResult::Skipped(Message::StageNoVector),
            (Ok(()), Some(vector)) => {
                timed(
                    services,
                    services.within_deadline(
                        "dense search",
                        services.ports.index.dense(vector, scope, query.limit),
                    ),
                )
                .await
            }
        }
    };
    let lexical = async {
        match query.sweep {
            Err(reason) => LaneResult::Skipped(reason),
            Ok(()) => {
                timed(services, services.within_deadline("lexical search", lexical(services, query, scope)))
                    .await
            }
        }
    };
    let address = async {
        if query.documents.is_empty() {
            LaneResult::Skipped(Message::StageNoRecordNamed)
        } else {
            let hits = services.ports.index.address(query.documents, query.vector, scope);
            timed(services, services.within_deadline("address", hits)).await
        }
    };
    let (dense, lexical, address) = tokio::join!(dense, lexical, address);

    let latency = milliseconds(turn.context.elapsed().saturating_sub(before));
    count_searches(services, searched, family, latency);
    let failures: Vec<Detail> = [&dense, &lexical, &address]
        .into_iter()
        .filter_map(LaneResult::failure)
        .map(PortError::detail)
        .collect();
    let nothing_worked = ![&dense, &lexical, &address].into_iter().any(LaneResult::worked);
    if query.vector.is_some() && dense.failure().is_some() {
        turn.fall_back("bm25_only");
    }
    if lexical.failure().is_some() {
        turn.fall_back("dense_only");
    }
    turn.out_of_reach = services.ports.index.out_of_reach();
    if !turn.out_of_reach.is_empty() {
        turn.fall_back("out_of_reach");
    }
    let mut pool = Pool::default();
    for (lane, result) in [(Lane::Dense, dense), (Lane::Lexical, lexical), (Lane::Address, address)] {
        let (outcome, hits, took) = result.into_parts();
        turn.end_lane(lane, outcome, hits.len(), took);
        pool.add(lane, hits);
    }
    if nothing_worked && !failures.is_empty() {
        return Err(AskError::Context { detail: Detail::all(failures) });
    }
    // Where nothing else can be searched, that nothing was found says nothing about the library.
    if pool.is_empty() && !turn.out_of_reach.is_empty() {
        let away = turn.out_of_reach.iter();
        let said = |one: &OutOfReach| Detail::about(one.address.clone(), one.detail.clone());
        return Err(AskError::Context { detail: Detail::all(away.map(said).collect()) });
    }
    Ok(pool)
}

/// Counts a search of these collections.
pub(super) fn count_searches(
    services: &Services,
    searched: &[Collection],
    family: EmbedderFamily,
    latency: f64,
) {
    for collection in searched {
        let name = collection.qualified(family);
        services.metrics.inc(&names::RETRIEVAL_REQUEST_TOTAL, [name.as_str()]);
        services.metrics.observe(&names::RETRIEVAL_LATENCY_MS, [name.as_str()], latency);
    }
}

/// Every wording goes into one ranked list: the best place counts.
async fn lexical(services: &Services, query: &LaneQuery<'_>, scope: &Scope) -> Result<Vec<Hit>, PortError> {
    let mut all: Vec<Hit> = Vec::new();
    for text in query.texts {
        let lexical = LexicalQuery { text: text.clone(), language: query.language };
        for hit in services.ports.index.lexical(&lexical, query.vector, scope, query.limit).await? {
            match all.iter_mut().find(|known| known.chunk.source_id == hit.chunk.source_id) {
                Some(known) if known.lexical < hit.lexical => known.lexical = hit.lexical,
                Some(_) => {}
                None => all.push(hit),
            }
        }
    }
    let score = |hit: &Hit| hit.lexical.unwrap_or(0.0);
    all.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id)));
    all.truncate(query.limit);
    Ok(all)
}

async fn timed(services: &Services, work: impl Future<Output = Result<Vec<Hit>, PortError>>) -> LaneResult {
    let before = services.ports.clock.monotonic();
    let result = work.await;
    LaneResult::Ran(result, services.ports.clock.monotonic().saturating_sub(before))
}

fn only_vector(mut vectors: Vec<Vec<f32>>) -> Result<Vec<f32>, PortError> {
    let sound =
        vectors.len() == 1 && vectors[0].iter().all(|value| value.is_finite()) && !vectors[0].is_empty();
    if sound {
        Ok(vectors.remove(0))
    } else {
        Err(PortError::Failed { service: "embedding", detail: Message::PortNoVector.into() })
    }
}

enum LaneResult {
    Skipped(Message),
    Ran(Result<Vec<Hit>, PortError>, Duration),
}

impl LaneResult {
    fn failure(&self) -> Option<&PortError> {
        match self {
            Self::Ran(Err(problem), _) => Some(problem),
            _ => None,
        }
    }

    fn worked(&self) -> bool {
        matches!(self, Self::Ran(Ok(_), _))
    }

    fn into_parts(self) -> (Outcome, Vec<Hit>, Duration) {
        match self {
            Self::Skipped(reason) => (Outcome::skipped(reason), Vec::new(), Duration::ZERO),
            Self::Ran(Ok(hits), took) => (Outcome::Ok, hits, took),
            Self::Ran(Err(problem), took) => (Outcome::failed(problem), Vec::new(), took),
        }
    }
}
