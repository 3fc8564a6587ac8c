//! What runs, told to every program that opens the workspace.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ManagedError;

/// What runs, in the workspace.
pub const STATE_FILE: &str = "model-server.json";
/// Held by the guard as long as it lives.
const LOCK_FILE: &str = "model-server.lock";

/// A model that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningModel {
    /// Where its server is.
    pub address: String,
    /// What the server wants to be shown.
    pub key: String,
    /// What the model is called.
    pub model: String,
}

pub(super) fn state_path(workspace: &Path) -> PathBuf {
    workspace.join(STATE_FILE)
}

pub(super) fn lock_path(workspace: &Path) -> PathBuf {
    workspace.join(LOCK_FILE)
}

/// The model that runs for this workspace, whoever started it.
pub fn running(workspace: &Path) -> Option<RunningModel> {
    let text = std::fs::read(state_path(workspace)).ok()?;
    // What a killed guard left behind has nobody who holds its lock.
    match File::open(lock_path(workspace)).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => serde_json::from_slice(&text).ok(),
        _ => None,
    }
}

/// Readable for this user alone: the key is in it.
pub(super) fn write(workspace: &Path, running: &RunningModel) -> Result<(), ManagedError> {
    let path = state_path(workspace);
    let failed = |problem: std::io::Error| ManagedError::file(&path, &problem);
    let new = path.with_extension("new");
    let _ = std::fs::remove_file(&new);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new).map_err(failed)?;
    let text = serde_json::to_vec(running).map_err(|problem| failed(problem.into()))?;
    file.write_all(&text).and_then(|()| std::fs::rename(&new, &path)).map_err(failed)
}
