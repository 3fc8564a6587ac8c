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
pub(crate) mod text;
pub(crate) mod vector_index;
pub(crate) mod vectors;

use std::path::{Path, PathBuf};

use plumbline_core::ports::PortError;
use thiserror::Error;

/// Why the library on disk could not be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process writes to it.
    #[error("the library in {} is being written by {holder}: wait until it is done, or stop it", folder.display())]
    Held {
        /// The library's folder.
        folder: PathBuf,
        /// Who holds it, as far as it says.
        holder: String,
    },
    /// It was written by a newer version of this program.
    #[error(
        "the library in {} was written by a newer version (format {found}, this version reads up to {known}): update Plumbline",
        folder.display()
    )]
    TooNew {
        /// The library's folder.
        folder: PathBuf,
        /// Its format.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// Two stores do not agree.
    #[error("the stores do not agree: {0}; `plumbline index --rebuild` makes them anew from the documents")]
    Disagree(String),
    /// There are no vectors that could be searched.
    #[error("{0}")]
    NoVectors(String),
    /// The file system would not.
    #[error("{}: {source}", path.display())]
    Io {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The catalogue would not.
    #[error("the catalogue: {0}")]
    Catalogue(#[from] rusqlite::Error),
    /// The text index would not.
    #[error("the text index: {0}")]
    Text(#[from] tantivy::TantivyError),
    /// The vectors would not.
    #[error("the vectors: {0}")]
    Vectors(#[from] lancedb::Error),
    /// The vectors would not, in memory.
    #[error("the vectors: {0}")]
    Arrow(#[from] arrow::error::ArrowError),
    /// A kept value cannot be read back.
    #[error("the catalogue holds what cannot be read: {0}")]
    Kept(#[from] serde_json::Error),
}

impl StoreError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// The same, as the journey knows failures.
    pub(crate) fn into_port(self, service: &'static str) -> PortError {
        PortError::Failed { service, detail: self.to_string() }
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
