//! Fields of a record that a question describes: "who signed for reading meters through the access server?"

use std::sync::Arc;

use super::{facts_of, values_of};
use crate::domain::{Document, DocumentId, FactField, Kind};
use crate::engine::evidence::Evidence;
use crate::engine::gate::Gated;
use crate::engine::services::Services;
use crate::engine::step::{OrEnd, Step, respond};
use crate::engine::turn::Turn;
use crate::intent::{FactQuery, Question, named_kinds};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::records::holds_all;

/// The fields that only a record has. Who owns something, its version and its date may as well be asked of what a record speaks of.
pub(in crate::engine) fn fields_of_described(query: &FactQuery) -> Vec<FactField> {
    let of_records = |field: &FactField| {
        matches!(
            field,
            FactField::Approvers | FactField::Deciders | FactField::Supersedes | FactField::SupersededBy
        )
    };
    let is_described = query.references.is_empty() && query.fields.iter().any(of_records);
    if is_described { query.fields.clone() } else { Vec::new() }
}

/// Ends the question with these fields of the record that it speaks of, where there is one that gives all of them. No passage has to say
/// who owns a record, or from when on it holds: what is looked for is the record.
pub(in crate::engine) async fn of_spoken_of(
    services: &Services,
    turn: &mut Turn<'_>,
    evidence: &Evidence,
    fields: &[FactField],
    scope: &Scope,
) -> Step<()> {
    if fields.is_empty() {
        return Step::Continue(());
    }
    let likely = evidence.answerability().map_or(0.0, |found| found.without_reading());
    if likely < numbers().answerability_read.possible {
        return Step::Continue(());
    }
    let mut found: Vec<Arc<Document>> = Vec::new();
    for candidate in &evidence.candidates {
        let document = approved(services, &candidate.chunk.document, scope).await;
        found.extend(document.filter(|document| !found.iter().any(|known| known.id == document.id)));
        if found.len() == numbers().several.documents {
            break;
        }
    }
    match entitled(&evidence.question, &found) {
        Some(document) => with_fields(services, turn, document, fields, scope).await,
        None => Step::Continue(()),
    }
}

/// The document whose title holds most of the question's words, if more than one; else the nearest.
fn entitled<'d>(question: &Question, found: &'d [Arc<Document>]) -> Option<&'d Arc<Document>> {
    let held = |document: &Arc<Document>| {
        let own = question.words.iter().filter(|word| named_kinds(word).is_empty());
        own.filter(|word| holds_all([*word], document)).count()
    };
    let most = found.iter().map(held).max().filter(|most| *most > 1);
    most.and_then(|most| found.iter().find(|document| held(document) == most)).or_else(|| found.first())
}

/// Ends the question with these fields of the record that was found first, where it gives all of them.
pub(in crate::engine) async fn of_found(
    services: &Services,
    turn: &mut Turn<'_>,
    gated: &Gated,
    fields: &[FactField],
    scope: &Scope,
) -> Step<()> {
    let Some(first) = gated.kept.first().filter(|_| !fields.is_empty()) else { return Step::Continue(()) };
    let Some(document) = approved(services, &first.chunk.document, scope).await else {
        return Step::Continue(());
    };
    with_fields(services, turn, &document, fields, scope).await
}

async fn with_fields(
    services: &Services,
    turn: &mut Turn<'_>,
    document: &Arc<Document>,
    fields: &[FactField],
    scope: &Scope,
) -> Step<()> {
    for field in fields {
        if values_of(services, document, *field, scope).await.or_end()?.is_empty() {
            return Step::Continue(());
        }
    }
    respond(facts_of(services, turn, &[Arc::clone(document)], fields, scope).await.or_end()?)
}

/// The record itself, or the one that an approval record approves.
async fn approved(services: &Services, document: &Arc<Document>, scope: &Scope) -> Option<Arc<Document>> {
    if document.kind != Kind::Dar {
        return Some(Arc::clone(document));
    }
    let id = DocumentId::new(document.id.as_str().strip_suffix('d')?).ok()?;
    services.ports.catalogue.document(&id, scope).await.ok().flatten()
}
