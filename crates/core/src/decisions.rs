//! The library as decisions that replace, refine, depend on and contradict one another.

mod kinds;
mod opposition;
mod phrases;
mod statement;

pub use crate::domain::{Graph, Reached, Relation, is_sentence};
pub use crate::kinds::RelationKind;
pub use kinds::{ContradictionKind, Mark};
pub use opposition::{Opposition, Side, Told, may_oppose, oppositions};
pub use statement::Sentence;
