//! A development set: questions over real libraries, each with the behaviour, documents and words that a right answer has.

mod askable;
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

pub use askable::Askable;
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
    ask_for(
        engine,
        question,
        AskRequest { model: model.map(str::to_owned), ..request(question) },
        clock,
        stop,
    )
    .await
}

/// A question with the conversation before it; who asks is for the caller to say.
pub fn request(question: &Question) -> AskRequest {
    AskRequest { chat_history: question.history.clone(), ..AskRequest::new(&question.question) }
}

/// Asks one question as a request has it.
pub async fn ask_for<'q>(
    engine: &Engine,
    question: &'q Question,
    request: AskRequest,
    clock: &dyn Clock,
    stop: &CancellationToken,
) -> AskedOfSet<'q> {
    let before = clock.monotonic();
    let answer = engine.ask(request, stop, &|_| {}).await;
    AskedOfSet { question, answer, time: clock.monotonic().saturating_sub(before) }
}
