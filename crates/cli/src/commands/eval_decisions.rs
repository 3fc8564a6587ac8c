//! Relations and contradictions of real documents, held against truth tables.

mod corpora;
pub mod relations;
