//! Fakes and servers, for tests only.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod documents;
pub mod docx_files;
pub mod dutch;
pub mod embedder;
pub mod facts;
mod facts_dutch;
mod facts_english;
pub mod faults;
pub mod folders;
pub mod ids;
pub mod liar;
pub mod library;
pub mod memory;
pub mod model;
pub mod ollama_server;
pub mod paraphrase;
pub mod pdf_files;
pub mod prng;
pub mod reader;
pub mod reranker;
pub mod rig;
pub mod shared_data;
pub mod skipping;
pub mod skosmos_server;
pub mod turns;
pub mod vocabulary;
