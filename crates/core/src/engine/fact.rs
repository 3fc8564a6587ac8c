//! The fact path: fields of records, each with the passage that states it.

mod described;
mod named;
mod sources;

use std::sync::Arc;

use plumbline_telemetry::{Route, names};

use super::blank::blank;
use super::clarify::which_document;
use super::reason::Outcome;
use super::refuse::no_such_record;
use super::services::Services;
use super::standing::{disagrees, show_with_standing};
use super::turn::{Turn, destination_of};
use crate::domain::{Chunk, Document, DocumentId, FactField};
use crate::error::AskError;
use crate::intent::{FactQuery, Question};
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::{Hit, Scope};
use crate::response::{Action, AskResponse, Citation, FactAnswer, ListRow, Stage};
use crate::text::{STATUS, aspect_of_heading, sentences};

pub(super) use described::{fields_of_described, of_found, of_spoken_of};
pub(super) use named::{meant, named, of_named_source};
use sources::sources_of_fact;

/// Fields of the records that a question refers to.
pub(super) async fn fact(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &FactQuery,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    let kinds: Vec<_> = query.references.iter().map(|reference| reference.kind).collect();
    turn.destination(destination_of(&kinds));
    turn.context.set_route(Route::Direct);
    let started = turn.begin(Stage::Catalogue);
    let mut documents: Vec<Arc<Document>> = Vec::new();
    for reference in &query.references {
        let found = services.ports.catalogue.resolve(reference, scope).await?;
        match named::meant(question, &found).as_slice() {
            [] => {
                turn.end(started, Outcome::Ok);
                services.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["not_found"]);
                let missing = std::slice::from_ref(reference);
                return no_such_record(services, turn, &reference.written, missing, scope).await;
            }
            [document] => documents.push(Arc::clone(document)),
            several => {
                turn.end(started, Outcome::Ok);
                services.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["ambiguous"]);
                return Ok(which_document(turn, reference, &question.text, several));
            }
        }
    }
    turn.end(started, Outcome::Ok);
    facts_of(services, turn, &documents, &query.fields, scope).await
}

/// Fields of these records, a sentence each.
pub(super) async fn facts_of(
    services: &Services,
    turn: &mut Turn<'_>,
    documents: &[Arc<Document>],
    fields: &[FactField],
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    let kinds: Vec<_> = documents.iter().map(|document| document.kind).collect();
    turn.destination(destination_of(&kinds));
    turn.context.set_route(Route::Direct);
    let mut response = blank(turn, Action::Cite);
    let mut said = Said::default();
    for document in documents {
        for field in told(document, fields) {
            let answer = tell(services, turn, document, field, &mut said, scope).await?;
            response.fact.get_or_insert(answer);
        }
    }
    response.answer = said.sentences.join(" ");
    response.citations =
        (1..).zip(&said.sources).map(|(number, hit)| Citation::of_chunk(number, &hit.chunk, 1.0)).collect();
    response.rows = documents.iter().map(|document| ListRow::from(document.as_ref())).collect();
    response.rows.extend(related_rows(services, documents, fields, scope).await?);
    response.grounded = true;
    show_with_standing(services, turn, &mut response, documents, scope).await?;
    Ok(response)
}

/// Rows of the records that replace these, or are replaced by them, where that is what is asked.
async fn related_rows(
    services: &Services,
    documents: &[Arc<Document>],
    fields: &[FactField],
    scope: &Scope,
) -> Result<Vec<ListRow>, AskError> {
    let related = |document: &Document, field: &FactField| match field {
        FactField::Supersedes => document.supersedes.clone(),
        FactField::SupersededBy => document.superseded_by.clone(),
        _ => Vec::new(),
    };
    let mut ids: Vec<DocumentId> = Vec::new();
    for document in documents {
        ids.extend(fields.iter().flat_map(|field| related(document, field)));
    }
    let mut rows = Vec::new();
    for id in &ids {
        let found = services.ports.catalogue.document(id, scope).await?;
        rows.extend(found.map(|document| ListRow::from(document.as_ref())));
    }
    Ok(rows)
}

/// The fields that are told. Who decided is no approval, and the other way round: where a record gives only one of them,
/// what is asked is said to be missing and the other is told by its own name.
fn told(document: &Document, fields: &[FactField]) -> Vec<FactField> {
    let mut told = Vec::new();
    for field in fields {
        told.push(*field);
        let other = match field {
            FactField::Approvers if document.approvers.is_empty() => {
                (FactField::Deciders, &document.deciders)
            }
            FactField::Deciders if document.deciders.is_empty() => {
                (FactField::Approvers, &document.approvers)
            }
            _ => continue,
        };
        if !other.1.is_empty() && !fields.contains(&other.0) {
            told.push(other.0);
        }
    }
    told
}

/// What has been said, and the passages that state it.
#[derive(Default)]
struct Said {
    sentences: Vec<String>,
    sources: Vec<Hit>,
}

impl Said {
    /// A sentence with the number of the passage that states it, where there is one.
    fn say(&mut self, sentence: String, source: Option<&Hit>) {
        let Some(hit) = source else { return self.sentences.push(sentence) };
        let known = self.sources.iter().position(|known| known.chunk.source_id == hit.chunk.source_id);
        let at = known.unwrap_or(self.sources.len());
        if known.is_none() {
            self.sources.push(hit.clone());
        }
        self.sentences.push(format!("{} [{}].", sentence.trim_end_matches('.'), at + 1));
    }
}

/// What a record gives as one of its fields, in a sentence.
pub(super) async fn said_of(
    services: &Services,
    turn: &Turn<'_>,
    document: &Document,
    field: FactField,
    scope: &Scope,
) -> Result<String, AskError> {
    let values = values_of(services, document, field, scope).await?;
    Ok(sentence(turn, document, field, &values))
}

fn sentence(turn: &Turn<'_>, document: &Document, field: FactField, values: &[String]) -> String {
    let messages = Messages::of(turn.language);
    messages.text(
        Message::of_fact(field, values.is_empty()),
        &[("reference", &document.reference()), ("value", &messages.all_of(values))],
    )
}

/// Says one field of one record.
async fn tell(
    services: &Services,
    turn: &mut Turn<'_>,
    document: &Document,
    field: FactField,
    said: &mut Said,
    scope: &Scope,
) -> Result<FactAnswer, AskError> {
    let values = values_of(services, document, field, scope).await?;
    let outcome = if values.is_empty() { "not_given" } else { names::FACT_LOOKUP_OK };
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [outcome]);
    let messages = Messages::of(turn.language);
    let sources = sources_of_fact(services, turn, document, field, &values, scope).await;
    said.say(sentence(turn, document, field, &values), sources.first());
    if let (FactField::Status, Some(source)) = (field, sources.first()) {
        beside_status(&source.chunk, &values).into_iter().for_each(|more| said.say(more, Some(source)));
    }
    if let (FactField::Status, true, Some(approval)) = (field, disagrees(document), &document.approval_status)
    {
        // Where record and approval record disagree, neither is kept back.
        let other = messages
            .text(Message::FactStatusApproval, &[("reference", &document.reference()), ("value", approval)]);
        said.say(other, sources.get(1));
    }
    Ok(FactAnswer { document_id: document.id.to_string(), field: field.as_str().to_owned(), values })
}

/// What a section on the status says beside it, where it is short: "Not implemented yet."
fn beside_status(chunk: &Chunk, values: &[String]) -> Vec<String> {
    let is_status = chunk.section().and_then(aspect_of_heading) == Some(STATUS);
    if !is_status || chunk.text.chars().count() > numbers().compose.summary_chars {
        return Vec::new();
    }
    let is_new =
        |sentence: &&str| !values.iter().any(|value| value.contains(*sentence) || sentence.contains(value));
    sentences(&chunk.text).into_iter().filter(is_new).map(str::to_owned).collect()
}

async fn values_of(
    services: &Services,
    document: &Document,
    field: FactField,
    scope: &Scope,
) -> Result<Vec<String>, AskError> {
    Ok(match field {
        FactField::Status => document.status.clone().into_iter().collect(),
        FactField::Date => document.date.map(|date| date.to_string()).into_iter().collect(),
        FactField::Owner => document.owner.clone().into_iter().collect(),
        FactField::Deciders => document.deciders.clone(),
        FactField::Approvers => document.approvers.clone(),
        FactField::Version => document.version.clone().into_iter().collect(),
        FactField::Title => vec![document.title.clone()],
        FactField::Supersedes => by_name(services, &document.supersedes, scope).await?,
        FactField::SupersededBy => by_name(services, &document.superseded_by, scope).await?,
    })
}

/// Records by reference and title; one that the user may not see is not mentioned.
async fn by_name(services: &Services, ids: &[DocumentId], scope: &Scope) -> Result<Vec<String>, AskError> {
    let mut named = Vec::new();
    for id in ids {
        if let Some(document) = services.ports.catalogue.document(id, scope).await? {
            named.push(format!("{} ({})", document.reference(), document.title));
        }
    }
    Ok(named)
}
