//! Ollama client, built-in embedder, reranker.

pub mod embedder;
pub mod ollama;
pub mod reranker;
