use serde::{Deserialize, Serialize};

use super::DocumentId;
use crate::kinds::RelationKind;

/// What one record says of another, with the sentence that says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// The first.
    pub from: DocumentId,
    /// The second.
    pub to: DocumentId,
    /// In the direction from the first to the second.
    pub kind: RelationKind,
    /// The sentence, item, row or entry of front matter that says so.
    pub sentence: String,
    /// The document that it stands in: the first, or the second where it says "superseded by".
    pub said_in: DocumentId,
    /// The line on which it begins, from 1.
    pub line: u32,
}
