use std::fmt;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use thiserror::Error;

use super::{GoldenError, GoldenSet};

/// The file beside a set that names its version.
const VERSION: &str = "VERSION";

/// A golden set with the file that it stands in.
#[derive(Debug, Clone)]
pub struct GoldenFile {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The version that the file beside it names; empty where there is none.
    pub version: String,
    /// The questions.
    pub set: GoldenSet,
}

/// Why a golden set could not be read.
#[derive(Debug, Error)]
pub enum GoldenFileError {
    /// The file would not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no golden set.
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: GoldenError,
    },
}

impl GoldenFileError {
    /// Why, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::Unreadable { path, source } => Detail::of(
                Message::GoldenUnreadable,
                [("path", path.display().to_string().into()), ("detail", source.to_string().into())],
            ),
            Self::Invalid { path, source } => Detail::about(path.display().to_string(), source.detail()),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for GoldenFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl GoldenFile {
    /// Reads a set and its version.
    pub fn read(path: &Path) -> Result<Self, GoldenFileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| GoldenFileError::Unreadable { path: path.to_owned(), source })?;
        let set = GoldenSet::parse(&text)
            .map_err(|source| GoldenFileError::Invalid { path: path.to_owned(), source })?;
        let version = std::fs::read_to_string(path.with_file_name(VERSION)).unwrap_or_default();
        Ok(Self { path: path.to_owned(), version: version.trim().to_owned(), text, set })
    }
}
