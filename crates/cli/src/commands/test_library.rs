//! A library of its own for the texts of a public test set.

use std::sync::Arc;

use anyhow::Context;
use plumbline_core::engine::Engine;
use plumbline_library::{IndexProgress, Indexer, Library, PlainDocument};
use plumbline_workspace::Workspace;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// Indexes texts into a folder that goes with the value.
pub fn indexed(
    workspace: &Workspace,
    runtime: &Runtime,
    stop: &CancellationToken,
    documents: Vec<PlainDocument>,
    remark: &(dyn Fn(String) + Sync),
) -> anyhow::Result<TempDir> {
    let folder = tempfile::tempdir().context("cannot make a folder for the set's library")?;
    let options = runtime.block_on(workspace.index_options(true))?;
    let mut indexer = Indexer::open(folder.path(), options, runtime.handle().clone())?;
    indexer.write_texts(documents, stop, &|progress| {
        if let IndexProgress::Writing { chunks, total_chunks, .. } = progress {
            remark(format!("indexed {chunks} of {total_chunks} passages"));
        }
    })?;
    if stop.is_cancelled() {
        anyhow::bail!("stopped before anything was measured");
    }
    Ok(folder)
}

/// The engine over such a library, with the workspace's embedder and settings.
pub async fn engine(workspace: &Workspace, folder: &TempDir) -> anyhow::Result<Engine> {
    let chosen = workspace.embedder().await?;
    let library =
        Library::open(folder.path(), Some(chosen.key.clone())).await?.context("the set holds no text")?;
    Ok(workspace.search_engine(Arc::new(library), Some(&chosen))?)
}
