//! Refusals, each with its ways on.

use std::sync::Arc;

use super::blank::blank;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Candidate, Document, Language, Reference};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::refusal::{RefusalFacts, refusal_text};
use crate::request::Choice;
use crate::response::{
    Action, AskResponse, Clarification, NearestPassage, RefusalReason, RetrievalQuality, Suggestion,
    TransparencyStatement,
};

/// A refusal with its fixed text. What was on screen gives way to it.
pub(super) fn refuse(turn: &mut Turn<'_>, reason: RefusalReason, facts: &RefusalFacts) -> AskResponse {
    let flags = turn.context.fallback_flags();
    let quality = RetrievalQuality::with_penalty(0.0, &flags, turn.penalty);
    let mut response = blank(turn, Action::Refuse);
    response.answer = refusal_text(reason, facts, turn.language);
    response.refused = true;
    response.refusal_reason = Some(reason);
    // The refusal itself says what was missing; only what is degraded is worth a statement on top.
    if !flags.is_empty() {
        response.transparency = TransparencyStatement::from_quality(&quality, turn.language);
    }
    response.retrieval_quality = quality;
    turn.replace_shown(&response.answer);
    response
}

/// A refusal that shows the passages that came nearest and the documents they are from.
pub(super) fn refuse_near(
    turn: &mut Turn<'_>,
    reason: RefusalReason,
    facts: &RefusalFacts,
    nearest: &[Candidate],
) -> AskResponse {
    turn.audit.retrieval.no_context = true;
    let mut response = refuse(turn, reason, facts);
    let shown: &[Candidate] = if reason == RefusalReason::OffTopic { &[] } else { nearest };
    response.nearest = shown
        .iter()
        .take(numbers().refusal.ways_on)
        .map(|candidate| NearestPassage::of_chunk(&candidate.chunk, candidate.score()))
        .collect();
    let mut documents: Vec<&Arc<Document>> = Vec::new();
    for candidate in shown {
        if !documents.iter().any(|document| document.id == candidate.chunk.document.id) {
            documents.push(&candidate.chunk.document);
        }
    }
    response.suggestions = documents
        .into_iter()
        .take(numbers().refusal.ways_on)
        .map(|document| did_you_mean(document, turn.language))
        .collect();
    if response.suggestions.is_empty() {
        response.suggestions = what_there_is(&facts.searched, turn.language);
    }
    if reason == RefusalReason::LowConfidence {
        let question = Messages::of(turn.language).text(Message::ClarifyDetails, &[]);
        response.clarification = Some(Clarification { question, options: Vec::new() });
    }
    response
}

/// There is no record that a reference fits: the nearest are offered.
pub(super) async fn no_such_record(
    services: &Services,
    turn: &mut Turn<'_>,
    written: &str,
    references: &[Reference],
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    let facts = RefusalFacts {
        reference: Some(references.first().map_or_else(|| written.to_owned(), Reference::display)),
        ..RefusalFacts::default()
    };
    let mut response = refuse(turn, RefusalReason::EntityNotFound, &facts);
    for reference in references {
        let near = services.ports.catalogue.nearest(reference, numbers().refusal.ways_on, scope).await?;
        response.suggestions.extend(near.iter().map(|document| did_you_mean(document, turn.language)));
    }
    response.suggestions.truncate(numbers().refusal.ways_on);
    Ok(response)
}

/// Lists of what the library holds, for a question that nothing in it comes near.
pub(super) fn what_there_is(searched: &[String], language: Language) -> Vec<Suggestion> {
    let list = |collection: &String| match collection.as_str() {
        "ADR" => Some(Message::SuggestListAdr),
        "Principle" => Some(Message::SuggestListPrinciple),
        "Policy" => Some(Message::SuggestListPolicy),
        _ => None,
    };
    let words = searched.iter().filter_map(list).map(|message| Messages::of(language).text(message, &[]));
    words.map(|words| Suggestion { label: words.clone(), query: words, choice: None }).collect()
}

/// "Did you mean ADR-0012 (…)?"
pub(super) fn did_you_mean(document: &Document, language: Language) -> Suggestion {
    let messages = Messages::of(language);
    let reference = document.reference();
    let label = match document.number {
        Some(_) => messages
            .text(Message::SuggestDidYouMean, &[("reference", &reference), ("title", &document.title)]),
        // A document without a number goes by its title alone.
        None => messages.text(Message::SuggestDidYouMeanTerm, &[("term", &document.title)]),
    };
    Suggestion { label, query: reference, choice: Some(Choice::Document { id: document.id.to_string() }) }
}
