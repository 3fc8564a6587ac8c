//! Relations and contradictions of real documents, held against truth tables.

pub mod contradictions;
mod corpora;
pub mod pairs;
pub mod relations;
