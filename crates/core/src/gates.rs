//! Whether what was found is enough to answer, decided by numbers alone. Each gate has its own reason and counter.

use crate::domain::{Candidate, Chunk, EmbedderFamily};
use crate::refusal::Measure;
use crate::response::RefusalReason;
use crate::retrieval::{Answerability, Question};
use crate::settings::{CollectionThresholds, Thresholds};

/// A gate, in the order in which they are passed. Noise and distance are filters on single candidates and stand in
/// [`crate::retrieval::apply_filters`]; what they leave meets the gates below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gate {
    /// The pool holds enough of the question's words.
    Coverage,
    /// Something comes near at all.
    BailOut,
    /// There is enough of it.
    Sufficiency,
    /// What the question asks beyond its subject stands there too.
    Answerability,
    /// Words of the question that no passage holds: a warning.
    Keywords,
    /// The planner finds a thesis.
    Planner,
}

impl Gate {
    /// The label of its counter.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::BailOut => "bail_out",
            Self::Sufficiency => "sufficiency",
            Self::Answerability => "answerability",
            Self::Keywords => "keywords",
            Self::Planner => "planner",
        }
    }
}

/// What a gate measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateOutcome {
    /// The gate.
    pub gate: Gate,
    /// Whether it was passed.
    pub passed: bool,
    /// What was measured.
    pub value: f64,
    /// What is needed.
    pub threshold: f64,
}

/// The refusal of a gate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateRefusal {
    /// The gate.
    pub gate: Gate,
    /// The reason that the user gets.
    pub reason: RefusalReason,
    /// What the number measures.
    pub measure: Measure,
    /// What was measured.
    pub value: f64,
    /// What is needed.
    pub threshold: f64,
}

/// What the gates decided.
#[derive(Debug, Clone, PartialEq)]
pub struct GateReport {
    /// Every gate that was met.
    pub outcomes: Vec<GateOutcome>,
    /// The refusal, where one refused.
    pub refusal: Option<GateRefusal>,
    /// The question's words that no passage holds.
    pub missing_words: Vec<String>,
}

/// What the gates look at.
pub struct GateInput<'a> {
    /// What the filters kept.
    pub kept: &'a [Candidate],
    /// The question.
    pub question: &'a Question,
    /// Whose scores these are.
    pub family: EmbedderFamily,
    /// The thresholds.
    pub thresholds: &'a Thresholds,
    /// The best cosine of a sentence, where sentences have vectors.
    pub sentence_cosine: Option<f32>,
    /// The same among passages in another language than the question's, where there are such.
    pub cross_language_cosine: Option<f32>,
}

impl GateInput<'_> {
    fn thresholds_of(&self, candidate: &Candidate) -> &CollectionThresholds {
        self.thresholds.for_collection(&candidate.chunk.document.collection, self.family)
    }

    /// How likely an answer is. Only the built-in embedder's cosines were fitted, and only words of the question's own
    /// language can be compared.
    fn answerability(&self, best: &Candidate) -> Option<f64> {
        if self.family != EmbedderFamily::Local || self.question.is_foreign(&best.chunk) {
            return None;
        }
        Answerability::of(self.question, self.kept).map(|measured| measured.likelihood())
    }
}

/// Runs the gates that need no model.
pub fn run_gates(input: &GateInput<'_>) -> GateReport {
    let mut report = GateReport { outcomes: Vec::new(), refusal: None, missing_words: Vec::new() };
    let Some(best) = input.kept.iter().max_by(|a, b| score(a).total_cmp(&score(b))) else {
        report.refuse(
            Gate::BailOut,
            RefusalReason::NoResults,
            Measure::Similarity,
            0.0,
            f64::from(default_bail(input)),
        );
        return report;
    };
    let spared = input.kept.iter().any(Candidate::is_spared);
    let needed = input.thresholds_of(best);

    let (by_words, missing) = input.question.coverage(chunks(input.kept));
    // A sentence may say the same in other words, or in another language.
    let by_meaning =
        |cosine: Option<f32>| cosine.map_or(0.0, |cosine| input.thresholds.cross_language.coverage(cosine));
    let across = by_meaning(input.cross_language_cosine);
    let coverage = by_words.max(across).max(by_meaning(input.sentence_cosine));
    report.meet(
        Gate::Coverage,
        spared || coverage >= needed.min_query_coverage,
        coverage,
        needed.min_query_coverage,
    );
    if !report.passed() {
        report.refuse_last(RefusalReason::LowConfidence, Measure::Coverage);
        return report;
    }

    let near = spared
        || input.kept.iter().any(|candidate| score(candidate) >= input.thresholds_of(candidate).bail_below);
    report.meet(Gate::BailOut, near, f64::from(score(best)), f64::from(needed.bail_below));
    if !report.passed() {
        report.refuse_last(RefusalReason::LowConfidence, Measure::Similarity);
        return report;
    }

    let count = input.kept.len();
    let mean = input.kept.iter().map(score).sum::<f32>() / count as f32;
    let single =
        input.kept.iter().any(|candidate| score(candidate) >= input.thresholds_of(candidate).single_hit);
    let several = count >= 2
        && input.kept.iter().any(|candidate| score(candidate) >= input.thresholds_of(candidate).several_hits);
    let many = count >= 3 && mean >= needed.mean;
    report.meet(
        Gate::Sufficiency,
        spared || single || several || many,
        f64::from(score(best)),
        f64::from(needed.single_hit),
    );
    if !report.passed() {
        report.refuse_last(RefusalReason::LowConfidence, Measure::Similarity);
        return report;
    }

    if let Some(likelihood) = input.answerability(best) {
        report.meet(
            Gate::Answerability,
            spared || likelihood >= needed.answerability,
            likelihood,
            needed.answerability,
        );
        if !report.passed() {
            report.refuse_last(RefusalReason::LowConfidence, Measure::Answerability);
            return report;
        }
    }

    // Words of another language are not expected to occur, so only same-language evidence is held to them.
    let missing = if across > by_words { Vec::new() } else { missing };
    report.meet(Gate::Keywords, missing.is_empty(), by_words, 1.0);
    report.missing_words = missing;
    report
}

/// A score that is no number is no evidence.
fn score(candidate: &Candidate) -> f32 {
    let score = candidate.score();
    if score.is_finite() { score } else { 0.0 }
}

fn chunks(kept: &[Candidate]) -> impl Iterator<Item = &Chunk> {
    kept.iter().map(|candidate| candidate.chunk.as_ref())
}

fn default_bail(input: &GateInput<'_>) -> f32 {
    input
        .thresholds
        .for_collection(&crate::domain::Collection::from(crate::domain::Kind::Document), input.family)
        .bail_below
}

impl GateReport {
    fn meet(&mut self, gate: Gate, passed: bool, value: f64, threshold: f64) {
        self.outcomes.push(GateOutcome { gate, passed, value, threshold });
    }

    fn passed(&self) -> bool {
        self.outcomes.last().is_none_or(|outcome| outcome.passed)
    }

    fn refuse(&mut self, gate: Gate, reason: RefusalReason, measure: Measure, value: f64, threshold: f64) {
        self.meet(gate, false, value, threshold);
        self.refusal = Some(GateRefusal { gate, reason, measure, value, threshold });
    }

    fn refuse_last(&mut self, reason: RefusalReason, measure: Measure) {
        if let Some(GateOutcome { gate, value, threshold, .. }) = self.outcomes.last().copied() {
            self.refusal = Some(GateRefusal { gate, reason, measure, value, threshold });
        }
    }
}
