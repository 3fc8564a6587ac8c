//! Whether the system knows when to refuse: questions with and without an answer in the library, the signals behind the
//! decision, and what they trade.

mod clapnq;
mod cross_validation;
mod curve;
mod logistic;
mod report;
mod word;

use plumbline_core::engine::{Engine, Measured};
use plumbline_core::error::AskError;
use plumbline_core::ports::Scope;
use plumbline_core::request::AskRequest;
use plumbline_core::response::AskResponse;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

pub use clapnq::{RefusalQuestion, RefusalSet};
pub use cross_validation::{FOLDS, REPEATS, Sample, cross_validated};
pub use curve::{CurvePoint, area_under_curve, curve};
pub use logistic::Logistic;
pub use report::{Decisions, QuestionReport, RefusalReport, SignalReport};

/// A question, what was measured for it, and what became of it.
#[derive(Debug, Clone)]
pub struct Observed<'q> {
    /// The question.
    pub question: &'q RefusalQuestion,
    /// The numbers behind the decision.
    pub signals: Signals,
    /// Whether it was refused.
    pub refused: bool,
    /// Whether a sentence that was shown is one of those that answer it.
    pub shows_gold: bool,
    /// The model's own word on whether the passages answer it, where one was asked.
    pub model_says: Option<bool>,
}

/// The numbers behind a decision.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// The cosine of the nearest passage.
    pub cosine: f64,
    /// The cosine of the nearest sentence, where sentences have vectors.
    pub sentence_cosine: Option<f64>,
    /// The best share of the question's words in one sentence, by idf.
    pub sentence_coverage: f64,
    /// How near the best passages are, read sentence by sentence.
    pub nearness: f64,
    /// How far the nearest document stands out.
    pub margin: f64,
    /// The share of the question's words, by idf, that the best passages hold.
    pub words: f64,
    /// What the product makes of them, 0 to 1.
    pub likelihood: f64,
}

impl Signals {
    fn of(measured: &Measured) -> Self {
        let answerability = measured.answerability();
        Self {
            cosine: measured.cosine(),
            sentence_cosine: measured.sentence_cosine(),
            sentence_coverage: measured.sentence_coverage(),
            nearness: answerability.map_or(0.0, |found| found.nearness),
            margin: answerability.map_or(0.0, |found| found.margin),
            words: answerability.map_or(0.0, |found| found.words),
            likelihood: answerability.map_or(0.0, |found| found.likelihood()),
        }
    }
}

/// Measures and asks one question. `word` has a model say whether the passages answer it.
pub async fn observe<'q>(
    engine: &Engine,
    question: &'q RefusalQuestion,
    word: Option<&dyn ModelsWord>,
    stop: &CancellationToken,
) -> Result<Observed<'q>, AskError> {
    let measured = engine.measure(&question.text, &Scope::default()).await?;
    let response = engine.ask(AskRequest::new(&question.text), stop, &|_| {}).await?;
    let model_says = match word {
        Some(word) => word.says(question, &measured).await,
        None => None,
    };
    Ok(Observed {
        question,
        signals: Signals::of(&measured),
        refused: response.refused,
        shows_gold: question.is_answered_by(&response),
        model_says,
    })
}

/// Asks a model for its own word; behind a trait, so that the report can be tested without one.
#[async_trait::async_trait]
pub trait ModelsWord: Send + Sync {
    /// Whether the passages answer the question; nothing where the model cannot be understood.
    async fn says(&self, question: &RefusalQuestion, measured: &Measured) -> Option<bool>;
}

impl RefusalQuestion {
    /// Whether an answer shows one of the sentences that answer the question.
    fn is_answered_by(&self, response: &AskResponse) -> bool {
        let shown = letters(&response.answer);
        !response.refused && self.gold.iter().any(|sentence| shown.contains(&letters(sentence)))
    }
}

/// A text without what typesetting changes.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
