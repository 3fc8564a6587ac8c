//! Questions asked back: which interpretation, which document.

use std::sync::Arc;

use super::blank::blank;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Document, Reference};
use crate::error::AskError;
use crate::intent::Interpretation;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::request::Choice;
use crate::response::{Action, AskResponse, Clarification, ClarificationOption};

/// The question can be read in several ways: the user chooses among those that lead somewhere. `None` where
/// there is nothing to choose. `may_define` tells whether the vocabulary is one of them.
pub(super) async fn ask_back(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &str,
    interpretations: &[Interpretation],
    may_define: bool,
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
    for interpretation in interpretations {
        match interpretation {
            Interpretation::Define { .. } if !may_define => {}
            Interpretation::Define { term } => {
                let label = messages.text(Message::SuggestLookUp, &[("term", term)]);
                options.push(option(label, query, Choice::Define { term: term.clone() }));
            }
            Interpretation::SearchDocuments => {
                let label = messages.text(Message::SuggestSearchDocuments, &[("term", query)]);
                options.push(option(label, query, Choice::SearchDocuments));
            }
            Interpretation::Document { reference } => {
                let documents = services.ports.catalogue.resolve(reference, scope).await?;
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

/// A reference fits several documents: the user chooses.
pub(super) fn which_document(
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
