//! The vocabulary of record: embedded SKOS index, SKOSMOS client, cache.

mod cache;
pub mod check;
pub mod embedded;
pub mod matching;
pub mod rdf;
pub mod skos;
pub mod skosmos;
pub mod source;
