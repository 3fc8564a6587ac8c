use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How far the engine's start is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Startup {
    /// On its way.
    Starting {
        /// What is being done, in the user's language.
        step: String,
        /// Steps done.
        done: u32,
        /// Steps in all.
        total: u32,
    },
    /// Questions can be asked.
    Ready,
    /// It cannot start.
    Failed {
        /// Why, and what to do.
        message: String,
    },
}

/// The server that passages go to, where that is another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RemoteServer {
    /// Host and port.
    pub host: String,
    /// Whether the connection is encrypted.
    pub encrypted: bool,
    /// Whether a token is sent along; never over an unencrypted connection.
    pub sends_token: bool,
}

/// What the whole window depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AppState {
    /// The program's version.
    pub version: String,
    /// How far the engine's start is.
    pub startup: Startup,
    /// Whether no folder has ever been added: the window then explains itself.
    pub first_run: bool,
    /// Whether the sample library is part of the library.
    pub sample_library: bool,
    /// The server that passages go to, where that is another machine.
    pub remote: Option<RemoteServer>,
    /// Whether a language model writes answers; without one they are extracts.
    pub answers_with_model: bool,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// How the window looks; kept apart from the engine's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Preferences {
    /// Light or dark.
    pub theme: Theme,
    /// Whether the list of conversations is folded away.
    pub sidebar_folded: bool,
}

/// Where the program keeps what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DataLocations {
    /// Indexes, history and settings.
    pub workspace: String,
    /// Logs and audit records.
    pub logs: String,
    /// The settings file.
    pub settings_file: String,
    /// Bytes that they take together.
    pub bytes: u64,
}
