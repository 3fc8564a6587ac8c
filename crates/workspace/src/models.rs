use std::path::{Path, PathBuf};

use crate::WorkspaceError;

/// The built-in model's folder, below a folder of models.
const BUILT_IN: &str = "embed-en-nl";

/// Where the built-in model lies: where the environment says, beside the program, or in the tree that it was built from.
pub fn built_in_model() -> Result<PathBuf, WorkspaceError> {
    if let Some(folder) = std::env::var_os("PLUMBLINE_MODELS") {
        return Ok(Path::new(&folder).join(BUILT_IN));
    }
    let program = std::env::current_exe().map_err(WorkspaceError::Program)?;
    let beside = program.parent().into_iter().flat_map(|folder| {
        ["models", "../share/plumbline/models", "../lib/Plumbline/models", "../Resources/models"]
            .map(|place| folder.join(place))
    });
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models");
    beside
        .chain([built_from])
        .map(|folder| folder.join(BUILT_IN))
        .find(|folder| folder.is_dir())
        .ok_or(WorkspaceError::NoModel)
}
