//! The library as decisions that replace, refine, depend on and contradict one another.

mod graph;
mod kinds;
mod relation;

pub use crate::kinds::RelationKind;
pub use graph::Graph;
pub use kinds::{ContradictionKind, Mark};
pub use relation::Relation;
