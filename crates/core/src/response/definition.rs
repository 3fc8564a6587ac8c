use serde::{Deserialize, Serialize};

use crate::domain::{ConceptLink, ConceptNote, LabelMatch};

/// What the vocabulary of record says about a term. Copied by code, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Definition {
    /// The term that was asked for.
    pub term: String,
    /// Which label it met.
    pub matched: LabelMatch,
    /// The preferred label.
    pub preferred_label: String,
    /// Alternative labels.
    pub alternative_labels: Vec<String>,
    /// The definitions, verbatim; empty where the concept has none.
    pub definitions: Vec<String>,
    /// Scope notes, comments and examples under their own name.
    pub notes: Vec<ConceptNote>,
    /// The language of the definition.
    pub language: Option<String>,
    /// Whether that language is another than the one asked for.
    pub language_fallback: bool,
    /// Broader terms.
    pub broader: Vec<ConceptLink>,
    /// Narrower terms.
    pub narrower: Vec<ConceptLink>,
    /// Related terms.
    pub related: Vec<ConceptLink>,
    /// Whether the concept is deprecated.
    pub deprecated: bool,
    /// What replaces it.
    pub replaced_by: Vec<ConceptLink>,
    /// The vocabulary's title.
    pub vocabulary: String,
    /// The concept's URI.
    pub uri: String,
    /// `vocab-<slug>`.
    pub concept_id: String,
    /// When it was fetched or loaded.
    pub fetched_at: String,
    /// `SKOSMOS`, or the file's name.
    pub source: String,
}
