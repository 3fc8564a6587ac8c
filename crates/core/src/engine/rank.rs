use super::Engine;
use super::address::in_order_of_use;
use super::generation::LEFT_ALONE;
use super::turn::Turn;
use crate::domain::{Candidate, EmbedderFamily};
use crate::intent::Intent;
use crate::response::{Stage, StageOutcome};
use crate::retrieval::{FusionRules, Pool, Question, order_by_rerank};

/// The pool in order, best first.
pub(super) struct Ranked {
    pub candidates: Vec<Candidate>,
    /// Whether a reranker decided.
    pub reranked: bool,
}

impl Engine {
    /// Marks the lexical witnesses, and puts the pool in order: the reranker's where there is one, else the fused one
    /// with addressed passages in front.
    pub(super) async fn rank(
        &self,
        turn: &mut Turn<'_>,
        intent: &Intent,
        question: &Question,
        pool: &mut Pool,
        family: EmbedderFamily,
    ) -> Ranked {
        let thresholds = &self.configuration.thresholds;
        pool.mark_witnesses(question, |candidate| {
            thresholds.for_collection(&candidate.chunk.document.collection, family).lexical_witness
        });
        match self.rerank(turn, intent, pool).await {
            Some(candidates) => Ranked { candidates, reranked: true },
            None => Ranked { candidates: self.fused(intent, question, pool), reranked: false },
        }
    }

    /// The fused order, addressed passages in front.
    pub(super) fn fused(&self, intent: &Intent, question: &Question, pool: &Pool) -> Vec<Candidate> {
        let fused = pool.fuse(self.fusion_rules(), &intent.named_kinds, |chunk| question.is_foreign(chunk));
        let (forced, others): (Vec<Candidate>, Vec<Candidate>) =
            fused.into_iter().partition(|candidate| candidate.forced);
        in_order_of_use(forced, question).into_iter().chain(others).collect()
    }

    /// The reranker's order, or nothing where there is none or it fails; its stage says which.
    async fn rerank(&self, turn: &mut Turn<'_>, intent: &Intent, pool: &Pool) -> Option<Vec<Candidate>> {
        let settings = &self.configuration.settings.retrieval;
        let started = turn.begin(Stage::Rerank);
        let Some(reranker) = self.ports.reranker.clone() else {
            turn.end(started, StageOutcome::Skipped("no model".to_owned()));
            return None;
        };
        let Ok(permit) = self.breakers.reranker.permit() else {
            turn.fall_back("rerank_off");
            turn.end(started, StageOutcome::Skipped(LEFT_ALONE.to_owned()));
            return None;
        };
        let candidates = pool.best_by_score(settings.rerank_pool);
        let texts: Vec<String> = candidates.iter().map(|candidate| candidate.chunk.text.clone()).collect();
        let problem =
            match self.within_reading_deadline("reranker", reranker.rerank(&intent.query, &texts)).await {
                Ok(scores) if scores.len() == texts.len() && scores.iter().all(|score| score.is_finite()) => {
                    permit.success();
                    turn.end(started, StageOutcome::Ok);
                    return Some(order_by_rerank(
                        candidates,
                        &scores,
                        self.fusion_rules(),
                        &intent.named_kinds,
                        settings.rerank_keep,
                    ));
                }
                Ok(_) => "its scores make no sense".to_owned(),
                Err(problem) => problem.to_string(),
            };
        permit.failure();
        turn.fall_back("rerank_off");
        turn.end(started, StageOutcome::Failed(problem));
        None
    }

    fn fusion_rules(&self) -> FusionRules {
        let settings = &self.configuration.settings.retrieval;
        FusionRules {
            lexical_weight: settings.lexical_weight,
            kind_boost: settings.kind_boost_fused,
            kind_boost_rerank: settings.kind_boost_rerank,
        }
    }
}
