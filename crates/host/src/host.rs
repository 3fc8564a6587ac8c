use std::path::PathBuf;
use std::sync::Arc;

use plumbline_contract::Broadcast;
use plumbline_library::WorkerCommand;
use plumbline_workspace::WorkspaceOptions;

use crate::Desktop;

/// With what a host is made.
pub struct HostOptions {
    /// How the workspace is opened.
    pub workspace: WorkspaceOptions,
    /// Where the sample library's files lie: the folder of its `library.toml`.
    pub sample_library: Option<PathBuf>,
    /// The process that reads files.
    pub worker: WorkerCommand,
}

/// Everything behind the window. Cheap to clone; every clone is the same host.
#[derive(Clone)]
pub struct Host {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub options: HostOptions,
    pub desktop: Arc<dyn Desktop>,
    pub broadcast: Arc<dyn Fn(Broadcast) + Send + Sync>,
}

impl Host {
    /// A host that has not started: it answers [`Host::app_state`] at once and does no I/O.
    pub fn new(
        options: HostOptions,
        desktop: Arc<dyn Desktop>,
        broadcast: Arc<dyn Fn(Broadcast) + Send + Sync>,
    ) -> Self {
        Self { inner: Arc::new(Inner { options, desktop, broadcast }) }
    }

    /// Opens the workspace and its engine; how far it is goes out as broadcasts.
    pub async fn start(&self) {}

    /// Stops answers, indexing, downloads and watching, and keeps what was counted. Takes a few seconds at the most.
    pub async fn shutdown(&self) {}
}
