//! Following folders: a change is reported once things have been quiet for a moment, so that a save or a checkout is one
//! change and not a hundred.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::event::EventKind;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// How long it must be quiet.
const QUIET: Duration = Duration::from_millis(1_500);
/// A folder that never rests is reported all the same, after so many turns of quiet waiting.
const MAX_WAITS: u32 = 20;
/// How often a stop is looked for.
const LOOK: Duration = Duration::from_millis(200);

/// Why folders cannot be followed.
#[derive(Debug, Error)]
#[error("{} cannot be followed: {reason}; run `plumbline index` again after changes", path.display())]
pub struct WatchError {
    /// The folder.
    pub path: PathBuf,
    /// What the system said.
    pub reason: String,
}

/// Folders that are being followed.
pub struct FolderWatch {
    _watcher: RecommendedWatcher,
    changes: Receiver<()>,
}

impl FolderWatch {
    /// Begins to follow these folders, or the folders of these files.
    pub fn begin(paths: &[PathBuf]) -> Result<Self, WatchError> {
        let (told, changes) = channel();
        let failed = |path: &PathBuf, error: notify::Error| WatchError {
            path: path.clone(),
            reason: error.to_string(),
        };
        let nowhere = PathBuf::new();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Looking at a file changes nothing; an error may hide a change.
            if event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
                return;
            }
            // The receiver is gone when nobody waits any more.
            let _ = told.send(());
        })
        .map_err(|error| failed(paths.first().unwrap_or(&nowhere), error))?;
        for path in paths {
            let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
            watcher.watch(folder, RecursiveMode::Recursive).map_err(|error| failed(path, error))?;
        }
        Ok(Self { _watcher: watcher, changes })
    }

    /// Waits until something has changed and it is quiet again; whether that happened before the stop.
    pub fn wait(&self, stop: &CancellationToken) -> bool {
        loop {
            match self.changes.recv_timeout(LOOK) {
                Ok(()) => break,
                Err(RecvTimeoutError::Timeout) if !stop.is_cancelled() => {}
                Err(_) => return false,
            }
        }
        for _ in 0..MAX_WAITS {
            if stop.is_cancelled() {
                return false;
            }
            if matches!(self.changes.recv_timeout(QUIET), Err(RecvTimeoutError::Timeout)) {
                break;
            }
            while self.changes.try_recv().is_ok() {}
        }
        !stop.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_of_changes_is_one_change() {
        let folder = tempfile::tempdir().unwrap();
        let watch = FolderWatch::begin(&[folder.path().to_owned()]).unwrap();
        for number in 0..20 {
            std::fs::write(folder.path().join(format!("{number}.md")), "x").unwrap();
        }
        let stop = CancellationToken::new();
        assert!(watch.wait(&stop), "a change is told");
        assert!(watch.changes.try_recv().is_err(), "and told once");
        stop.cancel();
        assert!(!watch.wait(&stop), "a stop ends the waiting");
    }
}
