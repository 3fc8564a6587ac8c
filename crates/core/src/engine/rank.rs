//! The pool in order, best first.

use super::reach::Help;
use super::reason::{Outcome, Reason};
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Candidate, EmbedderFamily};
use crate::intent::Question;
use crate::messages::Message;
use crate::response::Stage;
use crate::retrieval::{FusionRules, Pool, WordsShared, order_by_rerank};

/// The pool in order, best first.
pub(super) struct Ranked {
    pub candidates: Vec<Candidate>,
    /// Whether a reranker decided.
    pub reranked: bool,
}

/// Marks the lexical witnesses, and puts the pool in order: the reranker's where there is one, else the fused one
/// with addressed passages in front.
pub(super) async fn rank(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    pool: &mut Pool,
    family: EmbedderFamily,
    help: Help,
) -> Ranked {
    let thresholds = &services.thresholds();
    pool.mark_witnesses(question, |candidate| {
        thresholds.for_collection(&candidate.chunk.document.collection, family).lexical_witness
    });
    let reranked = match help {
        Help::OfModels => rerank(services, turn, question, pool).await,
        Help::None => None,
    };
    match reranked {
        Some(candidates) => Ranked { candidates, reranked: true },
        None => Ranked { candidates: fused(services, question, pool), reranked: false },
    }
}

/// The fused order, addressed passages in front.
pub(super) fn fused(services: &Services, question: &Question, pool: &Pool) -> Vec<Candidate> {
    let named = pool.named_documents();
    let fused = pool.fuse(fusion_rules(services), &question.kinds, |chunk| WordsShared {
        is_foreign: question.is_foreign(chunk),
        is_named: named.contains(&chunk.document.id),
    });
    let (forced, others): (Vec<Candidate>, Vec<Candidate>) =
        fused.into_iter().partition(|candidate| candidate.forced);
    in_order_of_use(forced, question).into_iter().chain(others).collect()
}

/// The reranker's order, or nothing where there is none or it fails; its stage says which.
async fn rerank(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    pool: &Pool,
) -> Option<Vec<Candidate>> {
    let settings = &services.settings().retrieval;
    let started = turn.begin(Stage::Rerank);
    let Some(reranker) = services.ports.reranker.clone() else {
        turn.end(started, Outcome::skipped(Message::StageNoModel));
        return None;
    };
    let Ok(permit) = services.breakers.reranker.permit() else {
        turn.fall_back("rerank_off");
        turn.end(started, Outcome::skipped(Message::StageCircuitOpen));
        return None;
    };
    let candidates = pool.best_by_score(settings.rerank_pool);
    let texts: Vec<String> = candidates.iter().map(|candidate| candidate.chunk.text.clone()).collect();
    let problem =
        match services.within_reading_deadline("reranker", reranker.rerank(&question.text, &texts)).await {
            Ok(scores) if scores.len() == texts.len() && scores.iter().all(|score| score.is_finite()) => {
                permit.success();
                turn.end(started, Outcome::Ok);
                return Some(order_by_rerank(
                    candidates,
                    &scores,
                    fusion_rules(services),
                    &question.kinds,
                    settings.rerank_keep,
                ));
            }
            Ok(_) => Reason::Of(Message::StageScoresUnsound),
            Err(problem) => Reason::Port(problem),
        };
    permit.failure();
    turn.fall_back("rerank_off");
    turn.end(started, Outcome::Failed(problem));
    None
}

fn fusion_rules(services: &Services) -> FusionRules {
    let settings = &services.settings().retrieval;
    FusionRules {
        lexical_weight: settings.lexical_weight,
        kind_boost: settings.kind_boost_fused,
        kind_boost_rerank: settings.kind_boost_rerank,
    }
}

/// The passages of the addressed documents: the part that is asked for first, then the nearest.
fn in_order_of_use(mut candidates: Vec<Candidate>, question: &Question) -> Vec<Candidate> {
    let asked_for = |candidate: &Candidate| question.asks_for_section_of(&candidate.chunk);
    let near = |candidate: &Candidate| f64::from(candidate.score()) + question.covered_by(&candidate.chunk);
    candidates.sort_by(|a, b| {
        asked_for(b)
            .cmp(&asked_for(a))
            .then_with(|| near(b).total_cmp(&near(a)))
            .then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id))
    });
    candidates
}
