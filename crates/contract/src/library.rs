use plumbline_core::domain::Collection;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::team::TeamOverview;

/// A folder of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LibraryFolder {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub path: String,
    /// Documents in it.
    pub documents: u32,
    /// Whether it is there; the documents of one that is not are kept.
    pub present: bool,
    /// Whether changes in it are followed.
    pub watched: bool,
    /// Whether it is the sample library.
    pub sample: bool,
    /// When it was last compared with the index, ISO 8601.
    pub checked_at: Option<String>,
}

/// How much a collection holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CollectionSize {
    /// The collection.
    pub collection: Collection,
    /// Its documents.
    pub documents: u32,
    /// Its passages.
    pub passages: u32,
}

/// How far an indexing run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Indexing {
    /// Nothing is being indexed.
    Idle,
    /// Files are being read.
    Reading {
        /// Files read.
        done: u32,
        /// Files to read.
        total: u32,
    },
    /// Passages are being embedded and written.
    Writing {
        /// Files written.
        files: u32,
        /// Files to write.
        total_files: u32,
        /// Passages written.
        passages: u32,
        /// Passages to write.
        total_passages: u32,
        /// Passages a second, lately.
        rate: f64,
        /// Seconds that are left; absent until that can be told.
        seconds_left: Option<u64>,
    },
    /// The user stopped it; what is done stays.
    Stopped {
        /// Files that are left.
        files_left: u32,
    },
}

/// The last indexing run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct IndexingSummary {
    /// When it ended, ISO 8601.
    pub finished_at: String,
    /// Files that were new.
    pub added: u32,
    /// Files that had changed.
    pub changed: u32,
    /// Files that were gone.
    pub removed: u32,
    /// Passages that were embedded.
    pub embedded: u32,
    /// Passages whose vector could be used again.
    pub reused: u32,
    /// How long it took.
    pub seconds: f64,
}

/// What the library consists of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LibraryOverview {
    /// Its folders.
    pub folders: Vec<LibraryFolder>,
    /// Its collections, in the order of lists.
    pub collections: Vec<CollectionSize>,
    /// The generation that is searched.
    pub generation: u64,
    /// Libraries that are published, as this one follows and makes them.
    pub team: TeamOverview,
    /// How far indexing is.
    pub indexing: Indexing,
    /// The last run.
    pub last_run: Option<IndexingSummary>,
    /// How much there is to know about its files.
    pub findings: FindingCounts,
}

/// What a finding asks of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindingGroup {
    /// To be mended: something is missing from the library, or contradicts itself.
    Problem,
    /// To be looked at: it was inferred and may be wrong.
    Guess,
    /// Nothing: it is merely worth knowing.
    Note,
}

/// How many findings there are of each group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FindingCounts {
    /// What should be mended.
    pub problems: u32,
    /// What was inferred.
    pub guesses: u32,
    /// What is worth knowing.
    pub notes: u32,
}

/// Something about a file that the user may want to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LibraryFinding {
    /// What it asks of the user.
    pub group: FindingGroup,
    /// The folder it belongs to, by name.
    pub folder: String,
    /// The file, relative to the folder; empty where it is about no single file.
    pub path: String,
    /// A stable name of the reason.
    pub code: String,
    /// What was found, and what to do.
    pub reason: String,
}
