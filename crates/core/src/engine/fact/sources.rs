//! Where a fact stands.

use std::time::Duration;

use crate::domain::{Document, DocumentId, FactField, Kind, Lane};
use crate::engine::reason::Outcome;
use crate::engine::services::Services;
use crate::engine::standing::disagrees;
use crate::engine::turn::Turn;
use crate::ports::{Hit, Scope};

/// The passages that state the fact: the record's own, the approval record's for who approved, and both where they
/// disagree. The field itself stands in the catalogue, so an index that fails costs the citation and not the answer.
pub(super) async fn sources_of_fact(
    services: &Services,
    turn: &mut Turn<'_>,
    document: &Document,
    field: FactField,
    values: &[String],
    scope: &Scope,
) -> Vec<Hit> {
    let approvable = matches!(document.kind, Kind::Adr | Kind::Principle | Kind::Policy);
    let approval = DocumentId::new(format!("{}d", document.id)).ok().filter(|_| approvable);
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
