//! Fields of a record that a question describes: "who signed for reading meters through the access server?"

use std::sync::Arc;

use super::{facts_of, values_of};
use crate::domain::{Document, DocumentId, FactField, Kind};
use crate::engine::gate::Gated;
use crate::engine::services::Services;
use crate::engine::step::{OrEnd, Step, respond};
use crate::engine::turn::Turn;
use crate::intent::FactQuery;
use crate::ports::Scope;

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
    for field in fields {
        if values_of(services, &document, *field, scope).await.or_end()?.is_empty() {
            return Step::Continue(());
        }
    }
    respond(facts_of(services, turn, &[document], fields, scope).await.or_end()?)
}

/// The record itself, or the one that an approval record approves.
async fn approved(services: &Services, document: &Arc<Document>, scope: &Scope) -> Option<Arc<Document>> {
    if document.kind != Kind::Dar {
        return Some(Arc::clone(document));
    }
    let id = DocumentId::new(document.id.as_str().strip_suffix('d')?).ok()?;
    services.ports.catalogue.document(&id, scope).await.ok().flatten()
}
