use std::collections::BTreeMap;

use jiff::civil::Date;
use plumbline_core::decisions::Relation;
use plumbline_core::domain::{Document, Language, TextSpan};
use serde::{Deserialize, Serialize};

use super::audience::access_key;
use super::team::Shared;
use crate::identity::{ReconciledDocument, Role};
use crate::reading::{Oddity, Unreadable, reason_in};

/// A document as the catalogue keeps it: what an answer needs to know of it, and who may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What answers and lists show.
    pub document: Document,
    /// Whether it belongs into lists: templates and index pages do not.
    pub listed: bool,
    /// Whether its passages can be found: those of a template cannot.
    pub searched: bool,
    /// The source it comes from.
    pub source: String,
    /// Whose it is.
    pub tenant: String,
    /// Who may see it; everybody where empty.
    pub access_tags: Vec<String>,
    /// The day it was first decided or written, by its own account.
    pub created: Option<Date>,
    /// What it says of other records.
    #[serde(default)]
    pub relations: Vec<Relation>,
}

impl Record {
    pub(crate) fn access(&self) -> String {
        access_key(&self.access_tags)
    }

    /// Whether passages written for one would do for the other: nothing that the engines index differs.
    pub(crate) fn is_indexed_like(&self, other: &Self) -> bool {
        let key = |record: &Self| {
            let document = &record.document;
            (
                document.id.clone(),
                document.collection.clone(),
                document.title.clone(),
                record.tenant.clone(),
                record.access(),
                record.searched,
            )
        };
        key(self) == key(other)
    }
}

impl From<ReconciledDocument> for Record {
    fn from(reconciled: ReconciledDocument) -> Self {
        Self {
            searched: reconciled.role != Role::Template,
            document: reconciled.document,
            listed: reconciled.listed,
            source: reconciled.source,
            tenant: reconciled.tenant,
            access_tags: reconciled.access_tags,
            created: reconciled.created,
            relations: reconciled.relations,
        }
    }
}

/// A file that the catalogue knows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileRow {
    pub id: i64,
    pub source: String,
    pub path: String,
    pub sha256: String,
    pub bytes: u64,
    pub reading: i64,
    /// As JSON.
    pub placement: String,
    /// As JSON.
    pub identity: Option<String>,
    pub problem: Option<FileProblem>,
    pub warnings: Vec<Oddity>,
}

/// Why a file is not in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProblem {
    /// A stable code.
    pub code: String,
    /// What is wrong and what to do, in English.
    pub reason: String,
    /// What the reason was made of, by name; catalogues of earlier versions hold the reason alone.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

impl FileProblem {
    pub(crate) fn of(unreadable: &Unreadable) -> Self {
        Self {
            code: unreadable.code().to_owned(),
            reason: unreadable.to_string(),
            values: unreadable.values(),
        }
    }

    /// What is wrong and what to do, as far as it is known in a reader's language.
    pub fn text(&self, language: Language) -> String {
        reason_in(language, &self.code, &self.values).unwrap_or_else(|| self.reason.clone())
    }
}

/// A file to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewFile {
    pub source: String,
    pub path: String,
    pub sha256: String,
    pub bytes: u64,
    pub reading: i64,
    pub placement: String,
    pub identity: Option<String>,
    pub problem: Option<FileProblem>,
    pub warnings: Vec<Oddity>,
    /// Where it comes from, if no folder holds it.
    pub shared: Option<Shared>,
}

/// A passage to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewChunk {
    pub position: u32,
    pub text: String,
    pub section_path: Vec<String>,
    pub page: Option<u32>,
    pub span: TextSpan,
    pub language: Language,
    /// Hash of what is embedded.
    pub embedded: String,
}

/// A passage as the catalogue holds it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChunkRow {
    pub key: i64,
    pub file: i64,
    pub position: u32,
    pub text: String,
    pub section_path: Vec<String>,
    pub page: Option<u32>,
    pub span: TextSpan,
    pub language: Language,
}

/// A vector table at a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableRow {
    pub collection: String,
    pub name: String,
    pub version: u64,
    /// Whether it holds every passage of its collection.
    pub complete: bool,
}

impl ChunkRow {
    /// The same passage, to be written anew.
    pub fn into_new(self, embedded: String) -> NewChunk {
        NewChunk {
            position: self.position,
            text: self.text,
            section_path: self.section_path,
            page: self.page,
            span: self.span,
            language: self.language,
            embedded,
        }
    }
}
