//! The libraries of a set, each indexed into a workspace of its own.

use std::path::Path;

use anyhow::bail;
use plumbline_evaluation::questions::{QuestionLibrary, QuestionSet};
use plumbline_library::Indexer;
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::documents;
use crate::arguments::Global;
use crate::wiring;

/// What asking one library after the other needs.
pub struct Libraries<'a> {
    pub global: &'a Global,
    pub set: &'a QuestionSet,
    pub runtime: &'a Runtime,
    pub stop: &'a CancellationToken,
}

impl Libraries<'_> {
    /// Indexes a library into a workspace of its own.
    pub fn indexed(&self, library: &QuestionLibrary, folder: &Path) -> anyhow::Result<Workspace> {
        wiring::remark(self.global, &format!("{}: indexing", library.name));
        let workspace = Workspace::open(self.options(library, folder))?;
        self.index(&workspace, library)?;
        Ok(workspace)
    }

    fn options(&self, library: &QuestionLibrary, folder: &Path) -> WorkspaceOptions {
        let vocabularies: Vec<_> = library.vocabularies.iter().map(|path| self.set.root.join(path)).collect();
        wiring::patient_options(self.global, Some(folder.to_owned()), &vocabularies)
    }

    fn index(&self, workspace: &Workspace, library: &QuestionLibrary) -> anyhow::Result<()> {
        let folders = documents::copied(self.set, library, workspace.folder())?;
        let options = self.runtime.block_on(workspace.index_options(true))?;
        let mut indexer = Indexer::open(workspace.folder(), options, self.runtime.handle().clone())?;
        for known in indexer.origins()? {
            if !folders.contains(&known) {
                indexer.remove(&known)?;
            }
        }
        indexer.add(&folders)?;
        indexer.run(self.stop, &|_| {})?;
        if self.stop.is_cancelled() {
            bail!("stopped before anything was asked of {}", library.name);
        }
        Ok(())
    }
}
