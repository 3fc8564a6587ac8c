//! A workspace that others change while it is served: the window indexes folders and writes settings.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use plumbline_core::ports::{Catalogue, Index, Scope};
use plumbline_workspace::{OpenEngine, Workspace, WorkspaceError, WorkspaceOptions};
use tokio::sync::Mutex;

/// A workspace and its engine.
pub(crate) struct OpenWorkspace {
    pub workspace: Workspace,
    pub engine: OpenEngine,
    seen: Seen,
}

/// By what a change is noticed.
#[derive(PartialEq)]
struct Seen {
    files: Vec<Option<(SystemTime, u64)>>,
    /// Absent where nothing was indexed yet.
    generation: Option<u64>,
}

/// Opens the workspace at the first call, and anew where settings, thresholds, owners or the generation have changed since:
/// vocabulary and curated memory come with a generation.
pub(crate) struct FollowedWorkspace {
    options: WorkspaceOptions,
    current: Mutex<Option<Arc<OpenWorkspace>>>,
}

impl FollowedWorkspace {
    pub fn new(options: WorkspaceOptions) -> Self {
        Self { options, current: Mutex::new(None) }
    }

    /// The workspace as it is now.
    pub async fn open(&self) -> Result<Arc<OpenWorkspace>, WorkspaceError> {
        let mut current = self.current.lock().await;
        if let Some(open) = current.as_ref()
            && open.seen.generation.is_some()
            && open.seen == self.seen(&open.engine).await?
        {
            return Ok(Arc::clone(open));
        }
        let workspace = match current.as_ref() {
            Some(before) => before.workspace.reopened(self.options.clone())?,
            None => Workspace::open(self.options.clone())?,
        };
        let engine = workspace.engine_with_or_without_library().await?;
        let seen = self.seen(&engine).await?;
        let open = Arc::new(OpenWorkspace { workspace, engine, seen });
        *current = Some(Arc::clone(&open));
        Ok(open)
    }

    /// Keeps what was counted; once, at the end.
    pub async fn keep_counters(&self) -> Result<(), WorkspaceError> {
        match self.current.lock().await.as_ref() {
            Some(open) => open.workspace.keep_counters(),
            None => Ok(()),
        }
    }

    async fn seen(&self, engine: &OpenEngine) -> Result<Seen, WorkspaceError> {
        let seen = |path: &PathBuf| {
            let metadata = std::fs::metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        let generation = match &engine.library {
            Some(library) => {
                // A library looks for the newest generation when it is asked; a failure is told by the call that needs it.
                let _ = library.collections(&Scope::default()).await;
                Some(library.generation())
            }
            None => None,
        };
        Ok(Seen { files: self.options.deciding_files()?.iter().map(seen).collect(), generation })
    }
}
