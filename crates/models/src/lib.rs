//! Ollama client, built-in embedder, reranker.

pub mod bert;
pub mod embedder;
