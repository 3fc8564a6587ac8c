//! Clients of model servers, built-in embedder, reader, reranker.

pub mod embedder;
pub mod pair_model;
pub mod reader;
pub mod reranker;
pub mod server;
