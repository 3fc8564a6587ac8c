//! The library and its embedder, for commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use plumbline_core::domain::EmbedderFamily;
use plumbline_core::ports::Scope;
use plumbline_core::settings::Settings;
use plumbline_library::{EmbedderKey, IndexOptions, Library, ReaderOptions, WorkerCommand};
use plumbline_models::embedder::BuiltInEmbedder;
use plumbline_telemetry::SystemClock;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::arguments::Global;

/// The built-in model's folder, below a folder of models.
const BUILT_IN: &str = "embed-en-nl";

pub fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")
}

/// A token that the first Ctrl-C cancels; a second one ends the process.
pub fn stop_on_interrupt(runtime: &Runtime) -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    runtime.spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            told.cancel();
            eprintln!("\nstopping after what is being written; Ctrl-C again ends at once");
        }
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
    stop
}

/// The folder where this user's indexes, history and settings live, made where it is missing.
pub fn workspace(global: &Global) -> anyhow::Result<PathBuf> {
    let folder = global
        .workspace
        .clone()
        .or_else(|| Some(dirs::data_dir()?.join("plumbline")))
        .ok_or_else(|| anyhow!("this system names no folder for data: give one with --workspace"))?;
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// What the user may see.
pub fn scope(global: &Global) -> Scope {
    Scope {
        tenant: global.tenant.clone().unwrap_or_default(),
        user_tags: global.tags.clone(),
        collections: Vec::new(),
    }
}

/// The workspace's library, open for reading.
pub async fn library(global: &Global, embedder: Option<EmbedderKey>) -> anyhow::Result<Library> {
    let workspace = workspace(global)?;
    match Library::open(&workspace, embedder).await? {
        Some(library) => Ok(library),
        None => bail!("there is no library yet: make one with `plumbline index FOLDER`"),
    }
}

/// The built-in embedder and the name of its vectors.
pub fn embedder() -> anyhow::Result<(Arc<BuiltInEmbedder>, EmbedderKey)> {
    let folder = models_folder()?.join(BUILT_IN);
    let embedder = BuiltInEmbedder::open(&folder)?;
    let fingerprint = embedder.fingerprint().to_owned();
    Ok((Arc::new(embedder), EmbedderKey { family: EmbedderFamily::Local, fingerprint }))
}

/// With what this program indexes.
pub fn index_options(_: &Settings, embeddings: bool) -> anyhow::Result<IndexOptions> {
    let embedder = match embeddings {
        true => {
            let (embedder, key) = embedder()?;
            Some((embedder as _, key))
        }
        false => None,
    };
    let worker = WorkerCommand::this_program().context("cannot find this program's own file")?;
    let reader = ReaderOptions { worker: Some(worker), ..ReaderOptions::default() };
    Ok(IndexOptions { embedder, reader, clock: Arc::new(SystemClock) })
}

/// Where models lie: where the environment says, beside the program, or in the tree that it was built from.
fn models_folder() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("PLUMBLINE_MODELS") {
        return Ok(folder.into());
    }
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let beside = program.parent().into_iter().flat_map(|folder| {
        ["models", "../share/plumbline/models", "../lib/plumbline/models", "../Resources/models"]
            .map(|place| folder.join(place))
    });
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models");
    beside.chain([built_from]).find(|folder| folder.join(BUILT_IN).is_dir()).ok_or_else(|| {
        anyhow!(
            "the built-in model is missing: install Plumbline anew, or name its folder in PLUMBLINE_MODELS"
        )
    })
}
