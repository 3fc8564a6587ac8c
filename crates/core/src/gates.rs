//! Whether what was found is enough to answer, decided by numbers alone. Each gate has its own reason and counter.

use crate::domain::{Candidate, EmbedderFamily};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::refusal::Measure;
use crate::response::RefusalReason;
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
    /// An answer is likely enough. Where that can be told it decides alone.
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
    /// What else speaks for them.
    pub support: Support,
    /// How likely the library holds an answer, where that can be told.
    pub likelihood: Option<f64>,
}

/// What speaks for the passages besides their own scores, as far as it could be had.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Support {
    /// The best cosine of a sentence.
    pub best: Option<f32>,
    /// The same among passages in another language than the question's.
    pub foreign: Option<f32>,
    /// The same among sentences that hold much of the question by themselves.
    pub self_contained: Option<f32>,
    /// How far the nearest document stands out from the next ones.
    pub margin: Option<f32>,
}

/// What the passages hold of the question, whatever the thresholds are.
#[derive(Debug, Clone, PartialEq)]
pub struct Readings {
    /// The share of the question's words that the passages hold together.
    pub by_words: f64,
    /// The words that none of them holds.
    pub missing: Vec<String>,
}

impl Readings {
    /// Reads the passages.
    pub fn of(kept: &[Candidate], question: &Question) -> Self {
        let (by_words, missing) = question.coverage(kept.iter().map(|candidate| candidate.chunk.as_ref()));
        Self { by_words, missing }
    }
}

impl GateInput<'_> {
    fn thresholds_of(&self, candidate: &Candidate) -> &CollectionThresholds {
        self.thresholds.for_collection(&candidate.chunk.document.collection, self.family)
    }
}

/// Runs the gates that need no model.
pub fn run_gates(input: &GateInput<'_>) -> GateReport {
    decide(input, &Readings::of(input.kept, input.question))
}

/// What the gates decide on readings that were taken before.
pub fn decide(input: &GateInput<'_>, readings: &Readings) -> GateReport {
    let mut report = GateReport { outcomes: Vec::new(), refusal: None, missing_words: Vec::new() };
    let Some(best) = best(input.kept) else {
        report.refuse(
            Gate::BailOut,
            RefusalReason::NoResults,
            Measure::Similarity,
            0.0,
            f64::from(default_bail(input)),
        );
        return report;
    };
    let needed = input.thresholds_of(best);
    // A sentence may say the same in other words, or in another language.
    let by_meaning =
        |cosine: Option<f32>| cosine.map_or(0.0, |cosine| input.thresholds.cross_language.coverage(cosine));
    let across = by_meaning(input.support.foreign);
    match input.likelihood {
        Some(likelihood) => meet_answerability(&mut report, input, needed, likelihood),
        None => {
            let coverage = readings.by_words.max(across).max(by_meaning(input.support.best));
            meet_scores(&mut report, input, best, coverage);
        }
    }
    if report.refusal.is_some() {
        return report;
    }

    // Words of another language are not expected to occur, so only same-language evidence is held to them.
    let missing = if across > readings.by_words { Vec::new() } else { readings.missing.clone() };
    report.meet(Gate::Keywords, missing.is_empty(), readings.by_words, 1.0);
    report.missing_words = missing;
    report
}

/// One rule over all that was found. A record that the user names is shown, whatever it is asked for.
fn meet_answerability(
    report: &mut GateReport,
    input: &GateInput<'_>,
    needed: &CollectionThresholds,
    likelihood: f64,
) {
    let is_named = input.kept.iter().any(|candidate| candidate.forced);
    let passed = is_named || likelihood >= needed.answerability;
    report.meet(Gate::Answerability, passed, likelihood, needed.answerability);
    if !passed {
        let is_far = |candidate: &Candidate| {
            1.0 - score(candidate) > input.thresholds_of(candidate).distance_threshold
        };
        let nothing_near = input.kept.iter().all(is_far);
        let reason = if nothing_near { RefusalReason::NoResults } else { RefusalReason::LowConfidence };
        report.refuse_last(reason, Measure::Answerability);
    }
}

/// The gates for scores of which nothing is known but their order: coverage, the best score, enough of them.
fn meet_scores(report: &mut GateReport, input: &GateInput<'_>, best: &Candidate, coverage: f64) {
    let needed = input.thresholds_of(best);
    let exempt = input.kept.iter().any(Candidate::is_exempt)
        // One sentence can answer in a passage that is about something else.
        || input.support.self_contained.is_some_and(|cosine| cosine >= needed.several_hits);

    let covered = exempt || coverage >= needed.min_query_coverage;
    report.meet(Gate::Coverage, covered, coverage, needed.min_query_coverage);
    if !covered {
        return report.refuse_last(RefusalReason::LowConfidence, Measure::Coverage);
    }

    let near = exempt
        || input.kept.iter().any(|candidate| score(candidate) >= input.thresholds_of(candidate).bail_below);
    report.meet(Gate::BailOut, near, f64::from(score(best)), f64::from(needed.bail_below));
    if !near {
        return report.refuse_last(RefusalReason::LowConfidence, Measure::Similarity);
    }

    let enough = exempt || is_sufficient(input, needed);
    report.meet(Gate::Sufficiency, enough, f64::from(score(best)), f64::from(needed.single_hit));
    if !enough {
        report.refuse_last(RefusalReason::LowConfidence, Measure::Similarity);
    }
}

/// One passage that is good by itself, several with a good one among them, many that are good on average, or one document
/// that stands out from all others.
fn is_sufficient(input: &GateInput<'_>, needed: &CollectionThresholds) -> bool {
    let count = input.kept.len();
    let mean = input.kept.iter().map(score).sum::<f32>() / count as f32;
    let reaches = |threshold: fn(&CollectionThresholds) -> f32| {
        input.kept.iter().any(|candidate| score(candidate) >= threshold(input.thresholds_of(candidate)))
    };
    reaches(|of| of.single_hit)
        || (count >= 2 && reaches(|of| of.several_hits))
        || (count >= numbers().gates.passages_for_mean && mean >= needed.mean)
        || input.support.margin.is_some_and(|margin| margin >= needed.margin)
}

fn best(kept: &[Candidate]) -> Option<&Candidate> {
    kept.iter().max_by(|a, b| score(a).total_cmp(&score(b)))
}

/// A score that is no number is no evidence.
fn score(candidate: &Candidate) -> f32 {
    let score = candidate.score();
    if score.is_finite() { score } else { 0.0 }
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
