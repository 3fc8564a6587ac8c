use plumbline_core::domain::{Collection, Kind, Language, SourceId, Standing, TextSpan};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A document in the library's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentRow {
    /// Its id.
    pub id: String,
    /// As people write it, such as `ADR-0012`; its title where it has no number.
    pub reference: String,
    /// What it is.
    pub kind: Kind,
    /// The collection it is searched in.
    pub collection: Collection,
    /// Its number among its kind.
    pub number: Option<u32>,
    /// Its title.
    pub title: String,
    /// Its status, as written.
    pub status: Option<String>,
    /// Whether it is in force.
    pub standing: Standing,
    /// The day of its last update by its own account.
    pub date: Option<String>,
    /// Its owner.
    pub owner: Option<String>,
    /// Its language.
    pub language: Language,
    /// Where it lies, relative to its folder.
    pub path: String,
    /// How many passages it has.
    pub passages: u32,
}

/// Another document, by id and title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentLink {
    /// Its id.
    pub id: String,
    /// As people write it.
    pub reference: String,
    /// Its title.
    pub title: String,
}

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Passage {
    /// `{document_id}:{chunk_index}`.
    pub source_id: SourceId,
    /// Its headings, outermost first.
    pub section_path: Vec<String>,
    /// Its page.
    pub page: Option<u32>,
    /// Where it lies in the source file, in characters.
    pub span: TextSpan,
    /// Its text.
    pub text: String,
}

/// A passage between its neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PassageContext {
    /// The document it stands in.
    pub document: DocumentRow,
    /// The passage before it.
    pub before: Option<Passage>,
    /// The passage.
    pub passage: Passage,
    /// The passage after it.
    pub after: Option<Passage>,
}

/// An answer that cited a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CitedIn {
    /// The conversation.
    pub conversation_id: String,
    /// The question's id.
    pub turn_id: String,
    /// The question.
    pub question: String,
    /// When it was asked, ISO 8601.
    pub asked_at: String,
}

/// A document, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// As in the list.
    pub row: DocumentRow,
    /// Its version, as written.
    pub version: Option<String>,
    /// Who approved it.
    pub approvers: Vec<String>,
    /// Topic tags.
    pub tags: Vec<String>,
    /// The records that it replaces.
    pub supersedes: Vec<DocumentLink>,
    /// The records that replace it.
    pub superseded_by: Vec<DocumentLink>,
    /// Its passages, in order.
    pub passages: Vec<Passage>,
    /// Where it was cited, latest first.
    pub cited_in: Vec<CitedIn>,
}
