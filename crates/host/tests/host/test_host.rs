use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use plumbline_contract::{
    AnswerEvent, AskResponse, Broadcast, CommandError, Indexing, QuestionRequest, Startup,
};
use plumbline_host::{
    Desktop, FileKind, GuardCommand, Host, HostOptions, OpenTarget, WorkerCommand, WorkspaceOptions,
};
use plumbline_testkit::folders::copy;
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// A port that nobody listens on: connecting is refused at once.
pub const NOBODY: &str = "http://127.0.0.1:9";
/// However busy the machine is, what has not happened by then does not happen.
const PATIENCE: Duration = Duration::from_secs(600);

pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").canonicalize().unwrap()
}

/// A program that comes with the tests of other crates: the one that reads files, and a model's server with its guard.
pub fn example(name: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.is_file(), "cargo builds examples for `cargo test`: {}", program.display());
    program
}

/// A user whose every dialog has its answer, and who looks at what was opened.
#[derive(Default)]
pub struct User {
    pub folder: Mutex<Option<PathBuf>>,
    pub file: Mutex<Option<PathBuf>>,
    pub save_in: Mutex<Option<PathBuf>>,
    pub opened: Mutex<Vec<OpenTarget>>,
}

impl Desktop for User {
    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>> {
        async { self.folder.lock().unwrap().clone() }.boxed()
    }

    fn pick_file(&self, _: FileKind) -> BoxFuture<'_, Option<PathBuf>> {
        async { self.file.lock().unwrap().clone() }.boxed()
    }

    fn save_as(&self, suggested_name: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let name = suggested_name.to_owned();
        async move { self.save_in.lock().unwrap().as_ref().map(|folder| folder.join(name)) }.boxed()
    }

    fn open(&self, target: &OpenTarget) -> Result<(), String> {
        self.opened.lock().unwrap().push(target.clone());
        Ok(())
    }
}

/// The host behind a window, who sits before it, and what the host has told.
pub struct TestHost {
    pub host: Host,
    pub user: Arc<User>,
    heard: Arc<Mutex<Vec<Broadcast>>>,
}

impl TestHost {
    /// A host over a workspace that has not started.
    pub fn new(workspace: &Path, environment: &[(&str, &str)]) -> Self {
        Self::with_sample(workspace, sample(), environment)
    }

    /// The same where the sample library was installed elsewhere.
    pub fn with_sample(workspace: &Path, sample: PathBuf, environment: &[(&str, &str)]) -> Self {
        let mut variables = vec![("OLLAMA_BASE_URL".to_owned(), NOBODY.to_owned())];
        for (name, value) in environment {
            variables.retain(|(known, _)| known != name);
            variables.push(((*name).to_owned(), (*value).to_owned()));
        }
        let options = HostOptions {
            workspace: WorkspaceOptions {
                folder: Some(workspace.to_owned()),
                environment: variables,
                ..WorkspaceOptions::default()
            },
            sample_library: Some(sample),
            worker: WorkerCommand { program: example("read-worker"), args: Vec::new() },
            guard: GuardCommand { program: example("fake-llama-server") },
        };
        let (user, heard) = (Arc::new(User::default()), Arc::new(Mutex::new(Vec::new())));
        let hearing = Arc::clone(&heard);
        let desktop: Arc<dyn Desktop> = user.clone();
        let broadcast = Arc::new(move |broadcast| hearing.lock().unwrap().push(broadcast));
        Self { host: Host::new(options, desktop, broadcast), user, heard }
    }

    /// A host over a workspace, started.
    pub async fn open(workspace: &Path) -> Self {
        Self::open_with(workspace, &[]).await
    }

    pub async fn open_with(workspace: &Path, environment: &[(&str, &str)]) -> Self {
        let test_host = Self::new(workspace, environment);
        test_host.host.start().await;
        let state = test_host.host.app_state().await.unwrap();
        assert_eq!(state.startup, Startup::Ready);
        test_host
    }

    /// What was told so far.
    pub fn heard(&self) -> Vec<Broadcast> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until something that fits has been told since `from`; how much was told by then.
    pub async fn hear(&self, from: usize, fits: impl Fn(&Broadcast) -> bool) -> usize {
        let waiting = async {
            loop {
                let heard = self.heard();
                if let Some(at) = heard.iter().skip(from).position(&fits) {
                    return from + at + 1;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(at) => at,
            Err(_) => panic!("it was never told; what was: {:#?}", self.heard()),
        }
    }

    /// Waits until nothing is being indexed and nothing will be.
    pub async fn indexed(&self, from: usize) {
        let idle = |told: &Broadcast| matches!(told, Broadcast::Indexing { indexing: Indexing::Idle });
        self.hear(from, idle).await;
        let findings = self.host.findings().await.unwrap();
        assert!(findings.iter().all(|finding| finding.code != "indexing_failed"), "{findings:#?}");
    }

    /// Asks in a new conversation.
    pub async fn ask(&self, question: &str) -> (String, Result<AskResponse, CommandError>, Vec<AnswerEvent>) {
        let id = self.host.create_conversation().await.unwrap().id;
        let (answer, events) = self.ask_in(&id, None, QuestionRequest::new(question)).await;
        (id, answer, events)
    }

    pub async fn ask_in(
        &self,
        conversation: &str,
        replaces: Option<&str>,
        request: QuestionRequest,
    ) -> (Result<AskResponse, CommandError>, Vec<AnswerEvent>) {
        let events: Arc<Mutex<Vec<AnswerEvent>>> = Arc::default();
        let hearing = Arc::clone(&events);
        let sink = move |batch: Vec<AnswerEvent>| hearing.lock().unwrap().extend(batch);
        let replaces = replaces.map(str::to_owned);
        let answer = self.host.ask(conversation.to_owned(), replaces, request, sink).await;
        let events = events.lock().unwrap().clone();
        (answer, events)
    }
}

/// A workspace over the sample library, indexed once; every test gets a copy of its own.
pub async fn sample_workspace() -> TempDir {
    static INDEXED: OnceCell<TempDir> = OnceCell::const_new();
    let indexed = INDEXED
        .get_or_init(|| async {
            let folder = tempfile::tempdir().unwrap();
            let test_host = TestHost::open(folder.path()).await;
            test_host.host.open_sample_library().await.unwrap();
            test_host.indexed(0).await;
            test_host.host.shutdown().await;
            folder
        })
        .await;
    let folder = tempfile::tempdir().unwrap();
    copy(indexed.path(), folder.path());
    folder
}

/// A folder with decision records of one's own.
pub fn records() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_record(
        folder.path(),
        1,
        "Use Kafka for events",
        "We use Kafka as the broker for all event streaming.",
    );
    write_record(
        folder.path(),
        2,
        "Keep logs for a year",
        "Logs of every service are kept for twelve months.",
    );
    folder
}

pub fn write_record(folder: &Path, number: u32, title: &str, decision: &str) {
    let text = format!(
        "# {number}. {title}\n\nDate: 2026-01-0{number}\n\n## Status\n\nAccepted\n\n## Context\n\nWe had to decide.\n\n## Decision\n\n{decision}\n"
    );
    let slug = title.to_lowercase().replace(' ', "-");
    std::fs::write(folder.join(format!("{number:04}-{slug}.md")), text).unwrap();
}
