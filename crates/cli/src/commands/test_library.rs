//! A library of its own for the texts of a public test set.

use std::sync::Arc;

use anyhow::Context;
use plumbline_core::engine::Engine;
use plumbline_library::{IndexProgress, Indexer, Library, PlainDocument};
use plumbline_workspace::{Workspace, WorkspaceEmbedder};
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

/// What searches such a library, with the workspace's embedder and settings.
pub async fn search_engine(workspace: &Workspace, folder: &TempDir) -> anyhow::Result<Engine> {
    let (library, chosen) = opened(workspace, folder).await?;
    Ok(workspace.search_engine(library, Some(&chosen))?)
}

/// What answers from such a library, with the workspace's embedder, reader and settings.
pub async fn answering_engine(workspace: &Workspace, folder: &TempDir) -> anyhow::Result<Engine> {
    let (library, chosen) = opened(workspace, folder).await?;
    Ok(workspace.reading_engine(library, &chosen)?)
}

async fn opened(
    workspace: &Workspace,
    folder: &TempDir,
) -> anyhow::Result<(Arc<Library>, WorkspaceEmbedder)> {
    let chosen = workspace.embedder().await?;
    let library =
        Library::open(folder.path(), Some(chosen.key.clone())).await?.context("the set holds no text")?;
    Ok((Arc::new(library), chosen))
}
