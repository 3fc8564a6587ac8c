use serde::{Deserialize, Serialize};

use super::cross_validation::{Sample, cross_validated};
use super::logistic::Logistic;
use super::{CurvePoint, Observed, Signals};

/// What `eval refusal` writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefusalReport {
    /// Questions with an answer.
    pub answerable: usize,
    /// Questions without.
    pub unanswerable: usize,
    /// What the product decides with the thresholds in force.
    pub decisions: Decisions,
    /// Each signal, judged on questions that its weights and threshold have not seen.
    pub signals: Vec<SignalReport>,
    /// The product's own signal as it is built in, with nothing fitted on this set.
    pub built_in: SignalReport,
    /// The weights that all of this set would give it: nearness, margin, words.
    pub fitted: Logistic,
    /// The same with the model's own word, on the questions that it was asked.
    pub with_model: Vec<SignalReport>,
    /// Each question with its numbers.
    pub questions: Vec<QuestionReport>,
}

/// A question with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionReport {
    /// Its id in the set.
    pub id: String,
    /// Whether the library holds an answer.
    pub answerable: bool,
    /// Whether it was refused.
    pub refused: bool,
    /// The numbers behind that.
    pub signals: Signals,
    /// The model's own word, where one was asked.
    pub model_says: Option<bool>,
}

/// What the product decides with the thresholds in force.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decisions {
    /// Of the unanswerable, the share that was answered.
    pub false_answers: f64,
    /// Of the answerable, the share that was refused.
    pub false_refusals: f64,
    /// Of the answerable whose sentences the set names, the share whose shown sentences hold one that answers; a refusal shows none.
    pub gold_sentence_shown: f64,
    /// The same of those that were answered.
    pub gold_sentence_shown_where_answered: f64,
}

/// How well a signal tells answerable from unanswerable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignalReport {
    /// Its name.
    pub name: String,
    /// How often an answerable question scores higher than an unanswerable one.
    pub area_under_curve: f64,
    /// The mean of false answers and false refusals, with the threshold that is best on the other folds.
    pub balanced_error: f64,
    /// False answers, with the threshold that refuses a tenth of the answerable on the other folds.
    pub false_answers_at_tenth: f64,
    /// The false refusals which that threshold really has.
    pub false_refusals_at_tenth: f64,
    /// The whole trade-off.
    pub curve: Vec<CurvePoint>,
}

impl RefusalReport {
    /// Judges all that was observed.
    pub fn of(observed: &[Observed<'_>]) -> Self {
        let all: Vec<&Observed<'_>> = observed.iter().collect();
        let signals = vec![
            signal("cosine of the best passage", &all, |one| vec![one.signals.cosine]),
            signal("coverage by the best sentence", &all, |one| vec![one.signals.sentence_coverage]),
            signal("answerability", &all, answerability),
        ];
        let asked: Vec<&Observed<'_>> = observed.iter().filter(|one| one.model_says.is_some()).collect();
        let with_model = if asked.is_empty() {
            Vec::new()
        } else {
            vec![
                signal("cosine of the best passage", &asked, |one| vec![one.signals.cosine]),
                signal("coverage by the best sentence", &asked, |one| vec![one.signals.sentence_coverage]),
                signal("answerability", &asked, answerability),
                signal("the model's word", &asked, |one| vec![word(one)]),
                signal("answerability and the model's word", &asked, |one| {
                    let mut numbers = answerability(one);
                    numbers.push(word(one));
                    numbers
                }),
            ]
        };
        Self {
            answerable: observed.iter().filter(|one| one.question.answerable).count(),
            unanswerable: observed.iter().filter(|one| !one.question.answerable).count(),
            decisions: decisions(observed),
            signals,
            built_in: signal("answerability as built in", &all, |one| vec![one.signals.likelihood]),
            fitted: Logistic::fit(&samples(&all, answerability)),
            with_model,
            questions: observed.iter().map(of_question).collect(),
        }
    }
}

fn of_question(one: &Observed<'_>) -> QuestionReport {
    QuestionReport {
        id: one.question.id.clone(),
        answerable: one.question.answerable,
        refused: one.refused,
        signals: one.signals,
        model_says: one.model_says,
    }
}

fn answerability(one: &Observed<'_>) -> Vec<f64> {
    vec![one.signals.nearness, one.signals.margin, one.signals.words]
}

fn word(one: &Observed<'_>) -> f64 {
    f64::from(u8::from(one.model_says.unwrap_or_default()))
}

fn samples(observed: &[&Observed<'_>], numbers: impl Fn(&Observed<'_>) -> Vec<f64>) -> Vec<Sample> {
    observed.iter().map(|one| (numbers(one), one.question.answerable)).collect()
}

fn signal(
    name: &str,
    observed: &[&Observed<'_>],
    numbers: impl Fn(&Observed<'_>) -> Vec<f64>,
) -> SignalReport {
    cross_validated(name, &samples(observed, numbers))
}

fn decisions(observed: &[Observed<'_>]) -> Decisions {
    let of = |answerable: bool| observed.iter().filter(move |one| one.question.answerable == answerable);
    let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    let named = || of(true).filter(|one| !one.question.gold.is_empty());
    let shown = named().filter(|one| one.shows_gold).count();
    Decisions {
        false_answers: share(of(false).filter(|one| !one.refused).count(), of(false).count()),
        false_refusals: share(of(true).filter(|one| one.refused).count(), of(true).count()),
        gold_sentence_shown: share(shown, named().count()),
        gold_sentence_shown_where_answered: share(shown, named().filter(|one| !one.refused).count()),
    }
}
