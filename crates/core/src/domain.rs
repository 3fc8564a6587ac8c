//! What the documents are made of: identities, documents, chunks and their standing.

mod catalogue;
mod chunk;
mod concept;
mod document;
mod graph;
mod identity;
mod opposition;
mod reading;
mod reference;
mod relation;
mod scale;

pub use crate::kinds::{About, FactField, Kind, Standing};
pub use crate::language::Language;
pub use catalogue::{DocumentFilter, Month, Months, NumberRange, Years};
pub use chunk::{Candidate, Chunk, Lane, LaneRank, Nearness, ReadOnce, TextSpan};
pub use concept::{ConceptLink, ConceptNote, LabelMatch};
pub use document::Document;
pub use graph::{Graph, Reached, is_sentence};
pub use identity::{Collection, DocumentId, EmbedderFamily, InvalidId, SourceId};
pub use opposition::{ContradictionKind, Mark, Opposition, Sentence, Side};
pub use reading::PassageReading;
pub use reference::Reference;
pub use relation::Relation;
pub use scale::CosineScale;
