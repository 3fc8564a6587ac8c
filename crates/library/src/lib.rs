//! Documents in, index on disk. So far: the manifest that says which folders make up a library.

mod manifest;

pub use manifest::{FolderRule, LibraryManifest, ManifestError, PathRule, Source};
