//! The library as decisions that replace, refine, depend on and contradict one another.

mod graph;
mod kinds;
mod opposition;
mod phrases;
mod relation;
mod statement;

pub use crate::kinds::RelationKind;
pub use graph::Graph;
pub use kinds::{ContradictionKind, Mark};
pub use opposition::{Opposition, Side, Told, may_oppose, oppositions};
pub use relation::Relation;
pub use statement::Sentence;
