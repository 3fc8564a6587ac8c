use std::sync::Arc;

use super::Engine;
use super::close::blank;
use super::turn::Turn;
use crate::domain::{Candidate, Document, Language};
use crate::error::AskError;
use crate::intent::{Reading, Reference};
use crate::messages::{Message, Messages};
use crate::ports::{LookupOutcome, Scope};
use crate::refusal::{RefusalFacts, refusal_text};
use crate::request::Choice;
use crate::response::{
    Action, AskResponse, Clarification, ClarificationOption, NearestPassage, RefusalReason, RetrievalQuality,
    Suggestion, TransparencyStatement,
};

/// How many ways on a refusal offers, and how many passages it shows.
pub(super) const WAYS_ON: usize = 3;

impl Engine {
    /// A refusal with its fixed text. What was on screen gives way to it.
    pub(super) fn refuse(
        &self,
        turn: &mut Turn<'_>,
        reason: RefusalReason,
        facts: &RefusalFacts,
    ) -> AskResponse {
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
        &self,
        turn: &mut Turn<'_>,
        reason: RefusalReason,
        facts: &RefusalFacts,
        nearest: &[Candidate],
    ) -> AskResponse {
        turn.audit.retrieval.no_context = true;
        let mut response = self.refuse(turn, reason, facts);
        let shown: &[Candidate] = if reason == RefusalReason::OffTopic { &[] } else { nearest };
        response.nearest = shown
            .iter()
            .take(WAYS_ON)
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
            .take(WAYS_ON)
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
        &self,
        turn: &mut Turn<'_>,
        written: &str,
        references: &[Reference],
        scope: &Scope,
    ) -> Result<AskResponse, AskError> {
        let facts = RefusalFacts {
            reference: Some(references.first().map_or_else(|| written.to_owned(), Reference::display)),
            ..RefusalFacts::default()
        };
        let mut response = self.refuse(turn, RefusalReason::EntityNotFound, &facts);
        for reference in references {
            let near = self.ports.catalogue.nearest(reference, WAYS_ON, scope).await?;
            response.suggestions.extend(near.iter().map(|document| did_you_mean(document, turn.language)));
        }
        response.suggestions.truncate(WAYS_ON);
        Ok(response)
    }

    /// The question can be read in several ways: the user chooses among those that lead somewhere. `None` where
    /// there is nothing to choose.
    pub(super) async fn ask_back(
        &self,
        turn: &mut Turn<'_>,
        query: &str,
        readings: &[Reading],
        scope: &Scope,
    ) -> Result<Option<AskResponse>, AskError> {
        let messages = Messages::of(turn.language);
        let option = |label, query: &str, choice| ClarificationOption {
            label,
            detail: None,
            query: query.to_owned(),
            choice,
        };
        let mut options = Vec::new();
        for reading in readings {
            match reading {
                Reading::Define { term } if !self.vocabulary_knows(term, turn.language).await => {}
                Reading::Define { term } => {
                    let label = messages.text(Message::SuggestLookUp, &[("term", term)]);
                    options.push(option(label, query, Choice::Define { term: term.clone() }));
                }
                Reading::SearchDocuments => {
                    let label = messages.text(Message::SuggestSearchDocuments, &[("term", query)]);
                    options.push(option(label, query, Choice::SearchDocuments));
                }
                Reading::Document { reference } => {
                    let documents = self.ports.catalogue.resolve(reference, scope).await?;
                    options.extend(
                        documents.iter().map(|document| document_option(document, &document.reference())),
                    );
                }
            }
        }
        if options.len() < 2 {
            return Ok(None);
        }
        let mut response = blank(turn, Action::Clarify);
        let question = messages.text(Message::PickerIntent, &[]);
        response.answer.clone_from(&question);
        response.clarification = Some(Clarification { question, options });
        turn.destination("picker");
        Ok(Some(response))
    }

    /// Whether looking the term up would lead anywhere; a vocabulary that cannot be asked is offered all the same.
    async fn vocabulary_knows(&self, term: &str, language: Language) -> bool {
        match &self.ports.vocabulary {
            Some(vocabulary) => match vocabulary.lookup(term, language).await {
                Ok(lookup) => lookup.outcome != LookupOutcome::NotFound,
                Err(_) => true,
            },
            None => false,
        }
    }

    /// A reference fits several documents: the user chooses.
    pub(super) fn which_document(
        &self,
        turn: &mut Turn<'_>,
        reference: &Reference,
        query: &str,
        documents: &[Arc<Document>],
    ) -> AskResponse {
        let mut response = blank(turn, Action::Clarify);
        let question =
            Messages::of(turn.language).text(Message::PickerDocument, &[("reference", &reference.display())]);
        let options = documents.iter().map(|document| document_option(document, query));
        response.answer.clone_from(&question);
        response.clarification = Some(Clarification { question, options: options.collect() });
        turn.destination("picker");
        response
    }
}

fn document_option(document: &Document, query: &str) -> ClarificationOption {
    let label = match document.number {
        Some(_) => format!("{}: {}", document.reference(), document.title),
        None => document.title.clone(),
    };
    ClarificationOption {
        label,
        detail: Some(document.path.clone()),
        query: query.to_owned(),
        choice: Choice::Document { id: document.id.to_string() },
    }
}

/// Lists of what the library holds, for a question that nothing in it comes near.
fn what_there_is(searched: &[String], language: Language) -> Vec<Suggestion> {
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
