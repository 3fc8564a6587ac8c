//! What the host needs of a desktop.

use std::path::PathBuf;

use futures::future::BoxFuture;

/// What a file is picked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Questions with what is expected of their answers, as JSON lines.
    GoldenSet,
    /// A text of the user's own, in any form that the library reads.
    Draft,
}

/// What the system's own program is to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenTarget {
    /// An http, https or mailto address.
    Address(String),
    /// A file of the library.
    File(PathBuf),
}

/// What only a desktop can do.
pub trait Desktop: Send + Sync {
    /// Asks the user for a folder; nothing where they changed their mind.
    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>>;

    /// Asks the user for a file.
    fn pick_file(&self, purpose: FileKind) -> BoxFuture<'_, Option<PathBuf>>;

    /// Asks the user where to write something.
    fn save_as(&self, suggested_name: &str) -> BoxFuture<'_, Option<PathBuf>>;

    /// Opens something in the system's own program; why not, where it cannot.
    fn open(&self, target: &OpenTarget) -> Result<(), String>;
}
