use std::fmt;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

/// Why a model is not fetched or does not run, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManagedError {
    /// No server's program is on this machine.
    NoProgram,
    /// A file that the settings name is not there.
    NoSuchFile(PathBuf),
    /// The settings name no model.
    NoModel,
    /// The settings name an address without the hash of what is there.
    NoHash,
    /// That is not a SHA-256.
    NotAHash(String),
    /// The model is not here yet.
    NotFetched,
    /// The weights alone are more than the server may take.
    TooLarge {
        /// Megabytes of the weights.
        megabytes: u64,
        /// Megabytes that are allowed.
        limit: u64,
    },
    /// What was downloaded is something else; it was thrown away.
    WrongHash {
        /// What it should have been.
        expected: String,
        /// What it was.
        found: String,
    },
    /// The download did not go on.
    Download {
        /// From where.
        address: String,
        /// What happened.
        why: Detail,
    },
    /// A file or process could not be used.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Another program runs the model of this workspace.
    Taken,
    /// The server ended by itself.
    Ended {
        /// How.
        status: String,
        /// Its last words.
        words: String,
    },
    /// The server took more memory than it may and was ended.
    Memory {
        /// Megabytes that are allowed.
        limit: u64,
    },
    /// The server did not begin to answer.
    NoStart {
        /// So many seconds were waited.
        seconds: u64,
        /// Its last words.
        words: String,
    },
    /// It is not running.
    NotRunning,
}

impl ManagedError {
    pub(super) fn file(path: &Path, problem: &std::io::Error) -> Self {
        Self::File { path: path.to_owned(), why: problem.to_string() }
    }

    /// What is wrong and what to do, as it is told in any language.
    pub fn detail(&self) -> Detail {
        let text = |words: &str| Detail::from(words.to_owned());
        match self {
            Self::NoProgram => Message::ManagedNoProgram.into(),
            Self::NoSuchFile(path) => {
                Detail::of(Message::ManagedNoFile, [("path", text(&path.display().to_string()))])
            }
            Self::NoModel => Message::ManagedNoModel.into(),
            Self::NoHash => Message::ManagedNoHash.into(),
            Self::NotAHash(given) => Detail::of(Message::ManagedNotAHash, [("given", text(given))]),
            Self::NotFetched => Message::ManagedNotFetched.into(),
            Self::TooLarge { megabytes, limit } => Detail::of(
                Message::ManagedTooLarge,
                [("megabytes", megabytes.to_string().into()), ("limit", limit.to_string().into())],
            ),
            Self::WrongHash { expected, found } => {
                Detail::of(Message::ManagedWrongHash, [("expected", text(expected)), ("found", text(found))])
            }
            Self::Download { address, why } => {
                Detail::of(Message::ManagedDownload, [("address", text(address)), ("why", why.clone())])
            }
            Self::File { path, why } => Detail::about(path.display().to_string(), why.as_str()),
            Self::Taken => Message::ManagedTaken.into(),
            Self::Ended { status, words } => {
                Detail::of(Message::ManagedEnded, [("status", text(status)), ("words", text(words))])
            }
            Self::Memory { limit } => {
                Detail::of(Message::ManagedMemory, [("limit", limit.to_string().into())])
            }
            Self::NoStart { seconds, words } => Detail::of(
                Message::ManagedNoStart,
                [("seconds", seconds.to_string().into()), ("words", text(words))],
            ),
            Self::NotRunning => Message::ManagedNotRunning.into(),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for ManagedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}
