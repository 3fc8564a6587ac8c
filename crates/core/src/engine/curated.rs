//! What curated memory brings to a question.

use super::reason::Outcome;
use super::services::Services;
use super::turn::Turn;
use crate::domain::Lane;
use crate::messages::Message;
use crate::ports::{CuratedMatch, CuratedMemory, Hit, PortError, Scope};

/// What curated memory brings to a question.
#[derive(Default)]
pub(super) struct CuratedFinds {
    /// Passages that curators chose; they can be cited.
    pub hits: Vec<Hit>,
    /// Framing; it is never cited.
    pub note: Option<String>,
    /// Whether the sweep through the library can be spared.
    pub makes_sweep_needless: bool,
}

/// Asks curated memory. A failure here costs nothing but its help.
pub(super) async fn recalled(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &str,
    vector: Option<&[f32]>,
    scope: &Scope,
) -> CuratedFinds {
    let skipped = |reason: Message| Outcome::skipped(reason);
    let before = turn.context.elapsed();
    let (finds, outcome) = match (services.ports.memory.clone(), vector) {
        (None, _) => (CuratedFinds::default(), skipped(Message::StageNoMemory)),
        (_, None) => (CuratedFinds::default(), skipped(Message::StageNoVector)),
        (Some(memory), Some(vector)) => {
            match services
                .within_deadline("curated memory", recall(services, memory.as_ref(), query, vector, scope))
                .await
            {
                Ok(finds) => (finds, Outcome::Ok),
                Err(problem) => (CuratedFinds::default(), Outcome::failed(problem)),
            }
        }
    };
    let took = turn.context.elapsed().saturating_sub(before);
    turn.end_lane(Lane::Curated, outcome, finds.hits.len(), took);
    finds
}

async fn recall(
    services: &Services,
    memory: &dyn CuratedMemory,
    query: &str,
    vector: &[f32],
    scope: &Scope,
) -> Result<CuratedFinds, PortError> {
    let rules = &services.settings().curated;
    let mut finds = CuratedFinds::default();
    let judged = services.ports.reranker.is_some();
    let least = if judged { rules.pinned_border.min(rules.pinned_accept) } else { rules.pinned_accept };
    for pinned in memory.pinned(vector, least, scope).await? {
        if accepts(services, query, &pinned).await {
            finds.makes_sweep_needless |= !pinned.sources.is_empty();
            finds.hits.extend(pinned.sources.into_iter().map(|hit| at_least(hit, pinned.score)));
        }
    }
    if let Some(note) = memory.notes(vector, rules.note_accept, scope).await?.into_iter().next() {
        finds.makes_sweep_needless |=
            note.score >= rules.note_spares && note.resolvable >= rules.note_references;
        finds.hits.extend(note.references.into_iter().map(|hit| at_least(hit, rules.reference_score)));
        finds.note = Some(note.text);
    }
    Ok(finds)
}

/// A pinned source is authoritative, so a "maybe" is judged anew, and without a judge it is a "no".
async fn accepts(services: &Services, query: &str, pinned: &CuratedMatch) -> bool {
    let rules = &services.settings().curated;
    if pinned.score >= rules.pinned_accept {
        return true;
    }
    let Some(reranker) = services.ports.reranker.clone().filter(|_| pinned.score >= rules.pinned_border)
    else {
        return false;
    };
    let Ok(permit) = services.breakers.reranker.permit() else { return false };
    let texts = [pinned.phrasing.clone()];
    match services.within_reading_deadline("reranker", reranker.rerank(query, &texts)).await {
        Ok(scores) => {
            permit.success();
            scores.first().is_some_and(|score| *score >= rules.judge_accept)
        }
        Err(_) => {
            permit.failure();
            false
        }
    }
}

/// A passage that a curator chose is as near as the curator's entry, however far its own words lie.
fn at_least(hit: Hit, score: f32) -> Hit {
    Hit { cosine: Some(hit.cosine.map_or(score, |cosine| cosine.max(score))), ..hit }
}
