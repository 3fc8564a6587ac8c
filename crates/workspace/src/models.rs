use std::path::{Path, PathBuf};

use plumbline_core::messages::Message;
use plumbline_models::embedder::{Edition, FIRST};

use crate::WorkspaceError;

/// The editions of the built-in embedder that are in use, the newest first.
static EDITIONS: [&Edition; 1] = [&FIRST];
/// The built-in reader's folder, below a folder of models.
const READER: &str = "reader-en-nl";

/// The editions of the built-in embedder that are there, the newest first, and where each lies.
pub fn built_in_embedders() -> Result<Vec<(&'static Edition, PathBuf)>, WorkspaceError> {
    let mut found = Vec::new();
    for edition in EDITIONS {
        found.extend(built_in(edition.folder)?.map(|folder| (edition, folder)));
    }
    Ok(found)
}

/// Where the built-in reader lies.
pub fn built_in_reader() -> Result<PathBuf, WorkspaceError> {
    let missing = || WorkspaceError::Reader { detail: Message::WorkspaceNoReader.into() };
    built_in(READER)?.ok_or_else(missing)
}

/// A built-in model: where the environment says, beside the program, or in the tree that it was built from.
fn built_in(name: &str) -> Result<Option<PathBuf>, WorkspaceError> {
    if let Some(folder) = std::env::var_os("PLUMBLINE_MODELS") {
        return Ok(Some(Path::new(&folder).join(name)));
    }
    let program = std::env::current_exe().map_err(WorkspaceError::Program)?;
    let beside = program.parent().into_iter().flat_map(|folder| {
        ["models", "../share/plumbline/models", "../lib/Plumbline/models", "../Resources/models"]
            .map(|place| folder.join(place))
    });
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models");
    Ok(beside.chain([built_from]).map(|folder| folder.join(name)).find(|folder| folder.is_dir()))
}
