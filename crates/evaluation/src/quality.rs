//! How well the system answers the golden set: asked through the engine, held against what is expected, told as a report.

mod regression;
mod report;
mod support;
mod verdict;

use std::time::Duration;

use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::ports::Clock;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::AskResponse;
use tokio_util::sync::CancellationToken;

use crate::golden::{GoldenQuery, GoldenSet, Role};

pub use regression::{Change, Regression, compare};
pub use report::{
    AbstentionReport, Answered, CategoryReport, Failure, LatencyReport, Meta, Metrics, ModelReport,
    QualityReport, Score, SuccessMetric,
};
pub use support::{unresolved_citations, unsupported_tokens};
pub use verdict::{Fault, Path, Verdict, judge};

/// A question that was asked, with what came of it.
#[derive(Debug, Clone)]
pub struct AskedQuestion<'q> {
    /// The question.
    pub query: &'q GoldenQuery,
    /// What came back, or why nothing did.
    pub answer: Result<AskResponse, AskError>,
    /// How long it took.
    pub time: Duration,
}

/// How far asking is.
pub enum Step<'a, 'q> {
    /// This question is asked now.
    Asking(&'q GoldenQuery),
    /// This one is through.
    Asked(&'a AskedQuestion<'q>),
}

/// Asks every question, one after the other; `told` hears each when it begins and when it is through.
pub async fn ask_all<'q>(
    engine: &Engine,
    set: &'q GoldenSet,
    model: Option<&str>,
    clock: &dyn Clock,
    stop: &CancellationToken,
    mut told: impl FnMut(Step<'_, 'q>),
) -> Vec<AskedQuestion<'q>> {
    let mut asked = Vec::with_capacity(set.queries.len());
    for query in &set.queries {
        told(Step::Asking(query));
        let before = clock.monotonic();
        let answer = engine.ask(request(query, model), stop, &|_| {}).await;
        if answer == Err(AskError::Stopped) {
            break;
        }
        let through = AskedQuestion { query, answer, time: clock.monotonic().saturating_sub(before) };
        told(Step::Asked(&through));
        asked.push(through);
    }
    asked
}

/// A question of the set as a user's window sends it.
pub fn request(query: &GoldenQuery, model: Option<&str>) -> AskRequest {
    let turn = |turn: &crate::golden::Turn| match turn.role {
        Role::User => ChatMessage::user(&turn.content),
        Role::Assistant => ChatMessage::assistant(&turn.content),
    };
    AskRequest {
        user_tags: query.user_tags.clone(),
        chat_history: query.history.iter().map(turn).collect(),
        model: model.map(str::to_owned),
        ..AskRequest::new(&query.query)
    }
}
