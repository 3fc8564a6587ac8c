//! Everything behind the window over a real workspace: real files, real stores, the built-in embedder, no Ollama but a made-up
//! one.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checking;
mod contradictions;
mod conversations;
mod development;
mod drafts;
mod findings;
mod first_run;
mod folders;
mod old_workspace;
mod own_model;
mod questions;
mod services;
mod settings;
mod team;
mod team_memory;
mod test_host;
