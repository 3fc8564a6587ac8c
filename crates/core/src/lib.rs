//! The journey of one question, over ports.
//!
//! Read the modules in the order a question meets them: [`intent`] decides where it goes, [`retrieval`] pools and
//! filters what the lanes found, [`gates`] decide whether that is enough, [`budget`] and [`prompt`] prepare the
//! model's work, [`answer`] checks every marker and every sentence it wrote, [`confidence`] decides what the user
//! gets to see, and [`engine`] runs all of it and reports every stage.
#![deny(missing_docs)]

pub mod answer;
pub mod breaker;
pub mod budget;
pub mod confidence;
pub mod decisions;
pub mod detail;
pub mod domain;
pub mod engine;
pub mod error;
mod fold;
pub mod gates;
pub mod intent;
mod kinds;
pub mod language;
pub mod messages;
pub mod notices;
pub mod numbers;
pub mod ports;
pub mod prompt;
pub mod records;
pub mod refusal;
pub mod request;
pub mod response;
pub mod retrieval;
pub mod routing;
pub mod settings;
#[cfg(test)]
mod test_documents;
pub mod text;
