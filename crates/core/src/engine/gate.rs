use plumbline_telemetry::audit::{AuditCandidate, AuditGate};
use plumbline_telemetry::{names, sha256_hex};
use tracing::info;

use super::Engine;
use super::sentences::signs;
use super::turn::Turn;
use crate::answer::compose::Nearness;
use crate::domain::{Candidate, Collection, EmbedderFamily};
use crate::gates::{GateInput, GateRefusal, GateReport, run_gates};
use crate::refusal::RefusalFacts;
use crate::response::{AskResponse, RefusalReason, Stage, StageOutcome};
use crate::retrieval::{Cut, Filtered, Question};

/// What the gates look at.
pub(super) struct Passages<'p> {
    pub filtered: Filtered,
    /// How near the sentences of each kept passage come; empty where they were not read.
    pub nearness: Vec<Nearness>,
    /// How far the nearest document stands out.
    pub lead: Option<f32>,
    /// The question's vector.
    pub vector: Option<&'p [f32]>,
    pub family: EmbedderFamily,
}

impl Passages<'_> {
    /// Keeps a passage after all.
    fn take_back(&mut self, candidate: Candidate, sentences: Nearness) {
        self.filtered.cut.retain(|(cut, _)| cut.chunk.source_id != candidate.chunk.source_id);
        self.nearness.resize(self.filtered.kept.len(), Nearness::new());
        self.filtered.kept.push(candidate);
        self.nearness.push(sentences);
    }
}

/// So many of the passages that were too far away are looked at again.
const LOOKED_AT_AGAIN: usize = 5;

impl Engine {
    /// The gates. Before they refuse, the passages are read sentence by sentence, those that the filters held too far away
    /// as well.
    pub(super) async fn gate(
        &self,
        turn: &mut Turn<'_>,
        question: &Question,
        passages: &mut Passages<'_>,
    ) -> GateReport {
        let started = turn.begin(Stage::Gates);
        let mut report = self.decided(question, passages);
        if report.refusal.is_some() && passages.nearness.is_empty() {
            passages.nearness = self.nearness(turn, passages.vector, &passages.filtered.kept).await;
            report = self.decided(question, passages);
        }
        if report.refusal.is_some() && self.look_again(turn, question, passages).await {
            report = self.decided(question, passages);
        }
        record(turn, &passages.filtered, &report);
        turn.end(started, StageOutcome::Ok);
        report
    }

    fn decided(&self, question: &Question, passages: &Passages<'_>) -> GateReport {
        let kept = &passages.filtered.kept;
        run_gates(&GateInput {
            kept,
            question,
            family: passages.family,
            thresholds: &self.configuration.thresholds,
            signs: signs(question, kept, &passages.nearness, passages.lead),
        })
    }

    /// Takes back, as witnesses, the best of what was cut for its distance if one of its sentences says what is asked.
    async fn look_again(&self, turn: &Turn<'_>, question: &Question, passages: &mut Passages<'_>) -> bool {
        let far = passages.filtered.cut.iter().filter(|(_, cut)| matches!(cut, Cut::Noise | Cut::Distance));
        let mut far: Vec<Candidate> =
            far.map(|(candidate, _)| candidate.clone()).take(LOOKED_AT_AGAIN).collect();
        let nearness = self.nearness(turn, passages.vector, &far).await;
        let thresholds = &self.configuration.thresholds;
        let mut found = false;
        for (candidate, sentences) in far.iter_mut().zip(nearness) {
            let needed = thresholds.for_collection(&candidate.chunk.document.collection, passages.family);
            let alone = std::slice::from_ref(candidate);
            let telling = signs(question, alone, std::slice::from_ref(&sentences), None).telling_sentence;
            if telling.is_some_and(|cosine| cosine >= needed.several_hits) {
                candidate.witness = true;
                passages.take_back(candidate.clone(), sentences);
                found = true;
            }
        }
        found
    }

    pub(super) fn refuse_at_gate(
        &self,
        turn: &mut Turn<'_>,
        refusal: &GateRefusal,
        off_topic: bool,
        question: &Question,
        searched: &[Collection],
        nearest: &[Candidate],
    ) -> AskResponse {
        self.metrics.inc(&names::GATE_REFUSAL_TOTAL, [refusal.gate.as_str()]);
        info!(target: "gates", event = "refused", gate = refusal.gate.as_str(), value = refusal.value, threshold = refusal.threshold);
        let searched = searched.iter().map(|collection| collection.as_str().to_owned()).collect();
        if off_topic {
            let facts =
                RefusalFacts { searched, count: Some(question.words.len()), ..RefusalFacts::default() };
            return self.refuse_near(turn, RefusalReason::OffTopic, &facts, nearest);
        }
        let measured = refusal.reason != RefusalReason::NoResults;
        let facts = RefusalFacts {
            searched,
            measure: refusal.measure,
            value: measured.then_some(refusal.value),
            threshold: measured.then_some(refusal.threshold),
            ..RefusalFacts::default()
        };
        self.refuse_near(turn, refusal.reason, &facts, nearest)
    }
}

fn record(turn: &mut Turn<'_>, filtered: &Filtered, report: &GateReport) {
    let candidate = |candidate: &Candidate, outcome: &str| AuditCandidate {
        source_id: candidate.chunk.source_id.to_string(),
        text_sha256: sha256_hex(&candidate.chunk.text),
        cosine: candidate.cosine.map(f64::from),
        lexical: candidate.lexical.map(f64::from),
        lanes: candidate.ranks.iter().map(|rank| format!("{}#{}", rank.lane.as_str(), rank.rank)).collect(),
        forced: candidate.forced,
        witness: candidate.witness,
        outcome: outcome.to_owned(),
    };
    let retrieval = &mut turn.audit.retrieval;
    retrieval.hits = (filtered.kept.len() + filtered.cut.len()) as u64;
    retrieval.mean_score = (!filtered.kept.is_empty()).then(|| {
        filtered.kept.iter().map(|kept| f64::from(kept.score())).sum::<f64>() / filtered.kept.len() as f64
    });
    retrieval.candidates = filtered
        .kept
        .iter()
        .map(|kept| candidate(kept, "kept"))
        .chain(filtered.cut.iter().map(|(cut, why)| candidate(cut, why.as_str())))
        .collect();
    turn.audit.gates = report
        .outcomes
        .iter()
        .map(|outcome| AuditGate {
            gate: outcome.gate.as_str().to_owned(),
            outcome: if outcome.passed { "passed" } else { "stopped" }.to_owned(),
            value: Some(outcome.value),
            threshold: Some(outcome.threshold),
        })
        .collect();
}
