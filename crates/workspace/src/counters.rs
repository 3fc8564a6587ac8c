use std::fs::File;
use std::io;
use std::path::Path;

use plumbline_telemetry::{Metrics, Snapshot};

use crate::{WorkspaceError, text_if_there};

/// What every program that used the workspace has counted, together.
const COUNTERS: &str = "counters.json";
/// Held while the file is written anew.
const LOCK: &str = "counters.lock";

/// What the workspace has counted since it began.
pub fn kept_counters(folder: &Path) -> Result<Snapshot, WorkspaceError> {
    let path = folder.join(COUNTERS);
    match text_if_there(&path)? {
        Some((path, text)) => Snapshot::from_json(&text)
            .map_err(|problem| WorkspaceError::Counters { path, detail: problem.to_string() }),
        None => Ok(Snapshot::default()),
    }
}

/// What the workspace has counted since it began, with what a program that still runs counts.
pub(crate) fn together(folder: &Path, metrics: &Metrics) -> Result<Snapshot, WorkspaceError> {
    let carried = Metrics::with_carried(kept_counters(folder)?).snapshot();
    let mut counted = metrics.snapshot();
    counted.merge(&carried);
    Ok(counted)
}

/// Adds a program's counts. Programs that end at the same time wait for each other, so that no count is lost.
pub(crate) fn keep(folder: &Path, metrics: &Metrics) -> Result<(), WorkspaceError> {
    let path = folder.join(COUNTERS);
    let write = || -> io::Result<File> {
        let lock = File::create(folder.join(LOCK))?;
        lock.lock()?;
        Ok(lock)
    };
    let lock = write().map_err(|source| WorkspaceError::File { path: folder.join(LOCK), source })?;
    let text = together(folder, metrics)?
        .to_json()
        .map_err(|problem| WorkspaceError::Counters { path: path.clone(), detail: problem.to_string() })?;
    let written = path.with_extension("json.new");
    std::fs::write(&written, text)
        .and_then(|()| std::fs::rename(&written, &path))
        .map_err(|source| WorkspaceError::File { path, source })?;
    drop(lock);
    Ok(())
}

#[cfg(test)]
mod tests {
    use plumbline_telemetry::names;

    use super::*;

    fn counted(times: u64) -> Metrics {
        let metrics = Metrics::new();
        metrics.inc_by(&names::RAG_REQUEST_TOTAL, ["tree"], times);
        metrics
    }

    #[test]
    fn counters_survive_the_program_and_add_up() {
        let folder = tempfile::tempdir().unwrap();
        keep(folder.path(), &counted(2)).unwrap();
        keep(folder.path(), &counted(3)).unwrap();
        let kept = kept_counters(folder.path()).unwrap();
        assert_eq!(kept.value(&names::RAG_REQUEST_TOTAL, ["tree"]), Some(5.0));
    }

    #[test]
    fn programs_that_end_together_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| keep(folder.path(), &counted(1)).unwrap());
            }
        });
        let kept = kept_counters(folder.path()).unwrap();
        assert_eq!(kept.value(&names::RAG_REQUEST_TOTAL, ["tree"]), Some(8.0));
    }

    #[test]
    fn a_file_that_holds_something_else_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(COUNTERS), "not json").unwrap();
        let problem = keep(folder.path(), &counted(1)).unwrap_err().to_string();
        assert!(problem.contains(COUNTERS) && problem.contains("move it away"), "{problem}");
        assert_eq!(std::fs::read_to_string(folder.path().join(COUNTERS)).unwrap(), "not json");
    }
}
