use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;

use super::{PortError, Scope};
use crate::domain::{Collection, Document, DocumentFilter, DocumentId, Graph, Reference, SourceId};

/// A published generation of a library that is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    /// Where it is published.
    pub address: String,
    /// Its number.
    pub generation: u64,
    /// The day on which it was published.
    pub published: Date,
}

/// The list of all documents, with what they say of themselves.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// The collections that hold anything for this user, in the order of lists.
    async fn collections(&self, scope: &Scope) -> Result<Vec<Collection>, PortError>;

    /// The names of the sources that hold anything for this user, each once.
    async fn sources(&self, scope: &Scope) -> Result<Vec<String>, PortError>;

    /// The day that is "today" in this library, where it fixes one.
    fn as_of(&self) -> Option<Date>;

    /// All documents that a reference fits: none, one, or several where sources share a number.
    async fn resolve(&self, reference: &Reference, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError>;

    /// One document by its id.
    async fn document(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Arc<Document>>, PortError>;

    /// All documents that pass the filter, by type, number and title.
    async fn list(&self, filter: &DocumentFilter, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError>;

    /// The documents nearest to a reference that fits none, best first.
    async fn nearest(
        &self,
        reference: &Reference,
        limit: usize,
        scope: &Scope,
    ) -> Result<Vec<Arc<Document>>, PortError>;

    /// What the records that a user may see say of one another.
    async fn graph(&self, scope: &Scope) -> Result<Graph, PortError>;

    /// Which of these sources exist: the online auditor's question.
    async fn existing(&self, sources: &[SourceId], scope: &Scope) -> Result<Vec<SourceId>, PortError>;

    /// What a document was taken from, where it lies in none of the user's own folders.
    async fn edition(&self, _id: &DocumentId, _scope: &Scope) -> Result<Option<Edition>, PortError> {
        Ok(None)
    }
}
