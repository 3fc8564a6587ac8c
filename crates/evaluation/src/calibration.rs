//! Which thresholds suit a library, found from its golden set: each is swept, and a change is proposed only where it also
//! helps with questions that it was not chosen by.

mod proposal;
mod sweep;

use plumbline_core::engine::{Engine, Measured};
use plumbline_core::error::AskError;
use plumbline_core::ports::Scope;
use plumbline_core::response::RefusalReason;

use crate::golden::GoldenQuery;
use crate::quality::{AskedQuestion, Path, judge};

pub use proposal::{Calibration, Measurement, Proposal, Settled, TradeOff, calibrate};
pub use sweep::{SWEPT, Swept};

/// A question of the set with what the gates look at.
#[derive(Debug, Clone)]
pub struct Gauged<'q> {
    /// The question.
    pub query: &'q GoldenQuery,
    /// Whether the library holds an answer.
    pub answerable: bool,
    /// The collection and scorer whose thresholds decide on it, such as `ADR_Local`.
    pub section: String,
    /// What the gates look at.
    pub measured: Measured,
}

/// Measures every question that the gates decide on. Follow-ups are left out, since they mean something only in their
/// conversation, and so is what never comes to the gates: lists, facts,
/// terms, and records that do not exist.
pub async fn gauge<'q>(
    engine: &Engine,
    asked: &[AskedQuestion<'q>],
    mut done: impl FnMut(usize),
) -> Result<Vec<Gauged<'q>>, AskError> {
    let mut gauged = Vec::new();
    for one in asked {
        let query = one.query;
        let path = judge(query, &one.answer).path;
        let searched = matches!(path, Path::Extracts | Path::Model);
        let named_nothing = one
            .answer
            .as_ref()
            .is_ok_and(|response| response.refusal_reason == Some(RefusalReason::EntityNotFound));
        if !searched || named_nothing || query.expected.clarify || !query.history.is_empty() {
            continue;
        }
        let scope = Scope { user_tags: query.user_tags.clone(), ..Scope::default() };
        let measured = engine.measure(&query.query, &scope).await?;
        if let Some(best) = measured.passages().iter().max_by(|a, b| a.score().total_cmp(&b.score())) {
            let section = best.chunk.document.collection.qualified(measured.family());
            gauged.push(Gauged { query, answerable: !query.expected.abstain, section, measured });
        }
        done(gauged.len());
    }
    Ok(gauged)
}
