use std::path::{Path, PathBuf};

use plumbline_core::messages::Message;

use crate::WorkspaceError;

/// The built-in embedder's folder, below a folder of models.
const EMBEDDER: &str = "embed-en-nl";
/// The built-in reader's.
const READER: &str = "reader-en-nl";

/// Where the built-in embedder lies.
pub fn built_in_embedder() -> Result<PathBuf, WorkspaceError> {
    built_in(EMBEDDER)?.ok_or(WorkspaceError::NoModel)
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
