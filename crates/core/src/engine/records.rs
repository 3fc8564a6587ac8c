//! What a question asks the documents for.

use std::sync::Arc;

use crate::domain::{Document, FactField, Reference};

/// What the documents are asked for.
#[derive(Default)]
pub(super) struct Records {
    /// The records that the question names.
    pub documents: Vec<Arc<Document>>,
    /// Those that it names beside them and that do not exist.
    pub unknown: Vec<Reference>,
    /// Fields of a record that the question describes without naming it.
    pub fields: Vec<FactField>,
    /// The same, told by how the question is worded.
    pub worded: Vec<FactField>,
    /// The term that is asked for.
    pub term: Option<String>,
    /// The same where there is a vocabulary and it does not hold it.
    pub undefined: Option<String>,
}

impl Records {
    pub fn of(documents: Vec<Arc<Document>>) -> Self {
        Self { documents, ..Self::default() }
    }
}
