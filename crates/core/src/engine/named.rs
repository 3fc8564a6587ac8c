//! Evidence for a question that names its records and asks only what their own sections tell.

use std::collections::HashMap;
use std::time::Duration;

use super::draft::told_by_sections;
use super::evidence::{Evidence, needed};
use super::lanes::count_searches;
use super::reach::Reach;
use super::reason::Outcome;
use super::services::Services;
use super::turn::{Turn, milliseconds};
use crate::domain::{DocumentId, EmbedderFamily, Lane};
use crate::intent::Question;
use crate::response::Stage;
use crate::retrieval::Pool;

/// The evidence where the records that the question names tell by their sections all that it asks; nothing where they do not. Their
/// passages are fetched, once: neither vectors nor curated memory change what a record says of itself.
pub(super) async fn of_named(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    reach: &Reach<'_>,
) -> Option<Evidence> {
    let not_swept = needed(question, reach.documents, false).err()?;
    let before = turn.context.elapsed();
    let ids: Vec<DocumentId> = reach.documents.iter().map(|document| document.id.clone()).collect();
    let hits = services.ports.index.address(&ids, None, reach.scope);
    let hits = services.within_deadline("address", hits).await.ok()?;
    let found = hits.len();
    let mut pool = Pool::default();
    pool.add(Lane::Address, hits);
    // More of a document would be cut anyway.
    let most = services.settings().retrieval.max_chunks_per_doc;
    let mut of_document: HashMap<DocumentId, usize> = HashMap::new();
    let mut candidates = pool.lanes().remove(&Lane::Address).unwrap_or_default();
    candidates.retain(|candidate| {
        let count = of_document.entry(candidate.chunk.document.id.clone()).or_default();
        *count += 1;
        *count <= most
    });
    let family = services.ports.embedder.as_ref().map_or(EmbedderFamily::Lexical, |known| known.family());
    let mut evidence = Evidence {
        question: question.clone(),
        known_words: None,
        vector: None,
        family,
        searched: reach.searched.clone(),
        note: None,
        pool,
        candidates,
        came_first: None,
        reranked: false,
        margin: None,
        words_held: 0.0,
        told: Vec::new(),
    };
    evidence.told = told_by_sections(&evidence, turn.language)?;
    let took = turn.context.elapsed().saturating_sub(before);
    count_searches(services, &reach.searched, family, milliseconds(took));
    turn.skip(Stage::Embedding, not_swept);
    for lane in [Lane::Curated, Lane::Dense, Lane::Lexical] {
        turn.end_lane(lane, Outcome::skipped(not_swept), 0, Duration::ZERO);
    }
    turn.end_lane(Lane::Address, Outcome::Ok, found, took);
    turn.skip(Stage::Rerank, not_swept);
    Some(evidence)
}
