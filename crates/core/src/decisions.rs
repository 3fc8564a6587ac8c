//! The library as decisions that replace, refine, depend on and contradict one another.

mod alternatives;
mod cases;
mod opposition;
mod phrases;
mod statement;

pub use crate::domain::{
    ContradictionKind, Graph, Mark, Opposition, Reached, Relation, Sentence, Side, is_sentence,
};
pub use crate::kinds::RelationKind;
pub use opposition::{Meaning, Told, may_oppose, oppositions, oppositions_in_any_words};
