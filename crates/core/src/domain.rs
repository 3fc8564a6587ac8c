//! What the documents are made of: identities, documents, chunks and their standing.

mod chunk;
mod document;
mod identity;

pub use crate::language::Language;
pub use chunk::{Candidate, Chunk, Lane, LaneRank, TextSpan};
pub use document::{Document, Standing};
pub use identity::{Collection, DocumentId, EmbedderFamily, InvalidId, Kind, SourceId};
