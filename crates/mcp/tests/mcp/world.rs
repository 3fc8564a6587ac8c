//! Workspaces to serve, and clients that connect to them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use plumbline_core::domain::Language;
use plumbline_core::ports::Scope;
use plumbline_library::{IndexOptions, Indexer, ReaderOptions};
use plumbline_mcp::{Server, serve_streams};
use plumbline_workspace::{Workspace, WorkspaceOptions};
use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::DuplexStream;
use tokio_util::sync::CancellationToken;

/// The sample library, indexed once; every test reads it.
pub fn sample() -> &'static Path {
    static INDEXED: OnceLock<TempDir> = OnceLock::new();
    let folder = INDEXED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/library.toml");
        index(folder.path(), &library);
        folder
    });
    folder.path()
}

/// A workspace without this machine's settings, and an Ollama that nobody runs.
pub fn options(folder: &Path) -> WorkspaceOptions {
    let environment = vec![("OLLAMA_BASE_URL".to_owned(), "http://127.0.0.1:9".to_owned())];
    WorkspaceOptions { folder: Some(folder.to_owned()), environment, ..WorkspaceOptions::default() }
}

/// An indexer of a workspace, which holds the writer's lock.
pub fn indexer(workspace: &Path, runtime: &tokio::runtime::Runtime) -> Indexer {
    let opened = Workspace::open(options(workspace)).unwrap();
    let chosen = runtime.block_on(opened.embedder()).unwrap();
    let options = IndexOptions {
        embedder: Some((chosen.embedder, chosen.key)),
        meanwhile: None,
        reader: ReaderOptions::default(),
        ..runtime.block_on(opened.index_options(false)).unwrap()
    };
    Indexer::open(workspace, options, runtime.handle().clone()).unwrap()
}

/// Indexes a folder or manifest into a workspace, on a thread of its own: tests have a runtime already.
pub fn index(workspace: &Path, path: &Path) {
    let (workspace, path): (PathBuf, PathBuf) = (workspace.to_owned(), path.to_owned());
    let indexing = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let mut indexer = indexer(&workspace, &runtime);
        indexer.add(&[path]).unwrap();
        indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    });
    indexing.join().unwrap();
}

pub fn server(workspace: &Path) -> Server {
    Server::new(options(workspace), Scope::default(), Language::EN)
}

/// A client that keeps the progress it is told.
#[derive(Clone, Default)]
pub struct Told {
    pub progress: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl ClientHandler for Told {
    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push(params);
    }
}

pub type Client = RunningService<RoleClient, Told>;

/// The other end of a server's streams.
pub fn streams(server: Server) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    tokio::spawn(serve_streams(server, input, output, CancellationToken::new()));
    ours
}

pub async fn connected(server: Server) -> Client {
    Told::default().serve(streams(server)).await.unwrap()
}

pub async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().cloned().unwrap();
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    client.call_tool(params).await.unwrap()
}

/// A call that must go well, as data and as text.
pub async fn called(client: &Client, tool: &'static str, arguments: Value) -> (Value, String) {
    let result = call(client, tool, arguments).await;
    let text = text(&result);
    assert_eq!(result.is_error, Some(false), "{tool}: {text}");
    (result.structured_content.unwrap(), text)
}

pub fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|block| block.text.as_str()).collect()
}
