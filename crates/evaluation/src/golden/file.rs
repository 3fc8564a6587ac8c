use std::path::{Path, PathBuf};

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
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no golden set.
    #[error("{}: {source}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: GoldenError,
    },
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
