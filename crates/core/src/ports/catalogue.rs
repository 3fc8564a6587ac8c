use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;

use super::{PortError, Scope};
use crate::domain::{Collection, Document, DocumentId, Kind, SourceId, Standing};
use crate::intent::Reference;

/// Which documents a list is of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilter {
    /// Of these kinds; all listable ones where empty.
    pub kinds: Vec<Kind>,
    /// With this standing.
    pub standing: Option<Standing>,
    /// About this topic, as the user worded it.
    pub about: Option<String>,
    /// Owned by this person or team.
    pub owner: Option<String>,
    /// Of this year, by the document's own date.
    pub year: Option<i16>,
}

/// A field of a record that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactField {
    /// Its status.
    Status,
    /// When it was decided or last updated.
    Date,
    /// Who owns it.
    Owner,
    /// Who approved it.
    Approvers,
    /// What it replaces.
    Supersedes,
    /// What replaces it.
    SupersededBy,
    /// Its version.
    Version,
    /// Its title.
    Title,
}

impl FactField {
    /// The name in responses, packs and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Date => "date",
            Self::Owner => "owner",
            Self::Approvers => "approvers",
            Self::Supersedes => "supersedes",
            Self::SupersededBy => "superseded_by",
            Self::Version => "version",
            Self::Title => "title",
        }
    }
}

/// The list of all documents, with what they say of themselves.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// The collections that hold anything for this user, in the order of lists.
    async fn collections(&self, scope: &Scope) -> Result<Vec<Collection>, PortError>;

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

    /// Which of these sources exist: the online auditor's question.
    async fn existing(&self, sources: &[SourceId], scope: &Scope) -> Result<Vec<SourceId>, PortError>;
}
