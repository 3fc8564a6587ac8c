use plumbline_core::detail::Detail;
use serde::Serialize;

/// A file that is not in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The source it belongs to.
    pub source: String,
    /// Relative to the source.
    pub path: String,
    /// A stable name of the reason.
    pub code: String,
    /// What is wrong, and what to do.
    pub reason: String,
}

/// Something odd that did not keep a file from being indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The source it belongs to.
    pub source: String,
    /// Relative to the source.
    pub path: String,
    /// A stable name of what it is.
    pub code: String,
    /// What is odd.
    pub text: Detail,
}

/// What an indexing run did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct IndexReport {
    /// The generation that is searched now.
    pub generation: u64,
    /// Files in the library.
    pub files: usize,
    /// Passages in the library.
    pub chunks: u64,
    /// Files that are new.
    pub added: usize,
    /// Files that changed.
    pub changed: usize,
    /// Files that are gone.
    pub removed: usize,
    /// Passages that were embedded.
    pub embedded: usize,
    /// Passages whose vector could be used again.
    pub reused: usize,
    /// Files that are not in the library.
    pub skipped: Vec<Skipped>,
    /// What was odd.
    pub warnings: Vec<Warning>,
    /// Folders that are not there now; their documents were kept.
    pub absent: Vec<String>,
    /// Whether it was stopped before all was done.
    pub stopped: bool,
    /// How long it took.
    pub seconds: f64,
}

/// How far an indexing run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexProgress {
    /// Files are being read.
    Reading {
        /// Files read.
        done: usize,
        /// Files to read.
        total: usize,
    },
    /// Passages are being embedded and written.
    Writing {
        /// Files written.
        files: usize,
        /// Files to write.
        total_files: usize,
        /// Passages written.
        chunks: usize,
        /// Passages to write.
        total_chunks: usize,
    },
    /// A generation is complete.
    Committed {
        /// Its number.
        generation: u64,
    },
}
