use std::sync::Arc;

use plumbline_telemetry::{RequestContext, Route};
use tracing::Instrument;

use super::Engine;
use super::gate::Passages;
use super::gather::{Reach, Sweep};
use super::retrieve::Understood;
use super::sentences::signs;
use super::turn::Turn;
use crate::domain::{Candidate, EmbedderFamily};
use crate::error::AskError;
use crate::gates::{GateInput, GateReport, Readings, Signs, decide};
use crate::ports::Scope;
use crate::retrieval::{Answerability, Question, best_sentence_coverage};
use crate::settings::Thresholds;

/// What the gates look at for one question, so that other thresholds can be tried on it without asking again.
#[derive(Debug, Clone)]
pub struct Measured {
    kept: Vec<Candidate>,
    question: Question,
    family: EmbedderFamily,
    readings: Readings,
    signs: Signs,
}

impl Measured {
    /// What the gates decide under these thresholds.
    pub fn gates(&self, thresholds: &Thresholds) -> GateReport {
        let input = GateInput {
            kept: &self.kept,
            question: &self.question,
            family: self.family,
            thresholds,
            signs: self.signs,
        };
        decide(&input, &self.readings)
    }

    /// The passages, best first.
    pub fn passages(&self) -> &[Candidate] {
        &self.kept
    }

    /// Whose scores these are.
    pub fn family(&self) -> EmbedderFamily {
        self.family
    }

    /// The cosine of the nearest passage; 0 where there is none.
    pub fn cosine(&self) -> f64 {
        let cosines = self.kept.iter().filter_map(|candidate| candidate.cosine);
        cosines.max_by(f32::total_cmp).map_or(0.0, f64::from)
    }

    /// The best cosine of a single sentence, where sentences have vectors.
    pub fn sentence_cosine(&self) -> Option<f64> {
        self.signs.sentence.map(f64::from)
    }

    /// The best share of the question's words in one sentence.
    pub fn sentence_coverage(&self) -> f64 {
        best_sentence_coverage(&self.question, &self.kept)
    }

    /// What the passages hold of the question.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// What tells an answer from a passage on the same subject.
    pub fn answerability(&self) -> Option<Answerability> {
        Answerability::of(&self.question, &self.kept)
    }
}

impl Engine {
    /// Searches as [`Engine::ask`] does and stops before the gates; nothing is cut for being far away, so that every
    /// question has its numbers. It leaves no audit record.
    pub async fn measure(&self, query: &str, scope: &Scope) -> Result<Measured, AskError> {
        let context =
            RequestContext::new(self.ports.ids.request_id(), Route::Tree, Arc::clone(&self.ports.clock));
        let span = context.span().clone();
        let mut turn = Turn::new(context, &self.configuration.settings, &self.metrics, &|_| {});
        self.measure_within(&mut turn, query, scope).instrument(span).await
    }

    async fn measure_within(
        &self,
        turn: &mut Turn<'_>,
        query: &str,
        scope: &Scope,
    ) -> Result<Measured, AskError> {
        let Understood { intent, searched, documents } = self.understood(turn, query, scope).await?;
        let settings = &self.configuration.settings.retrieval;
        let reach = Reach {
            scope,
            searched: &searched,
            documents: &documents,
            sweep: Sweep::WhereNeeded,
            limit: settings.total_chunks * settings.over_fetch.max(1),
        };
        let found = self.gather(turn, &intent, &[], &reach).await?;
        let family = found.embedded.family;
        let lead = found.pool.lead();
        let filtered =
            self.choose(turn, &intent, &found.question, found.pool, family, settings.total_chunks).await;
        let vector = found.embedded.vector.as_deref();
        let mut passages = Passages { filtered, nearness: Vec::new(), lead, vector, family };
        self.gate(turn, &found.question, &mut passages).await;
        let Passages { filtered, .. } = passages;
        let mut kept = filtered.kept;
        if kept.is_empty() {
            kept = filtered
                .cut
                .into_iter()
                .map(|(candidate, _)| candidate)
                .take(settings.total_chunks)
                .collect();
        }
        let nearness = self.nearness(turn, vector, &kept).await;
        Ok(Measured {
            signs: signs(&found.question, &kept, &nearness, lead),
            readings: Readings::of(&kept, &found.question, family),
            kept,
            question: found.question,
            family,
        })
    }
}
