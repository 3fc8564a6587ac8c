use std::path::{Path, PathBuf};

use tauri::{AppHandle, Manager};

/// The sample library: among the installed resources, or in the tree that the program was built from.
pub fn sample_library(app: &AppHandle) -> Option<PathBuf> {
    let installed = app.path().resource_dir().ok().map(|folder| folder.join("sample"));
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|root| root.join("data/sample"));
    installed.into_iter().chain(built_from).find(|folder| folder.join("library.toml").is_file())
}
