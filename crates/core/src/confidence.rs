//! How sure an answer is, and what that means for the user.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::domain::Language;
use crate::language::fixed;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::response::{ConfidenceLevel, ConfidenceScore, RetrievalQuality, TransparencyStatement};
use crate::settings::RetrievalSettings;
use crate::text::{content_stems, distinct_stems};

#[cfg(test)]
mod tests;

/// The share of the answer's key phrases, which are its content words and numbers, that the passages hold.
/// Citation markers are not part of the answer. An answer without a key phrase is covered by nothing.
pub fn coverage(answer: &str, context: &[&str], language: Language) -> f64 {
    let answer = without_markers(answer);
    let phrases = content_stems(&answer, language);
    if phrases.is_empty() {
        return 0.0;
    }
    let held: HashSet<String> = context.iter().flat_map(|text| distinct_stems(text, language)).collect();
    let found = phrases.iter().filter(|phrase| held.contains(*phrase)).count();
    found as f64 / phrases.len() as f64
}

/// An answer without its citation markers.
pub(crate) fn without_markers(answer: &str) -> Cow<'_, str> {
    static MARKER: LazyLock<Regex> =
        LazyLock::new(|| fixed(r"[ \t]?\[(?:\s*\d+\s*(?:,\s*\d+\s*)*|SourceId:[^\]]*)\]"));
    MARKER.replace_all(answer, "")
}

/// What confidence is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals {
    /// Mean score of the used passages, 0 to 1.
    pub retrieval: f64,
    /// How much the passages cover, 0 to 1.
    pub coverage: f64,
    /// The judge's rating, 0 to 100; absent without one.
    pub llm: Option<u8>,
}

/// Weighs the signals; without a judge the other two make up the whole.
/// While a fallback is active, what is decided on is reduced by the penalty.
pub fn score(signals: Signals, fallback_flags: &[String], penalty: f64) -> ConfidenceScore {
    let (retrieval, coverage) = (unit(signals.retrieval), unit(signals.coverage));
    let weights = &numbers().confidence;
    let two = retrieval * weights.retrieval_weight + coverage * weights.coverage_weight;
    let llm_score = signals.llm.map(|rating| rating.min(100));
    let overall = match llm_score {
        Some(rating) => two + f64::from(rating) / 100.0 * weights.judge_weight,
        None => two * 100.0 / (weights.retrieval_weight + weights.coverage_weight),
    };
    let overall = percent((overall + weights.rounding).floor());
    let adjusted = if fallback_flags.is_empty() {
        overall
    } else {
        percent((f64::from(overall) * unit(penalty) - weights.rounding).round())
    };
    ConfidenceScore { overall, retrieval_score: retrieval, coverage_score: coverage, llm_score, adjusted }
}

/// 0 to 1; what is no number is nothing.
fn unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

fn percent(value: f64) -> u8 {
    value.clamp(0.0, 100.0) as u8
}

impl ConfidenceLevel {
    /// The band of a confidence between 0 and 1.
    pub fn of(score: f64) -> Self {
        let bands = &numbers().confidence;
        if score + bands.rounding >= bands.high_from {
            Self::High
        } else if score + bands.rounding >= bands.medium_from {
            Self::Medium
        } else {
            Self::Low
        }
    }
}

impl RetrievalQuality {
    /// Quality with the default penalty for a fallback.
    pub fn from_retrieval(base_score: f64, fallback_flags: &[String]) -> Self {
        Self::with_penalty(base_score, fallback_flags, RetrievalSettings::default().fallback_penalty)
    }

    /// Quality with the penalty of the settings.
    pub fn with_penalty(base_score: f64, fallback_flags: &[String], penalty: f64) -> Self {
        let fallback_active = !fallback_flags.is_empty();
        let base = unit(base_score);
        let adjusted = if fallback_active { base * unit(penalty) } else { base };
        Self {
            confidence_score: (adjusted * 1000.0).round() / 1000.0,
            confidence_level: ConfidenceLevel::of(adjusted),
            fallback_active,
            fallback_reasons: fallback_flags.to_vec(),
            degraded: fallback_active,
        }
    }
}

impl TransparencyStatement {
    /// What the user is told about this quality; nothing where there is nothing to tell.
    pub fn from_quality(quality: &RetrievalQuality, language: Language) -> Self {
        let messages = Messages::of(language);
        let statement = if quality.degraded {
            let reasons = quality.fallback_reasons.join(", ");
            Some(messages.text(Message::TransparencyFallback, &[("reasons", &reasons)]))
        } else if quality.confidence_level == ConfidenceLevel::Low {
            Some(messages.text(Message::TransparencyLow, &[]))
        } else {
            None
        };
        Self { show_to_user: statement.is_some(), statement }
    }

    /// The statement with a further remark, which is shown too.
    #[must_use]
    pub fn and(mut self, remark: &str) -> Self {
        let statement = match self.statement.take() {
            Some(before) => format!("{before} {remark}"),
            None => remark.to_owned(),
        };
        Self { statement: Some(statement), show_to_user: true }
    }
}

/// What confidence allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedAction {
    /// Answer, with citations.
    Cite,
    /// Show the evidence and its owner instead.
    Route,
    /// Refuse.
    Abstain,
}

/// Decides on the adjusted confidence: at or under `abstain_at` refuse, under `threshold` show the owner.
pub fn allowed_action(adjusted: u8, threshold: u8, abstain_at: u8) -> AllowedAction {
    if adjusted <= abstain_at {
        AllowedAction::Abstain
    } else if adjusted < threshold {
        AllowedAction::Route
    } else {
        AllowedAction::Cite
    }
}
