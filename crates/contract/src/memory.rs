use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an entry of curated memory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Names the passages that answer a question.
    Pinned,
    /// Shapes the framing; never cited.
    Note,
}

/// A document, or a section of it, that an entry points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryPointer {
    /// The document's id.
    pub document_id: String,
    /// A heading in it; all of it where absent.
    pub section: Option<String>,
}

/// Why an entry is no longer used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Retired {
    /// What it points at and what has changed or gone.
    pub pointer: MemoryPointer,
    /// Why, in the user's language.
    pub reason: String,
}

/// An entry of curated memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryEntry {
    /// Its file, relative to the memory's folder; what it is known by.
    pub path: String,
    /// What it does.
    pub kind: MemoryKind,
    /// The question, or the note's title.
    pub title: String,
    /// What a question is compared with.
    pub phrasings: Vec<String>,
    /// What it points at.
    pub pointers: Vec<MemoryPointer>,
    /// What the curator wrote.
    pub text: String,
    /// Why it is no longer used; absent while it is.
    pub retired: Option<Retired>,
    /// The team library that it comes from, where it is not one's own; then it cannot be changed here.
    pub library: Option<String>,
}

/// An entry as the user writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryDraft {
    /// The file of the entry that it replaces; a new one is made where absent.
    pub path: Option<String>,
    /// What it does.
    pub kind: MemoryKind,
    /// The question, or the note's title.
    pub title: String,
    /// Other wordings.
    pub phrasings: Vec<String>,
    /// What it points at.
    pub pointers: Vec<MemoryPointer>,
    /// What the curator writes.
    pub text: String,
}

/// A file of the folder that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryProblem {
    /// Relative to the folder.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// The curated memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CuratedMemory {
    /// Where new entries are written; absent where the library has no folder for them.
    pub folder: Option<String>,
    /// Its entries, by file name.
    pub entries: Vec<MemoryEntry>,
    /// Files that are no entries.
    pub problems: Vec<MemoryProblem>,
}
