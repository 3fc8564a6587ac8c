use plumbline_core::error::ErrorCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why a command other than a question failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HostErrorCode {
    /// The engine is still starting.
    Starting,
    /// What was named does not exist (any more).
    NotFound,
    /// Something else of the kind is running already.
    Busy,
    /// What was given cannot be used.
    InvalidInput,
    /// A file or folder could not be read or written.
    File,
    /// The system's keyring could not be used.
    Keyring,
    /// A server could not be reached.
    Unreachable,
    /// A fault of the program.
    Internal,
}

/// What the window branches on: the engine's codes and the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum CommandErrorCode {
    /// The engine's.
    Engine(ErrorCode),
    /// The host's.
    Host(HostErrorCode),
}

/// How a command fails: branch on the code, show the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CommandError {
    /// What the window branches on.
    pub code: CommandErrorCode,
    /// What the user reads: what failed and what to do.
    pub message: String,
}
