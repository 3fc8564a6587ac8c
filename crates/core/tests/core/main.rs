//! The journey's rules over small documents, one binary.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod checker;
mod compose;
mod contradictions;
mod dutch;
mod engine_about;
mod engine_access;
mod engine_answers;
mod engine_catalogue;
mod engine_check;
mod engine_curated;
mod engine_degradation;
mod engine_input;
mod engine_model;
mod engine_model_failures;
mod engine_observability;
mod engine_reader;
mod engine_records;
mod engine_retrieve;
mod engine_stopping;
mod engine_terminology;
mod fusion;
mod gates;
mod grounding;
mod honest;
mod liar;
mod numbers;
mod outcomes;
mod real_answers;
mod real_checks;
mod retrieval;
mod sample_prose;
mod settings_effects;
mod settings_files;
mod stream;
mod threshold_effects;
