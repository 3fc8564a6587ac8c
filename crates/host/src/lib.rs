//! Everything behind the window, without the window: one method for every command of the contract's table.
#![deny(missing_docs)]

mod asking;
mod conversations;
mod data;
mod desktop;
mod error;
mod evaluation;
mod host;
mod library;
mod memory;
mod metrics;
mod models;
mod settings;
mod vocabulary;
mod window;

pub use desktop::{Desktop, FileKind, OpenTarget};
pub use host::{Host, HostOptions};
pub use plumbline_library::WorkerCommand;
pub use plumbline_workspace::WorkspaceOptions;
