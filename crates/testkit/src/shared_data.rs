//! Data that lies beside the repository and is not part of it.

use std::path::{Path, PathBuf};

use crate::skipping::skip;

/// A file or folder of the shared data, by its path in it; `None` where this machine has none.
///
/// The data lies in the folder that `PLUMBLINE_TEST_DATA` names, or in a folder `shared` beside the repository.
pub fn path(relative: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("PLUMBLINE_TEST_DATA") {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .map(|folder| folder.join("shared"))
            .find(|folder| folder.is_dir()),
    };
    root.map(|root| root.join(relative)).filter(|path| path.exists())
}

/// The same for a test that is about this data and nothing else: without it the test is skipped, and has to return.
pub fn path_or_skip(relative: &str) -> Option<PathBuf> {
    let found = path(relative);
    if found.is_none() {
        skip(&format!("there is no {relative} in the shared data (PLUMBLINE_TEST_DATA)"));
    }
    found
}
