//! Everything behind the window, without the window: one method for every command of the contract's table.
#![deny(missing_docs)]

mod asking;
mod batches;
mod checking;
mod clock;
mod conversations;
mod data;
mod decisions;
mod desktop;
mod development;
mod development_report;
mod documents;
mod error;
mod evaluating;
mod evaluation;
mod evaluation_report;
mod export;
mod findings;
mod golden_sets;
mod history;
mod host;
mod indexing;
mod library;
mod locks;
mod memory;
mod metrics;
mod models;
mod numbers;
mod own_model;
mod search;
mod settings;
mod startup;
mod tasks;
mod team;
mod texts;
mod vocabulary;
mod window;

pub use desktop::{Desktop, FileKind, OpenTarget};
pub use host::{Host, HostOptions};
pub use plumbline_library::{WORKER_ARGUMENT, WorkerCommand, serve_worker};
pub use plumbline_models::managed::{GUARD_ARGUMENT, GuardCommand, serve_guard};
pub use plumbline_workspace::WorkspaceOptions;
pub use plumbline_workspace::start_languages;
