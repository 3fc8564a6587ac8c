//! A development set: questions over real libraries, each with the behaviour, documents and words that a right answer has.

mod given;
mod matching;
mod question;
mod report;
mod score;
mod set;

use std::time::Duration;

use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::ports::Clock;
use plumbline_core::request::AskRequest;
use plumbline_core::response::AskResponse;
use tokio_util::sync::CancellationToken;

pub use given::Given;
pub use question::{Behaviour, Expected, Question};
pub use report::{Group, Lengths, Lists, QuestionReport, QuestionsReport};
pub use score::{Marks, score};
pub use set::{QuestionLibrary, QuestionSet};

/// A question that was asked, with what came of it.
#[derive(Debug, Clone)]
pub struct AskedOfSet<'q> {
    /// The question.
    pub question: &'q Question,
    /// What came back, or why nothing did.
    pub answer: Result<AskResponse, AskError>,
    /// How long it took.
    pub time: Duration,
}

/// Asks one question with the conversation before it, as a user's window sends it.
pub async fn ask<'q>(
    engine: &Engine,
    question: &'q Question,
    model: Option<&str>,
    clock: &dyn Clock,
    stop: &CancellationToken,
) -> AskedOfSet<'q> {
    let request = AskRequest {
        chat_history: question.history.clone(),
        model: model.map(str::to_owned),
        ..AskRequest::new(&question.question)
    };
    let before = clock.monotonic();
    let answer = engine.ask(request, stop, &|_| {}).await;
    AskedOfSet { question, answer, time: clock.monotonic().saturating_sub(before) }
}
