use serde::{Deserialize, Serialize};

/// Another concept, by label and URI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConceptLink {
    /// Its preferred label.
    pub label: String,
    /// Its URI.
    pub uri: String,
}

/// A note of a concept under its own name; never a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConceptNote {
    /// What kind of note, such as `scopeNote`.
    pub kind: String,
    /// Its text, verbatim.
    pub text: String,
    /// Its language.
    pub language: Option<String>,
}

/// Which label of the concept the question used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum LabelMatch {
    /// The preferred label.
    Preferred,
    /// An alternative label.
    Alternative,
    /// A hidden label, such as a common misspelling.
    Hidden,
    /// A notation.
    Notation,
}

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
