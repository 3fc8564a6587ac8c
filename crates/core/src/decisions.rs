//! The library as decisions that replace, refine, depend on and contradict one another.

mod kinds;

pub use crate::kinds::RelationKind;
pub use kinds::{ContradictionKind, Mark};
