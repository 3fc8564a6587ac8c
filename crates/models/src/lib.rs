//! Clients of model servers, a server of our own, built-in embedder, reader, reranker.

pub mod embedder;
pub mod managed;
pub mod pair_model;
pub mod reader;
pub mod reranker;
pub mod server;
