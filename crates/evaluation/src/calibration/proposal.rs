use std::collections::{BTreeMap, BTreeSet};

use plumbline_core::settings::Thresholds;
use serde::{Deserialize, Serialize};

use super::{Gauged, SWEPT, Swept};

/// The parts that the questions are cut into.
const FOLDS: usize = 5;

/// Fewer questions of a kind say nothing about a threshold.
const FEWEST: usize = 3;

/// A change must better the balanced error on unseen questions by this much.
const WORTH_IT: f64 = 0.01;

/// The seed's rule: more false refusals than this, and a threshold is too high.
const FALSE_REFUSALS: f64 = 0.10;

/// The seed's rule: more false answers than this, and it is too low.
const FALSE_ANSWERS: f64 = 0.01;

/// What `calibrate` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// How many questions the gates decide on.
    pub questions: usize,
    /// By collection and scorer.
    pub settled: Vec<Settled>,
    /// The changes that are worth it.
    pub proposals: Vec<Proposal>,
    /// What was measured for each question.
    pub measured: Vec<Measurement>,
}

/// What was measured for a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Its id.
    pub id: String,
    /// The collection and scorer that decide on it.
    pub section: String,
    /// Whether the library holds an answer.
    pub answerable: bool,
    /// Whether the gates refuse it with the thresholds in force.
    pub refused: bool,
    /// The cosine of the nearest passage.
    pub cosine: f64,
    /// The cosine of the nearest sentence.
    pub sentence_cosine: Option<f64>,
    /// The share of its words that the passages hold.
    pub coverage: f64,
    /// How likely an answer is.
    pub likelihood: Option<f64>,
}

impl Measurement {
    fn of(one: &Gauged<'_>, thresholds: &Thresholds) -> Self {
        let measured = &one.measured;
        Self {
            id: one.query.id.clone(),
            section: one.section.clone(),
            answerable: one.answerable,
            refused: measured.gates(thresholds).refusal.is_some(),
            cosine: measured.cosine(),
            sentence_cosine: measured.sentence_cosine(),
            coverage: measured.readings().by_words,
            likelihood: measured.answerability().map(|found| found.likelihood()),
        }
    }
}

/// Where a collection and scorer stand now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Such as `ADR_Local`.
    pub section: String,
    /// Questions with an answer.
    pub answerable: usize,
    /// Questions without.
    pub unanswerable: usize,
    /// What the thresholds in force do.
    pub now: TradeOff,
    /// What the seed's rule says to that, in a word: `lower`, `raise`, `conflict`, `keep`, or `too few`.
    pub rule: String,
    /// Each threshold, swept over all of the section's questions.
    pub swept: BTreeMap<String, Vec<TradeOff>>,
}

/// What a value trades.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TradeOff {
    /// The value; absent where it is about all thresholds in force.
    pub value: Option<f64>,
    /// Of the answerable, the share that the gates refuse.
    pub false_refusals: f64,
    /// Of the unanswerable, the share that they let through.
    pub false_answers: f64,
}

impl TradeOff {
    /// The mean of both shares.
    pub fn balanced_error(&self) -> f64 {
        f64::midpoint(self.false_refusals, self.false_answers)
    }
}

/// A change that is worth it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Such as `ADR_Local`.
    pub section: String,
    /// The threshold.
    pub field: String,
    /// Its value now.
    pub before: f64,
    /// The value that is proposed.
    pub after: f64,
    /// The balanced error now.
    pub error_before: f64,
    /// The balanced error on questions that the value was not chosen by.
    pub error_after: f64,
}

/// Sweeps every threshold of every section; one change at most is proposed for each section, the one that helps most.
pub fn calibrate(gauged: &[Gauged<'_>], thresholds: &Thresholds) -> Calibration {
    let sections: BTreeSet<&str> = gauged.iter().map(|one| one.section.as_str()).collect();
    let (mut settled, mut proposals) = (Vec::new(), Vec::new());
    for section in sections {
        let own: Vec<&Gauged<'_>> = gauged.iter().filter(|one| one.section == section).collect();
        let answerable = own.iter().filter(|one| one.answerable).count();
        let unanswerable = own.len() - answerable;
        let now = trade_off(&own, thresholds, None);
        let enough = answerable >= FEWEST && unanswerable >= FEWEST;
        let swept = SWEPT
            .iter()
            .map(|swept| {
                let values = swept.values().into_iter();
                let row = values.filter_map(|value| {
                    let tried = thresholds.with(section, swept.field, value).ok()?;
                    Some(trade_off(&own, &tried, Some(value)))
                });
                (swept.field.to_owned(), row.collect())
            })
            .collect();
        let rule = if enough { rule(&now) } else { "too few" };
        settled.push(Settled {
            section: section.to_owned(),
            answerable,
            unanswerable,
            now,
            rule: rule.to_owned(),
            swept,
        });
        if enough {
            let worth_it = SWEPT.iter().filter_map(|swept| proposal(section, swept, &own, thresholds));
            proposals.extend(worth_it.min_by(|a, b| a.error_after.total_cmp(&b.error_after)));
        }
    }
    let measured = gauged.iter().map(|one| Measurement::of(one, thresholds)).collect();
    Calibration { questions: gauged.len(), settled, proposals, measured }
}

fn rule(now: &TradeOff) -> &'static str {
    match (now.false_refusals > FALSE_REFUSALS, now.false_answers > FALSE_ANSWERS) {
        (true, false) => "lower",
        (false, true) => "raise",
        (true, true) => "conflict",
        (false, false) => "keep",
    }
}

fn trade_off(own: &[&Gauged<'_>], thresholds: &Thresholds, value: Option<f64>) -> TradeOff {
    let share = |answerable: bool, refused: bool| {
        let of: Vec<&&Gauged<'_>> = own.iter().filter(|one| one.answerable == answerable).collect();
        let wrong =
            of.iter().filter(|one| one.measured.gates(thresholds).refusal.is_some() == refused).count();
        if of.is_empty() { 0.0 } else { wrong as f64 / of.len() as f64 }
    };
    TradeOff { value, false_refusals: share(true, true), false_answers: share(false, false) }
}

/// A change of one threshold, judged on folds that it was not chosen by.
fn proposal(section: &str, swept: &Swept, own: &[&Gauged<'_>], thresholds: &Thresholds) -> Option<Proposal> {
    let before = thresholds.value(section, swept.field)?;
    let error_before = trade_off(own, thresholds, None).balanced_error();
    let folds = folds(own);
    let mut wrong = [0usize; 2];
    for fold in 0..FOLDS {
        let part = |held_out: bool| -> Vec<&Gauged<'_>> {
            let chosen = own.iter().zip(&folds).filter(|(_, of)| (**of == fold) == held_out);
            chosen.map(|(one, _)| *one).collect()
        };
        let chosen = best_value(section, swept, &part(false), thresholds, before)?;
        let tried = thresholds.with(section, swept.field, chosen).ok()?;
        for one in part(true) {
            let refused = one.measured.gates(&tried).refusal.is_some();
            wrong[usize::from(one.answerable)] += usize::from(refused == one.answerable);
        }
    }
    let of = |answerable: bool| own.iter().filter(|one| one.answerable == answerable).count() as f64;
    let error_after = f64::midpoint(wrong[0] as f64 / of(false), wrong[1] as f64 / of(true));
    let after = best_value(section, swept, own, thresholds, before)?;
    let worth_it = error_after + WORTH_IT <= error_before && (after - before).abs() > 1e-9;
    worth_it.then(|| Proposal {
        section: section.to_owned(),
        field: swept.field.to_owned(),
        before,
        after,
        error_before,
        error_after,
    })
}

/// The value with the least balanced error; among equals the one nearest to what is in force.
fn best_value(
    section: &str,
    swept: &Swept,
    own: &[&Gauged<'_>],
    thresholds: &Thresholds,
    before: f64,
) -> Option<f64> {
    let tried = swept.values().into_iter().filter_map(|value| {
        let error =
            trade_off(own, &thresholds.with(section, swept.field, value).ok()?, None).balanced_error();
        Some((error, (value - before).abs(), value))
    });
    tried.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(_, _, value)| value)
}

/// The fold of each question: both kinds spread evenly, by the order of their ids.
fn folds(own: &[&Gauged<'_>]) -> Vec<usize> {
    let mut seen = [0usize; 2];
    own.iter()
        .map(|one| {
            let place = &mut seen[usize::from(one.answerable)];
            *place += 1;
            *place % FOLDS
        })
        .collect()
}
