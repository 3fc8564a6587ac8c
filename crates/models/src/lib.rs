//! Ollama client, built-in embedder, reader, reranker.

pub mod embedder;
pub mod ollama;
pub mod pair_model;
pub mod reader;
pub mod reranker;
