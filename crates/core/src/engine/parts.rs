//! Several questions in one text: answered one after the other, in the documents' own words.

use std::ops::ControlFlow;

use super::draft::{Draft, JudgedBy, renumbered};
use super::drafted;
use super::gate::Gated;
use super::records::Records;
use super::respond::conclude;
use super::services::Services;
use super::step::Step;
use super::turn::Turn;
use crate::error::AskError;
use crate::intent::Question;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::request::AskRequest;
use crate::response::AskResponse;

/// Evidence, gates and draft for each part, and one response of them. A part that cannot be answered is named; where none can, the
/// first one's refusal is the response.
pub(super) async fn from_parts(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    parts: Vec<Question>,
    scope: &Scope,
    records: &Records,
) -> Step<AskResponse> {
    let mut answered: Vec<(Gated, Draft)> = Vec::new();
    let mut refusal: Option<AskResponse> = None;
    let mut unanswered: Vec<String> = Vec::new();
    for part in parts {
        let text = part.text.clone();
        match drafted(services, turn, request, part, scope, records).await {
            ControlFlow::Continue(answer) => answered.push(answer),
            ControlFlow::Break(Ok(response)) => {
                unanswered.push(text);
                refusal.get_or_insert(response);
            }
            ControlFlow::Break(Err(problem)) => return ControlFlow::Break(Err(problem)),
        }
    }
    let mut answered = answered.into_iter();
    let Some((mut gated, mut draft)) = answered.next() else {
        return ControlFlow::Break(refusal.ok_or(AskError::EmptyQuestion));
    };
    for (other, next) in answered {
        add(&mut gated, &mut draft, other, next);
    }
    for text in unanswered {
        let words = Messages::of(turn.language).text(Message::WarningPartUnanswered, &[("part", &text)]);
        draft.warnings.push(words);
    }
    conclude(services, turn, scope, &gated, draft).await
}

/// Puts one answer behind another. The whole is as sure as the least sure of them.
fn add(gated: &mut Gated, draft: &mut Draft, other: Gated, next: Draft) {
    gated.likelihood = gated.likelihood.zip(other.likelihood).map(|(a, b)| a.min(b));
    gated.kept.extend(other.kept);
    gated.missing_words.extend(other.missing_words);
    draft.answer = format!("{}\n\n{}", draft.answer, renumbered(&next.answer, draft.cited.len()));
    draft.cited.extend(next.cited);
    draft.coverage = draft.coverage.min(next.coverage);
    draft.judged_by = JudgedBy::Cited;
    draft.warnings.extend(next.warnings);
    draft.passages_used += next.passages_used;
}
