//! What a concept of a vocabulary is made of.

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
