use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a set cannot be read.
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
        detail: Detail,
    },
    /// There is nothing in a file.
    #[error("{} holds no question", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A folder holds no file of questions.
    #[error("{}", self.detail())]
    NoFile {
        /// The folder.
        folder: PathBuf,
        /// The file that it lacks.
        file: &'static str,
        /// Folders in it that hold one.
        below: Vec<PathBuf>,
    },
}

impl SetError {
    /// Why, and what to do, as it is told in any language.
    pub fn detail(&self) -> Detail {
        let shown = |path: &Path| Detail::from(path.display().to_string());
        match self {
            Self::Unreadable { path, source } => Detail::of(
                Message::GoldenUnreadable,
                [("path", shown(path)), ("detail", source.to_string().into())],
            ),
            Self::Line { path, line, detail } => Detail::at_line(shown(path), line, detail.clone()),
            Self::Empty { path } => Detail::of(Message::QuestionSetEmpty, [("path", shown(path))]),
            Self::NoFile { folder, file, below } if below.is_empty() => Detail::of(
                Message::QuestionSetNoFile,
                [("folder", shown(folder)), ("file", (*file).to_owned().into())],
            ),
            Self::NoFile { folder, file, below } => Detail::of(
                Message::QuestionSetBelow,
                [
                    ("folder", shown(folder)),
                    ("file", (*file).to_owned().into()),
                    (
                        "below",
                        below
                            .iter()
                            .map(|one| one.display().to_string())
                            .collect::<Vec<_>>()
                            .join(", ")
                            .into(),
                    ),
                ],
            ),
        }
    }

    /// Whether the system would not let the file be read, as against a file that says something wrong.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::Unreadable { .. })
    }
}

/// What a reader of JSON said, as a detail.
pub(crate) fn said(error: &serde_json::Error) -> Detail {
    Detail::of(Message::GoldenWrong, [("detail", error.to_string().into())])
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
            detail: source.to_string().into(),
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
    let wrong =
        |line, error: serde_json::Error| SetError::Line { path: path.to_owned(), line, detail: said(&error) };
    let read = lines(path)?.into_iter();
    read.map(|(line, content)| serde_json::from_str(&content).map_err(|error| wrong(line, error))).collect()
}
