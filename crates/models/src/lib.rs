//! Ollama client, built-in embedder, reranker.
