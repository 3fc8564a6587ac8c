//! The fact path: one field of one record, with the passage that states it.

use std::sync::Arc;
use std::time::Duration;

use plumbline_telemetry::{Route, names};

use super::blank::blank;
use super::clarify::which_document;
use super::reason::Outcome;
use super::refuse::no_such_record;
use super::services::Services;
use super::standing::{disagrees, notices_of, with_standing};
use super::turn::{Turn, destination_of};
use crate::domain::{Document, DocumentId, FactField, Kind, Lane, Reference};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::ports::{Hit, Scope};
use crate::response::{Action, AskResponse, Citation, FactAnswer, ListRow, Stage};

/// One field of one record.
pub(super) async fn fact(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &str,
    reference: &Reference,
    field: FactField,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.destination(destination_of(&[reference.kind]));
    turn.context.set_route(Route::Direct);
    let started = turn.begin(Stage::Catalogue);
    let found = services.ports.catalogue.resolve(reference, scope).await?;
    turn.end(started, Outcome::Ok);
    let document = match found.as_slice() {
        [] => {
            services.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["not_found"]);
            return no_such_record(
                services,
                turn,
                &reference.written,
                std::slice::from_ref(reference),
                scope,
            )
            .await;
        }
        [document] => Arc::clone(document),
        several => {
            services.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["ambiguous"]);
            return Ok(which_document(turn, reference, query, several));
        }
    };
    fact_of(services, turn, &document, field, scope).await
}

/// One field of this record.
pub(super) async fn fact_of(
    services: &Services,
    turn: &mut Turn<'_>,
    document: &Document,
    field: FactField,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.destination(destination_of(&[document.kind]));
    turn.context.set_route(Route::Direct);
    let values = values_of(services, document, field, scope).await?;
    let outcome = if values.is_empty() { "not_given" } else { names::FACT_LOOKUP_OK };
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [outcome]);

    let messages = Messages::of(turn.language);
    let mut response = blank(turn, Action::Cite);
    let shown = messages.all_of(&values);
    let sentence = messages.text(
        Message::of_fact(field, values.is_empty()),
        &[("reference", &document.reference()), ("value", &shown)],
    );
    let sources = sources_of_fact(services, turn, document, field, &values, scope).await;
    response.answer = cited(&sentence, 0, usize::from(!sources.is_empty()));
    if let (FactField::Status, true, Some(approval)) = (field, disagrees(document), &document.approval_status)
    {
        // Where record and approval record disagree, neither is kept back.
        let other = messages
            .text(Message::FactStatusApproval, &[("reference", &document.reference()), ("value", approval)]);
        response.answer = format!("{} {}", response.answer, cited(&other, 1, sources.len()));
    }
    response.citations =
        (1..).zip(&sources).map(|(number, hit)| Citation::of_chunk(number, &hit.chunk, 1.0)).collect();
    response.fact =
        Some(FactAnswer { document_id: document.id.to_string(), field: field.as_str().to_owned(), values });
    response.rows = vec![ListRow::from(document)];
    response.grounded = true;
    response.notices = notices_of(services, turn, &[document], scope).await?;
    response.transparency = with_standing(response.transparency, &response.notices);
    turn.show_whole(&response);
    Ok(response)
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
        FactField::Approvers => document.approvers.clone(),
        FactField::Version => document.version.clone().into_iter().collect(),
        FactField::Title => vec![document.title.clone()],
        FactField::Supersedes => named(services, &document.supersedes, scope).await?,
        FactField::SupersededBy => named(services, &document.superseded_by, scope).await?,
    })
}

/// Records by reference and title; one that the user may not see is not mentioned.
async fn named(services: &Services, ids: &[DocumentId], scope: &Scope) -> Result<Vec<String>, AskError> {
    let mut named = Vec::new();
    for id in ids {
        if let Some(document) = services.ports.catalogue.document(id, scope).await? {
            named.push(format!("{} ({})", document.reference(), document.title));
        }
    }
    Ok(named)
}

/// The passages that state the fact: the record's own, the approval record's for who approved, and both where they
/// disagree. The field itself stands in the catalogue, so an index that fails costs the citation and not the answer.
async fn sources_of_fact(
    services: &Services,
    turn: &mut Turn<'_>,
    document: &Document,
    field: FactField,
    values: &[String],
    scope: &Scope,
) -> Vec<Hit> {
    let approval = DocumentId::new(format!("{}d", document.id)).ok().filter(|_| document.kind == Kind::Adr);
    let ids: Vec<DocumentId> = std::iter::once(document.id.clone()).chain(approval.clone()).collect();
    let hits =
        match services.within_deadline("address", services.ports.index.address(&ids, None, scope)).await {
            Ok(hits) => hits,
            Err(problem) => {
                turn.end_lane(Lane::Address, Outcome::failed(problem), 0, Duration::ZERO);
                return Vec::new();
            }
        };
    let of = |id: &DocumentId, values: &[String]| {
        let own = || hits.iter().filter(|hit| hit.chunk.document.id == *id);
        let states = |hit: &&Hit| {
            !values.is_empty() && values.iter().all(|value| hit.chunk.text.contains(value.as_str()))
        };
        own().find(states).or_else(|| own().next()).cloned()
    };
    let in_approval = approval.as_ref().and_then(|id| of(id, values));
    match (field, in_approval) {
        (FactField::Approvers, Some(hit)) if hit.chunk.text.contains(values.first().map_or("", |v| v)) => {
            vec![hit]
        }
        (FactField::Status, Some(_)) if disagrees(document) => {
            let said: Vec<String> = document.approval_status.iter().cloned().collect();
            let other = approval.as_ref().and_then(|id| of(id, &said));
            of(&document.id, values).into_iter().chain(other).collect()
        }
        (_, other) => {
            let own = of(&document.id, values);
            let stated = |hit: &Hit| values.iter().all(|value| hit.chunk.text.contains(value.as_str()));
            match (own, other) {
                (Some(own), Some(other)) if !stated(&own) && stated(&other) => vec![other],
                (own, other) => own.or(other).into_iter().collect(),
            }
        }
    }
}

/// A sentence with the number of the passage that states it, where there is one.
fn cited(sentence: &str, before: usize, sources: usize) -> String {
    if sources > before {
        format!("{} [{}].", sentence.trim_end_matches('.'), before + 1)
    } else {
        sentence.to_owned()
    }
}
