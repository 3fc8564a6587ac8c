//! A model that this program runs by itself: fetched by its hash, started, and gone when it should be.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use plumbline_core::settings::ManagedSettings;
use plumbline_models::managed::{
    FetchProgress, GuardCommand, ManagedError, ManagedServer, Plan, Status, download, fetch, running,
};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const PATIENT: Duration = Duration::from_secs(60);

/// Cargo builds examples beside the tests.
fn fake() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples").join("fake-llama-server");
    assert!(program.is_file(), "cargo builds examples for `cargo test`: {}", program.display());
    program
}

struct World {
    folder: TempDir,
    settings: ManagedSettings,
}

impl World {
    /// A workspace and weights that make the server behave so.
    fn with(weights: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("small.gguf");
        std::fs::write(&file, weights).unwrap();
        let settings = ManagedSettings {
            enabled: true,
            program: Some(fake().display().to_string()),
            file: Some(file.display().to_string()),
            memory_mb: 256,
            port: free_port(),
            ..ManagedSettings::default()
        };
        Self { folder, settings }
    }

    fn workspace(&self) -> &Path {
        self.folder.path()
    }

    async fn start(&self) -> Result<ManagedServer, ManagedError> {
        let plan = Plan::of(&self.settings, self.workspace())?;
        ManagedServer::start(&plan, &GuardCommand { program: fake() }, self.workspace()).await
    }

    fn process(&self) -> u32 {
        let told = std::fs::read_to_string(self.workspace().join("small.gguf.process")).unwrap();
        told.parse().unwrap()
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Whether a process is there, as long as it is no zombie that nobody has waited for.
fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

async fn is_gone(process: u32) -> bool {
    let waiting = async {
        while is_alive(process) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENT, waiting).await.is_ok()
}

fn signal(process: u32, signal: &str) {
    let sent = std::process::Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// How a server ended that nobody stopped.
async fn ended(server: &ManagedServer) -> ManagedError {
    let mut status = server.status();
    let waiting = status.wait_for(|now| matches!(now, Status::Ended(_)));
    let status = tokio::time::timeout(PATIENT, waiting).await.unwrap().unwrap().clone();
    let Status::Ended(Some(why)) = status else { panic!("{status:?}") };
    why
}

#[tokio::test(flavor = "multi_thread")]
async fn it_starts_is_found_by_others_runs_once_and_stops() {
    let world = World::with("well");
    assert_eq!(running(world.workspace()), None);
    let server = world.start().await.unwrap();
    let found = running(world.workspace()).unwrap();
    assert_eq!(found.model, "small");
    assert_eq!(found.address, format!("http://127.0.0.1:{}/v1", world.settings.port));
    assert_eq!(world.start().await.err(), Some(ManagedError::Taken), "one process for a workspace");
    assert_eq!(running(world.workspace()), Some(found), "the first is left alone");
    let process = world.process();
    server.stop().await;
    assert!(!is_alive(process));
    assert_eq!(running(world.workspace()), None);
    drop(world.start().await.unwrap());
    assert!(is_gone(world.process()).await, "nobody holds it any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_left_to_whoever_has_it() {
    let mut world = World::with("well");
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    world.settings.port = other.local_addr().unwrap().port();
    let server = world.start().await.unwrap();
    let found = running(world.workspace()).unwrap();
    assert!(!found.address.contains(&format!(":{}/", world.settings.port)), "{}", found.address);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_or_ends_is_told_with_its_last_words() {
    let world = World::with("well");
    let server = world.start().await.unwrap();
    signal(world.process(), "-9");
    assert!(matches!(ended(&server).await, ManagedError::Ended { .. }));
    assert_eq!(running(world.workspace()), None);
    let broken = World::with("broken").start().await.err().unwrap();
    assert!(broken.to_string().contains("invalid magic"), "{broken}");
    let mut none = World::with("well");
    none.settings.program = Some("/nowhere/llama-server".to_owned());
    assert!(none.start().await.err().unwrap().to_string().contains("/nowhere/llama-server"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_too_much_memory_is_ended() {
    let mut greedy = World::with("greedy");
    greedy.settings.memory_mb = 64;
    assert_eq!(greedy.start().await.err(), Some(ManagedError::Memory { limit: 64 }));
    assert!(is_gone(greedy.process()).await);
    let large = World::with(&"x".repeat(20 << 20));
    let settings = ManagedSettings { memory_mb: 16, ..large.settings.clone() };
    let refused = Plan::of(&settings, large.workspace());
    assert_eq!(refused, Err(ManagedError::TooLarge { megabytes: 20, limit: 16 }), "before it is started");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_guard_that_is_killed_takes_the_server_with_it() {
    let world = World::with("well");
    let server = world.start().await.unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", world.process())).unwrap();
    let guard: u32 = stat.rsplit(") ").next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    signal(guard, "-9");
    assert!(is_gone(world.process()).await);
    assert_eq!(running(world.workspace()), None, "what the guard left behind is not believed");
    drop(server);
}

/// How a store of models answers one request after the other.
#[derive(Clone, Copy)]
enum Answer {
    /// As asked, from where it was asked for; so many bytes, and then the connection breaks.
    Breaking(usize),
    /// As asked, whole.
    Whole,
    /// From the beginning, whatever was asked.
    Anew,
    Status(&'static str),
}

/// A store that serves these bytes; the ranges that it was asked for.
async fn store(bytes: Vec<u8>, answers: Vec<Answer>) -> (String, std::sync::Arc<Mutex<Vec<usize>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/models/tiny.gguf", listener.local_addr().unwrap());
    let asked = std::sync::Arc::new(Mutex::new(Vec::new()));
    let kept = std::sync::Arc::clone(&asked);
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            let from = head.lines().find_map(|line| line.strip_prefix("range: bytes=")?.strip_suffix('-'));
            let from: usize = from.map_or(0, |from| from.parse().unwrap());
            kept.lock().unwrap().push(from);
            let from = if matches!(answer, Answer::Anew) { 0 } else { from };
            let rest = &bytes[from.min(bytes.len())..];
            let head = match answer {
                Answer::Status(status) => format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n"),
                _ if from == 0 => format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", rest.len()),
                _ => format!(
                    "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes {from}-{}/{}\r\ncontent-length: {}\r\n\r\n",
                    bytes.len() - 1,
                    bytes.len(),
                    rest.len()
                ),
            };
            stream.write_all(head.as_bytes()).await.unwrap();
            let sent = match answer {
                Answer::Breaking(sent) => &rest[..sent.min(rest.len())],
                Answer::Status(_) => &[],
                _ => rest,
            };
            let _ = stream.write_all(sent).await;
            let _ = stream.flush().await;
        }
    });
    (address, asked)
}

fn weights() -> Vec<u8> {
    (0..300_000_u32).flat_map(u32::to_le_bytes).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn settings(address: &str, sha256: &str) -> ManagedSettings {
    ManagedSettings {
        address: Some(address.to_owned()),
        sha256: Some(sha256.to_owned()),
        ..ManagedSettings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_breaks_goes_on_from_there() {
    let bytes = weights();
    let answers = vec![
        Answer::Breaking(400_000),
        Answer::Status("503 Service Unavailable"),
        Answer::Breaking(100_000),
        Answer::Whole,
    ];
    let (address, asked) = store(bytes.clone(), answers).await;
    let folder = tempfile::tempdir().unwrap();
    let wanted = download(&settings(&address, &sha256(&bytes).to_uppercase()), folder.path()).unwrap();
    let told = Mutex::new(Vec::new());
    fetch(&wanted, &|progress| told.lock().unwrap().push(progress)).await.unwrap();
    assert_eq!(std::fs::read(&wanted.file).unwrap(), bytes);
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 4);
    assert!(asked[1] > 0 && asked[1] == asked[2] && asked[3] > asked[2], "{asked:?}");
    let told = told.into_inner().unwrap();
    assert_eq!(told.last(), Some(&FetchProgress::Checking));
    let total = Some(bytes.len() as u64);
    assert!(told.contains(&FetchProgress::Fetching { done: bytes.len() as u64, total }));
    fetch(&wanted, &|_| panic!("what is here is not fetched again")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_attempt_goes_on_too_and_a_store_that_begins_anew_is_followed() {
    let bytes = weights();
    let folder = tempfile::tempdir().unwrap();
    let nobody = Answer::Status("500 Internal Server Error");
    let (address, _) =
        store(bytes.clone(), vec![Answer::Breaking(400_000), nobody, nobody, nobody, nobody]).await;
    let wanted = download(&settings(&address, &sha256(&bytes)), folder.path()).unwrap();
    let failed = fetch(&wanted, &|_| {}).await.unwrap_err();
    assert!(failed.to_string().contains("goes on from there"), "{failed}");
    assert!(!wanted.file.exists());
    let (address, asked) = store(bytes.clone(), vec![Answer::Anew]).await;
    let again = plumbline_models::managed::Download { address, ..wanted };
    fetch(&again, &|_| {}).await.unwrap();
    assert!(asked.lock().unwrap()[0] > 0, "it asked for the rest");
    assert_eq!(std::fs::read(&again.file).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_what_it_should_be_is_thrown_away() {
    let (address, _) = store(weights(), vec![Answer::Whole]).await;
    let folder = tempfile::tempdir().unwrap();
    let other = sha256(b"another file");
    let wanted = download(&settings(&address, &other), folder.path()).unwrap();
    let refused = fetch(&wanted, &|_| {}).await.unwrap_err();
    assert_eq!(refused, ManagedError::WrongHash { expected: other, found: sha256(&weights()) });
    let left = std::fs::read_dir(wanted.file.parent().unwrap()).unwrap().count();
    assert_eq!(left, 0, "neither the file nor a part of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_fetched_that_cannot_be_checked_or_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let none = ManagedSettings::default();
    assert_eq!(download(&none, folder.path()), Err(ManagedError::NoModel));
    let unhashed = ManagedSettings { address: Some("http://127.0.0.1:9/x.gguf".to_owned()), ..none };
    assert_eq!(download(&unhashed, folder.path()), Err(ManagedError::NoHash));
    let wrong = settings("http://127.0.0.1:9/x.gguf", "1234");
    assert_eq!(download(&wrong, folder.path()), Err(ManagedError::NotAHash("1234".to_owned())));
    let (address, _) = store(weights(), vec![Answer::Status("404 Not Found")]).await;
    let wanted =
        download(&settings(&format!("{address}?token=secret"), &sha256(b"x")), folder.path()).unwrap();
    let missing = fetch(&wanted, &|_| {}).await.unwrap_err().to_string();
    assert!(missing.contains("404") && !missing.contains("secret"), "{missing}");
    let hostile = settings("http://127.0.0.1:9/..%2f..%2f.bashrc", &sha256(b"x"));
    let file = download(&hostile, folder.path()).unwrap().file;
    assert_eq!(file.ancestors().nth(3), Some(folder.path()), "{}", file.display());
}
