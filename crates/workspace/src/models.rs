use std::path::{Path, PathBuf};

use plumbline_core::messages::Message;
use plumbline_models::embedder::{Edition, FIRST, SECOND};

use crate::WorkspaceError;

/// The editions of the built-in embedder after the first, the newest first. The first comes with the program; these are used where
/// somebody has put their files beside it.
static LATER_EDITIONS: [&Edition; 1] = [&SECOND];
/// The built-in reader's folder, below a folder of models.
const READER: &str = "reader-en-nl";

/// The editions of the built-in embedder that are there, the newest first, and where each lies.
pub fn built_in_embedders() -> Result<Vec<(&'static Edition, PathBuf)>, WorkspaceError> {
    let mut found = Vec::new();
    for edition in LATER_EDITIONS {
        let folder = built_in(edition.folder)?.filter(|folder| folder.is_dir());
        found.extend(folder.map(|folder| (edition, folder)));
    }
    found.extend(built_in(FIRST.folder)?.map(|folder| (&FIRST, folder)));
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
