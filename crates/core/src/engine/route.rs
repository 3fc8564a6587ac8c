//! Where a question goes: to the vocabulary, to the catalogue, to the records it names, or to the documents.

use std::sync::Arc;

use super::clarify::{ask_back, which_document};
use super::records::Records;
use super::refuse::no_such_record;
use super::services::Services;
use super::step::{OrEnd, Step, respond};
use super::terminology::{chosen_concept, compare, define, define_bare};
use super::turn::Turn;
use super::{about, fact, graph, list, sketch, terms};
use crate::domain::{Document, DocumentFilter, DocumentId, Kind, Reference};
use crate::error::AskError;
use crate::intent::{Intent, IntentKind, Interpretation, Question, bare_number, policy_named};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::records::quoted_titles;
use crate::request::{AskRequest, Choice};

/// Ends the question where vocabulary or catalogue answer it; else the records that the documents are asked for.
pub(super) async fn route(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    intent: &Intent,
    scope: &Scope,
) -> Step<Records> {
    let question = &intent.question;
    match &request.choice {
        Some(Choice::Concept { uri }) => {
            let term =
                if let IntentKind::Terminology { term } = &intent.kind { term } else { &question.text };
            let undefined = chosen_concept(services, turn, term, uri).await?;
            return Step::Continue(Records { undefined, ..Records::default() });
        }
        Some(Choice::Define { term }) => {
            let undefined = define(services, turn, term, term, None).await?;
            return Step::Continue(Records { undefined, ..Records::default() });
        }
        Some(Choice::Document { id }) => return chosen_document(services, turn, intent, id, scope).await,
        Some(Choice::Draft { topic }) => {
            return respond(sketch::sketch(services, turn, request, topic, scope).await?);
        }
        Some(Choice::SearchDocuments) => return Step::Continue(Records::default()),
        None => {}
    }
    if let Some(asked) = &intent.list_if_known
        && let Some(query) = list::known(services, asked, scope).await.or_end()?
    {
        respond(list::list(services, turn, question, &query, scope).await.or_end()?)?;
    }
    if let Some(query) = &intent.fact_if_named {
        let named = fact::named(services, question, query, scope).await.or_end()?;
        if !named.is_empty() {
            respond(fact::facts_of(services, turn, &named, &query.fields, scope).await.or_end()?)?;
        }
    }
    if let Some(query) = &intent.list_if_folder
        && !services.ports.catalogue.list(&query.filter, scope).await.or_end()?.is_empty()
    {
        respond(list::list(services, turn, question, query, scope).await.or_end()?)?;
    }
    if let Some(asked) = &intent.list_if_known
        && let Some(response) = list::speaking(services, turn, question, asked, scope).await.or_end()?
    {
        respond(response)?;
    }
    // Who names a record by its title asks about that.
    if let Some(asked) = &intent.list_if_worded
        && named_in_words(services, question, scope).await.or_end()?.is_empty()
        && let Some(response) = list::worded(services, turn, question, asked, scope).await.or_end()?
    {
        respond(response)?;
    }
    if let Some(terms) = &intent.compared {
        compare(services, turn, &question.text, terms).await?;
    }
    if let (IntentKind::Semantic | IntentKind::Unclear { .. }, Some(term)) =
        (&intent.kind, &intent.term_if_known)
    {
        define_bare(services, turn, &question.text, term).await?;
    }
    match &intent.kind {
        IntentKind::About { what } => {
            respond(about::about(services, turn, request, what, scope).await.or_end()?)
        }
        IntentKind::Terminology { term } => {
            let or_else = intent.term_if_known.as_deref();
            let undefined = define(services, turn, &question.text, term, or_else).await?;
            let named = named_in_words(services, question, scope).await.or_end()?;
            Step::Continue(Records { term: Some(term.clone()), undefined, ..Records::of(named) })
        }
        IntentKind::Terms { topic } => {
            let undefined = terms::terms_about(services, turn, &question.text, topic).await?;
            Step::Continue(Records { undefined, ..Records::default() })
        }
        IntentKind::List(query) => {
            respond(list::list(services, turn, question, query, scope).await.or_end()?)
        }
        IntentKind::Fact(query) => {
            respond(fact::fact(services, turn, question, query, scope).await.or_end()?)
        }
        IntentKind::Graph(query) => {
            Step::Continue(Records::of(graph::graph(services, turn, question, query, scope).await?))
        }
        IntentKind::Draft { topic } => respond(sketch::sketch(services, turn, request, topic, scope).await?),
        IntentKind::Entity { references } => named_records(services, turn, question, references, scope).await,
        IntentKind::Unclear { interpretations }
            if intent.confidence < numbers().intent.picker_below && request.chat_history.is_empty() =>
        {
            let may_define = match interpretations.first() {
                Some(Interpretation::Define { term }) => {
                    define_bare(services, turn, &question.text, term).await?
                }
                _ => false,
            };
            let asked_back = ask_back(services, turn, &question.text, interpretations, may_define, scope);
            match asked_back.await.or_end()? {
                Some(picker) => respond(picker),
                None => Step::Continue(Records::default()),
            }
        }
        IntentKind::Unclear { .. } | IntentKind::Semantic => {
            let mut named = by_number_alone(services, turn, question, scope).await?;
            if named.is_empty() {
                named = named_in_words(services, question, scope).await.or_end()?;
            }
            let worded = intent.fact_if_worded.as_ref();
            if let (Some(query), [_]) = (worded, named.as_slice()) {
                respond(fact::facts_of(services, turn, &named, &query.fields, scope).await.or_end()?)?;
            }
            let fields = intent.fact_if_named.as_ref().map(fact::fields_of_described).unwrap_or_default();
            let worded = worded.map(|query| query.fields.clone()).unwrap_or_default();
            Step::Continue(Records { fields, worded, ..Records::of(named) })
        }
    }
}

/// A question that names records: their own passages answer it, or there are no such records.
async fn named_records(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    references: &[Reference],
    scope: &Scope,
) -> Step<Records> {
    let mut records = Records::default();
    for reference in references {
        let documents = services.ports.catalogue.resolve(reference, scope).await.or_end()?;
        let documents = fact::of_named_source(question, documents);
        match documents.as_slice() {
            [] => records.unknown.push(reference.clone()),
            [document] if records.documents.iter().any(|known| known.id == document.id) => {}
            [document] => records.documents.push(Arc::clone(document)),
            several => return respond(which_document(turn, reference, &question.text, several)),
        }
    }
    if records.documents.is_empty() {
        let refusal = no_such_record(services, turn, &question.text, &records.unknown, scope).await;
        return respond(refusal.or_end()?);
    }
    Step::Continue(records)
}

/// The record that a question names by a number alone; it asks back where records of several kinds have it.
async fn by_number_alone(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    scope: &Scope,
) -> Step<Vec<Arc<Document>>> {
    let Some((_, reference)) = bare_number(&question.text).filter(|_| question.wish.is_for_a_record()) else {
        return Step::Continue(Vec::new());
    };
    let mut found = Vec::new();
    for kind in [Kind::Adr, Kind::Principle] {
        let of_kind = Reference { kind, ..reference.clone() };
        found.extend(services.ports.catalogue.resolve(&of_kind, scope).await.or_end()?);
    }
    if found.len() > 1 {
        return respond(which_document(turn, &reference, &question.text, &found));
    }
    Step::Continue(found)
}

/// The document that a question names by its subject or quotes by its title, where there is exactly one of that name.
async fn named_in_words(
    services: &Services,
    question: &Question,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    if let Some(reference) = policy_named(question) {
        let found = services.ports.catalogue.resolve(&reference, scope).await?;
        if found.len() == 1 {
            return Ok(found);
        }
    }
    if question.quoted.is_empty() {
        return Ok(Vec::new());
    }
    let all = services.ports.catalogue.list(&DocumentFilter::default(), scope).await?;
    let found = quoted_titles(question, &all);
    Ok(if found.len() == 1 { found } else { Vec::new() })
}

/// What was asked, about the document that was picked for it.
async fn chosen_document(
    services: &Services,
    turn: &mut Turn<'_>,
    intent: &Intent,
    id: &str,
    scope: &Scope,
) -> Step<Records> {
    let document = match DocumentId::new(id) {
        Ok(id) => services.ports.catalogue.document(&id, scope).await.or_end()?,
        Err(_) => None,
    };
    match (document, &intent.kind) {
        (Some(document), IntentKind::Fact(query)) => {
            respond(fact::facts_of(services, turn, &[document], &query.fields, scope).await.or_end()?)
        }
        (Some(document), _) => Step::Continue(Records::of(vec![document])),
        (None, _) => respond(no_such_record(services, turn, id, intent.references(), scope).await.or_end()?),
    }
}
