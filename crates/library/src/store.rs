//! The library on disk. Three stores make one: SQLite knows the documents and their passages, tantivy their words, LanceDB
//! their vectors. A generation number ties them, and one rename makes it: tantivy's commit carries the number, and rows of
//! SQLite and versions of LanceDB are read as of that number. A kill at any instant leaves the last number standing.

pub(crate) mod audience;
pub(crate) mod catalogue;
pub(crate) mod lock;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod snapshot;
pub(crate) mod statistics;
pub(crate) mod team;
pub(crate) mod text;
pub(crate) mod texts;
pub(crate) mod vector_index;
pub(crate) mod vectors;
mod visible;

use std::fmt;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::PortError;
use plumbline_telemetry::sha256_hex;
use thiserror::Error;

/// Why the library on disk could not be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process writes to it.
    Held {
        /// The library's folder.
        folder: PathBuf,
        /// Who holds it, as far as it says.
        holder: Detail,
    },
    /// It was written by a newer version of this program.
    TooNew {
        /// The library's folder.
        folder: PathBuf,
        /// Its format.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// Two stores do not agree.
    Disagree(String),
    /// There are no vectors that could be searched.
    NoVectors(Detail),
    /// What is read in place cannot be read.
    OutOfReach {
        /// Where it is published.
        address: String,
        /// Why.
        detail: Detail,
    },
    /// The file system would not.
    Io {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The catalogue would not.
    Catalogue(#[from] rusqlite::Error),
    /// The text index would not.
    Text(#[from] tantivy::TantivyError),
    /// The vectors would not.
    Vectors(#[from] lancedb::Error),
    /// The vectors would not, in memory.
    Arrow(#[from] arrow::error::ArrowError),
    /// A kept value cannot be read back.
    Kept(#[from] serde_json::Error),
}

impl StoreError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// What failed, as it is told in any language; what a store said stays as it is.
    pub fn detail(&self) -> Detail {
        let shown = |path: &Path| Detail::from(path.display().to_string());
        let said = |message, problem: &dyn fmt::Display| {
            Detail::of(message, [("detail", problem.to_string().into())])
        };
        match self {
            Self::Held { folder, holder } => {
                Detail::of(Message::StoreHeld, [("folder", shown(folder)), ("holder", holder.clone())])
            }
            Self::TooNew { folder, found, known } => Detail::of(
                Message::StoreTooNew,
                [
                    ("folder", shown(folder)),
                    ("found", found.to_string().into()),
                    ("known", known.to_string().into()),
                ],
            ),
            Self::Disagree(problem) => said(Message::StoreDisagree, problem),
            Self::NoVectors(why) => why.clone(),
            Self::OutOfReach { address, detail } => Detail::about(address.clone(), detail.clone()),
            Self::Io { path, source } => format!("{}: {source}", path.display()).into(),
            Self::Catalogue(problem) => said(Message::StoreCatalogue, problem),
            Self::Text(problem) => said(Message::StoreText, problem),
            Self::Vectors(problem) => said(Message::StoreVectors, problem),
            Self::Arrow(problem) => said(Message::StoreVectors, problem),
            Self::Kept(problem) => said(Message::StoreKept, problem),
        }
    }

    /// The same, as the journey knows failures.
    pub(crate) fn into_port(self, service: &'static str) -> PortError {
        PortError::Failed { service, detail: self.detail() }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// Where the parts of a library lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The library's folder.
    pub root: PathBuf,
}

impl Layout {
    pub fn in_workspace(workspace: &Path) -> Self {
        Self { root: workspace.join("library") }
    }

    pub fn catalogue(&self) -> PathBuf {
        self.root.join("catalogue.sqlite")
    }

    pub fn text(&self) -> PathBuf {
        self.root.join("text")
    }

    pub fn vectors(&self) -> PathBuf {
        self.root.join("vectors")
    }

    pub fn readers(&self) -> PathBuf {
        self.root.join("readers")
    }

    pub fn writer_lock(&self) -> PathBuf {
        self.root.join("writer.lock")
    }

    /// Vocabularies of the library that is followed from an address.
    pub fn vocabularies(&self, address: &str) -> PathBuf {
        self.root.join("vocabularies").join(&sha256_hex(address)[..16])
    }

    /// What is known of the shelves at an address that are read in place.
    pub fn listings(&self, address: &str) -> PathBuf {
        self.root.join("in-place").join(&sha256_hex(address)[..16])
    }

    /// Pieces of what is read in place, as far as they stay.
    pub fn pieces(&self) -> PathBuf {
        self.root.join("pieces")
    }

    /// Whether anything was ever indexed here.
    pub fn exists(&self) -> bool {
        self.catalogue().is_file()
    }

    pub fn create(&self) -> Result<(), StoreError> {
        for folder in [self.root.clone(), self.text(), self.vectors(), self.readers()] {
            std::fs::create_dir_all(&folder).map_err(|source| StoreError::io(&folder, source))?;
        }
        Ok(())
    }
}
