//! Whether what tells an answer from a near miss carries over: questions with and without an answer, measured on libraries that the
//! weights were not fitted to.

use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::ports::Scope;
use plumbline_core::retrieval::Answerability;
use serde::Serialize;

use crate::questions::{Behaviour, Question};
use crate::refusal::{CurvePoint, Logistic, area_under_curve};

/// A question to a library that answers it, or that does not.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// The library.
    pub library: String,
    /// The question.
    pub id: String,
    /// Whether the library holds the answer.
    pub answerable: bool,
    /// How near the best passages come.
    pub nearness: f64,
    /// How far the nearest document stands out.
    pub margin: f64,
    /// The share of the question's words that the best passages hold.
    pub words: f64,
    /// The reader's log-odds for the best passage.
    pub read: Option<f64>,
    /// The likelihood by the numbers in force.
    pub likelihood: f64,
}

/// Measures a question that documents answer, or that none does. Nothing comes of questions of other kinds and of follow-ups: they
/// take other ways.
pub async fn try_question(engine: &Engine, question: &Question) -> Result<Option<Tried>, AskError> {
    let answerable = match question.expected.behaviour {
        Behaviour::Answer => true,
        Behaviour::Refuse => false,
        _ => return Ok(None),
    };
    if !question.history.is_empty() {
        return Ok(None);
    }
    let measured = engine.measure(&question.question, &Scope::default()).await?;
    Ok(of(question, answerable, measured.answerability()))
}

fn of(question: &Question, answerable: bool, found: Option<Answerability>) -> Option<Tried> {
    let found = found?;
    Some(Tried {
        library: question.library.clone(),
        id: question.id.clone(),
        answerable,
        nearness: found.nearness,
        margin: found.margin,
        words: found.words,
        read: found.read,
        likelihood: found.likelihood(),
    })
}

/// How well answers are told from near misses.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerabilityReport {
    /// Without the reader's word and with it.
    pub rules: Vec<RuleReport>,
    /// What was measured.
    pub tried: Vec<Tried>,
}

/// One way to weigh what was measured.
#[derive(Debug, Clone, Serialize)]
pub struct RuleReport {
    /// Whether the reader has a word in it.
    pub with_reader: bool,
    /// Fitted on everything: nearness, margin and words, in this order; with the reader its word and the margin.
    pub fitted: Logistic,
    /// For each library, fitted on all others.
    pub left_out: Vec<LeftOut>,
}

/// A library judged by weights that do not know it.
#[derive(Debug, Clone, Serialize)]
pub struct LeftOut {
    /// The library.
    pub library: String,
    /// How many were answerable, and how many not.
    pub counts: (usize, usize),
    /// How often an answerable one scores higher.
    pub area_under_curve: f64,
    /// At even odds: false refusals and false answers.
    pub at_even_odds: CurvePoint,
}

impl AnswerabilityReport {
    /// Fits and judges.
    pub fn of(tried: Vec<Tried>) -> Self {
        let rules = [false, true].into_iter().filter_map(|with_reader| rule(&tried, with_reader)).collect();
        Self { rules, tried }
    }
}

fn rule(tried: &[Tried], with_reader: bool) -> Option<RuleReport> {
    // Where the reader read nothing, it has no word.
    let tried: Vec<&Tried> = tried.iter().filter(|one| !with_reader || one.read.is_some()).collect();
    if tried.is_empty() {
        return None;
    }
    let sample = |one: &Tried| {
        // As in the engine.
        let numbers = match one.read.filter(|_| with_reader) {
            Some(read) => vec![read, one.margin],
            None => vec![one.nearness, one.margin, one.words],
        };
        (numbers, one.answerable)
    };
    let mut libraries: Vec<&String> = tried.iter().map(|one| &one.library).collect();
    libraries.sort();
    libraries.dedup();
    let left_out = libraries.into_iter().map(|library| {
        let (own, others): (Vec<&Tried>, Vec<&Tried>) =
            tried.iter().copied().partition(|one| &one.library == library);
        let fitted = Logistic::fit(&others.into_iter().map(sample).collect::<Vec<_>>());
        let scored: Vec<(f64, bool)> = own
            .into_iter()
            .map(sample)
            .map(|(numbers, truth)| (fitted.likelihood(&numbers), truth))
            .collect();
        let answerable = scored.iter().filter(|(_, truth)| *truth).count();
        LeftOut {
            library: library.clone(),
            counts: (answerable, scored.len() - answerable),
            area_under_curve: area_under_curve(&scored),
            at_even_odds: CurvePoint::at(0.5, &scored),
        }
    });
    let left_out = left_out.collect();
    let fitted = Logistic::fit(&tried.iter().copied().map(sample).collect::<Vec<_>>());
    Some(RuleReport { with_reader, fitted, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(library: &str, at: u8, answerable: bool) -> Tried {
        let towards = if answerable { 1.0 } else { -1.0 };
        Tried {
            library: library.to_owned(),
            id: at.to_string(),
            answerable,
            nearness: 0.5 + 0.01 * f64::from(at % 7),
            margin: 0.1,
            words: 0.5 + 0.01 * f64::from(at % 5),
            read: Some(towards * (2.0 + 0.1 * f64::from(at % 3))),
            likelihood: 0.5,
        }
    }

    #[test]
    fn a_library_is_judged_by_weights_that_do_not_know_it_and_the_reader_is_worth_its_word() {
        let all: Vec<Tried> = ["a", "b"]
            .into_iter()
            .flat_map(|library| (0..20).map(move |at| tried(library, at, at % 2 == 0)))
            .collect();
        let report = AnswerabilityReport::of(all);
        let [alone, with] = report.rules.as_slice() else { panic!("two rules: {:?}", report.rules) };
        assert_eq!((alone.with_reader, with.with_reader), (false, true));
        assert_eq!((alone.fitted.weights.len(), with.fitted.weights.len()), (3, 2));
        let areas: Vec<f64> = with.left_out.iter().map(|library| library.area_under_curve).collect();
        assert_eq!(areas, [1.0, 1.0], "the reader tells all of them apart in both libraries");
        assert!(alone.left_out[0].area_under_curve < 0.9, "the other numbers say nothing here");
    }

    #[test]
    fn without_a_reader_there_is_one_rule() {
        let all = (0..20).map(|at| Tried { read: None, ..tried("a", at, at % 2 == 0) }).collect();
        assert_eq!(AnswerabilityReport::of(all).rules.len(), 1);
    }
}
