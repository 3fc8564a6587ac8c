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
use crate::domain::Candidate;
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
    let mut numbers = Vec::new();
    for passage in next.cited {
        let is_same = |one: &Candidate| one.chunk.source_id == passage.chunk.source_id;
        let known = draft.cited.iter().position(is_same);
        numbers.push(known.unwrap_or(draft.cited.len()) + 1);
        draft.cited.extend(known.is_none().then_some(passage));
    }
    let among_all = |number: usize| number.checked_sub(1).and_then(|at| numbers.get(at)).copied();
    let behind = renumbered(&next.answer, |number| among_all(number).unwrap_or(number));
    // The same words may answer both; they are shown once.
    let shown: Vec<&str> = draft.answer.split("\n\n").collect();
    let new = behind.split("\n\n").filter(|block| !shown.contains(block));
    draft.answer = shown.iter().copied().chain(new).collect::<Vec<_>>().join("\n\n");
    draft.coverage = draft.coverage.min(next.coverage);
    draft.judged_by = JudgedBy::Cited;
    draft.warnings.extend(next.warnings);
    draft.passages_used += next.passages_used;
}
