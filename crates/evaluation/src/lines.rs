use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a public set cannot be read.
#[derive(Debug, Error)]
pub enum SetError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: {detail}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// There is nothing in a file.
    #[error("{} holds no question", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// The lines of a file that are not empty, with their numbers.
pub(crate) fn lines(path: &Path) -> Result<Vec<(usize, String)>, SetError> {
    let unreadable = |source| SetError::Unreadable { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut found = Vec::new();
    for (line, content) in (1..).zip(BufReader::new(file).lines()) {
        let content = content.map_err(|source| SetError::Line {
            path: path.to_owned(),
            line,
            detail: source.to_string(),
        })?;
        let content = content.trim_start_matches('\u{feff}');
        if !content.trim().is_empty() {
            found.push((line, content.to_owned()));
        }
    }
    Ok(found)
}

/// The values of a file in JSON lines.
pub(crate) fn values<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, SetError> {
    let wrong = |line, error: serde_json::Error| SetError::Line {
        path: path.to_owned(),
        line,
        detail: error.to_string(),
    };
    let read = lines(path)?.into_iter();
    read.map(|(line, content)| serde_json::from_str(&content).map_err(|error| wrong(line, error))).collect()
}
