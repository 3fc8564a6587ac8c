//! The documents that a text names, and where.

use std::ops::Range;
use std::sync::Arc;

use super::codes::coded;
use super::services::Services;
use crate::domain::Document;
use crate::error::AskError;
use crate::intent::references;
use crate::ports::Scope;

/// A place where a text names a document.
pub(super) struct Naming {
    pub range: Range<usize>,
    pub written: String,
    /// What it can mean: none where there is no such document, several where sources share a number.
    pub documents: Vec<Arc<Document>>,
}

/// Every document that a text names by number, id, file or code, in the order of the text.
pub(super) async fn namings(services: &Services, text: &str, scope: &Scope) -> Result<Vec<Naming>, AskError> {
    let mut namings: Vec<Naming> = Vec::new();
    for (range, _, document) in coded(services, text, scope).await? {
        namings.push(Naming { written: text[range.clone()].to_owned(), range, documents: vec![document] });
    }
    for (range, reference) in references(text) {
        // The number in an id is part of it.
        if namings.iter().any(|id| id.range.start < range.end && range.start < id.range.end) {
            continue;
        }
        let documents = services.ports.catalogue.resolve(&reference, scope).await?;
        namings.push(Naming { written: text[range.clone()].to_owned(), range, documents });
    }
    namings.sort_by_key(|naming| naming.range.start);
    Ok(namings)
}

/// The documents that are named, each once.
pub(super) fn distinct<'n>(namings: impl Iterator<Item = &'n Naming>) -> Vec<Arc<Document>> {
    let mut documents: Vec<Arc<Document>> = Vec::new();
    for document in namings.flat_map(|naming| &naming.documents) {
        if !documents.iter().any(|known| known.id == document.id) {
            documents.push(Arc::clone(document));
        }
    }
    documents
}
