//! The journey as far as the gates, so that other thresholds can be tried on a question without asking it again.

use super::evidence::Evidence;
use super::gate::{cut, decide, filter_rules};
use super::order::order_by_reading;
use super::sentences::{read_sentences, support_of};
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Candidate, EmbedderFamily};
use crate::gates::{GateReport, Readings};
use crate::retrieval::{Answerability, apply_filters, best_sentence_coverage};
use crate::settings::{RetrievalSettings, Thresholds};

/// All that cuts and gates look at for one question, before anything is cut.
#[derive(Debug, Clone)]
pub struct Measured {
    evidence: Evidence,
    settings: RetrievalSettings,
    /// The best passages, however far away.
    nearest: Vec<Candidate>,
}

/// Reads the sentences of every candidate, and has the best ones put in order, so that cuts and gates are functions of the thresholds
/// alone.
pub(super) async fn measured(services: &Services, turn: &Turn<'_>, mut evidence: Evidence) -> Measured {
    order_by_reading(services, turn, &mut evidence).await;
    let vector = evidence.vector.as_deref();
    for candidate in &evidence.candidates {
        read_sentences(services, turn, vector, std::slice::from_ref(candidate)).await;
    }
    let settings = services.settings().retrieval;
    let nearest = nearest(&evidence, &settings);
    Measured { evidence, settings, nearest }
}

/// The best passages with nothing cut for its distance, but for doubles and shares; where all of it is noise, the best of that.
fn nearest(evidence: &Evidence, settings: &RetrievalSettings) -> Vec<Candidate> {
    let total = settings.total_chunks;
    let rules = filter_rules(evidence, settings, total, f32::INFINITY);
    let filtered = apply_filters(evidence.candidates.clone(), rules, &evidence.question.kinds, |_| false);
    if !filtered.kept.is_empty() {
        return filtered.kept;
    }
    filtered.cut.into_iter().map(|(candidate, _)| candidate).take(total).collect()
}

impl Measured {
    /// What the gates decide under these thresholds.
    pub fn gates(&self, thresholds: &Thresholds) -> GateReport {
        let filtered = cut(&self.evidence, &self.settings, self.settings.total_chunks, thresholds);
        decide(&self.evidence, filtered, thresholds).report
    }

    /// The best passages, however far away, best first.
    pub fn passages(&self) -> &[Candidate] {
        &self.nearest
    }

    /// Whose scores these are.
    pub fn family(&self) -> EmbedderFamily {
        self.evidence.family
    }

    /// The cosine of the nearest passage; 0 where there is none.
    pub fn cosine(&self) -> f64 {
        let cosines = self.nearest.iter().filter_map(|candidate| candidate.cosine);
        cosines.max_by(f32::total_cmp).map_or(0.0, f64::from)
    }

    /// The best cosine of a single sentence, where sentences have vectors.
    pub fn sentence_cosine(&self) -> Option<f64> {
        support_of(&self.evidence.question, &self.nearest, None).best.map(f64::from)
    }

    /// The best share of the question's words in one sentence.
    pub fn sentence_coverage(&self) -> f64 {
        best_sentence_coverage(&self.evidence.question, &self.nearest)
    }

    /// What the passages hold of the question.
    pub fn readings(&self) -> Readings {
        Readings::of(&self.nearest, &self.evidence.question)
    }

    /// What tells a library that answers from one that is near the subject.
    pub fn answerability(&self) -> Option<Answerability> {
        self.evidence.answerability()
    }
}
