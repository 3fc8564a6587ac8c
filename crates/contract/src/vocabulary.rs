use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A vocabulary of record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VocabularyInfo {
    /// Its id: the scheme's URI, or SKOSMOS's name for it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about, by its own account.
    pub description: Option<String>,
    /// `SKOSMOS`, or the file's name.
    pub source: String,
    /// Its version, as written.
    pub version: Option<String>,
    /// How many concepts it has; absent where the server does not tell.
    pub concepts: Option<u32>,
    /// What is wrong with it, a line each.
    pub defects: Vec<String>,
}

/// A concept in a list or in the hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConceptSummary {
    /// Its URI.
    pub uri: String,
    /// Its preferred label.
    pub label: String,
    /// The label that the search met, where that is another.
    pub matched_label: Option<String>,
    /// Its vocabulary's title.
    pub vocabulary: String,
    /// The first line of its definition.
    pub definition: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// How many narrower concepts it has.
    pub narrower: u32,
}
