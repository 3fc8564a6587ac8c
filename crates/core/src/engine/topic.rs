//! The documents that speak of a topic: by its words, and by what the reader makes of passages that use others.

use std::sync::Arc;

use super::order::read_passages;
use super::reach::Sweep;
use super::retrieve::evidence_alone;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Document, DocumentFilter};
use crate::error::AskError;
use crate::intent::Question;
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::records::{is_listed, list_order};

/// The documents of a list that speak of its topic, in the catalogue's order.
pub(super) async fn speaking_of_topic(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    filter: &DocumentFilter,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    let mut documents = services.ports.catalogue.list(filter, scope).await?;
    if filter.about.is_none() || services.ports.reader.is_none() {
        return Ok(documents);
    }
    let numbers = &numbers().reader;
    let wanted = services.settings().retrieval.total_chunks;
    let evidence = evidence_alone(services, turn, question.clone(), scope, Sweep::Always, wanted).await?;
    let Some(mut evidence) = evidence else { return Ok(documents) };
    read_passages(services, turn, &mut evidence, numbers.listed).await;
    for candidate in &evidence.candidates {
        let document = &candidate.chunk.document;
        let speaks = candidate.read.is_some_and(|odds| odds >= numbers.speaks);
        if speaks && is_listed(filter, document) && !documents.iter().any(|known| known.id == document.id) {
            documents.push(Arc::clone(document));
        }
    }
    documents.sort_by(|a, b| list_order(a, b));
    Ok(documents)
}
