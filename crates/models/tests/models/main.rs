//! Models behind core's ports, against servers that answer as real ones do, and as no server should.

// Clippy knows a test by its attribute; these are the helpers of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cross_encoder;
mod door;
mod hostile;
mod managed;
mod ollama_connection;
mod ollama_diagnose;
mod ollama_embedder;
mod ollama_engine;
mod ollama_pipeline;
mod ollama_recordings;
mod ollama_reranker;
mod ollama_silent;
mod ollama_stopping;
mod ollama_support;
mod openai_embedder;
mod openai_recordings;
mod openai_servers;
mod reader;
