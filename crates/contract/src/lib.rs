//! What crosses to the window: requests, events, responses, error codes and the one table of commands.
//!
//! The types are core's own; this crate names those that cross, and writes them down in TypeScript.
#![deny(missing_docs)]

mod commands;
mod typescript;

pub use commands::{COMMANDS, Command};
pub use plumbline_core::breaker::BannerItem;
pub use plumbline_core::error::{ErrorCode, ErrorReport};
pub use plumbline_core::request::AskRequest;
pub use plumbline_core::response::{AnswerEvent, AskResponse};
pub use plumbline_core::settings::Settings;
pub use typescript::{GeneratedFile, generated_files};
