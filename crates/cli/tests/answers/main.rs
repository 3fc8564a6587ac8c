//! Questions, conversations and check-ups as a user types them, over the sample's records and a made-up Ollama.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checks;
mod drafts;
mod evaluation;
mod mcp;
mod own_model;
mod questions;
mod servers;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use plumbline_core::ports::ModelError;
use plumbline_testkit::folders::copy;
use plumbline_testkit::model::{Job, Step, honest_reply, job, passages, reply};
use plumbline_testkit::ollama_server::{OllamaServer, World};
use serde_json::{Value, json as value};
use tempfile::TempDir;

/// A port that nobody listens on: connecting is refused at once.
const NOBODY: &str = "http://127.0.0.1:9";
const QUESTION: &str = "Which broker do we use for event streaming?";

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// The sample library, indexed once; every test gets a copy of its own.
fn library() -> TempDir {
    static INDEXED: OnceLock<TempDir> = OnceLock::new();
    let indexed = INDEXED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let manifest = sample().join("library.toml");
        let output = User::new(folder.path()).run(&["index", &manifest.to_string_lossy(), "--quiet"]);
        assert!(output.status.success(), "{}", said(&output));
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    copy(indexed.path(), folder.path());
    folder
}

/// Somebody at a terminal, with none of this machine's settings.
struct User<'u> {
    workspace: &'u Path,
    environment: Vec<(String, String)>,
}

impl<'u> User<'u> {
    fn new(workspace: &'u Path) -> Self {
        Self { workspace, environment: vec![("OLLAMA_BASE_URL".to_owned(), NOBODY.to_owned())] }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn start(&self, arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_plumbline"))
            .args(arguments)
            .arg("--workspace")
            .arg(self.workspace)
            .env_clear()
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.start(arguments).wait_with_output().unwrap()
    }

    /// What a conversation prints for these lines.
    fn chat(&self, lines: &[&str]) -> String {
        let mut child = self.start(&["chat"]);
        let mut input = child.stdin.take().unwrap();
        input.write_all(lines.join("\n").as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", said(output)))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every citation is a passage of the file that it names, letter for letter.
fn citations_resolve(response: &Value) -> usize {
    let citations = response["citations"].as_array().unwrap();
    for citation in citations {
        let file = sample().join(citation["path"].as_str().unwrap());
        if let Ok(source) = std::fs::read_to_string(&file) {
            let span = |end: &str| usize::try_from(citation["span"][end].as_u64().unwrap()).unwrap();
            let passage: String =
                source.chars().skip(span("start")).take(span("end") - span("start")).collect();
            assert_eq!(
                passage.trim(),
                citation["snippet_full"].as_str().unwrap().trim(),
                "{}",
                file.display()
            );
        }
    }
    citations.len()
}

#[test]
fn a_fresh_machine_answers_in_the_documents_own_words() {
    let folder = library();
    let user = User::new(folder.path());
    let output = user.run(&["ask", QUESTION, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let response = json(&output);
    assert_eq!(response["action"], "CITE");
    assert_eq!((&response["model_used"], &response["fallback_mode"]), (&Value::Null, &Value::Bool(false)));
    assert!(response["answer"].as_str().unwrap().contains("Kafka"), "{}", response["answer"]);
    assert!(citations_resolve(&response) > 0);
    let printed = text(&user.run(&["ask", QUESTION, "--passages"]));
    assert!(printed.contains("[1] ") && printed.contains("  │ "), "notes and passages are there: {printed}");
}

#[test]
fn a_question_that_nothing_answers_is_refused_with_exit_code_3() {
    let folder = library();
    let output = User::new(folder.path()).run(&["ask", "How do I bake sourdough bread?", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let response = json(&output);
    assert_eq!(
        (response["refused"].as_bool(), response["citations"].as_array().map(Vec::len)),
        (Some(true), Some(0))
    );
    assert!(response["refusal_reason"].is_string());
}

#[test]
fn a_reader_who_stops_reading_is_no_fault() {
    let folder = library();
    let mut child = User::new(folder.path()).start(&["list", "all", "--json"]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
}

#[test]
fn facts_need_no_model() {
    let folder = library();
    let user = User::new(folder.path());
    for (question, expected) in [
        ("Who approved ADR.10?", "Marit Veenstra"),
        ("What is the status of ADR-28?", "rejected"),
        ("What supersedes ADR 5?", "ADR-0018"),
        ("How many principles are there?", "20"),
        ("Which ADRs are proposed?", "ADR-0027"),
    ] {
        let output = user.run(&["ask", question, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{question}: {}", said(&output));
        let response = json(&output);
        let answer = response["answer"].as_str().unwrap();
        assert!(answer.contains(expected), "{question}: {answer}");
        assert_eq!(response["model_used"], Value::Null);
    }
}

#[test]
fn without_a_library_the_way_to_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = User::new(folder.path()).run(&["ask", QUESTION]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("plumbline index FOLDER"), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_writes_the_answer_and_counts_and_records_are_kept() {
    let server = OllamaServer::start().await;
    let folder = library();
    let user =
        User::new(folder.path()).with("OLLAMA_BASE_URL", server.address()).with("CHAT_MODEL", "llama3.2");
    let response = json(&user.run(&["ask", QUESTION, "--json"]));
    assert_eq!(
        (response["action"].as_str(), response["model_used"].as_str()),
        (Some("CITE"), Some("llama3.2"))
    );
    assert!(citations_resolve(&response) > 0);
    let sent = &server.asked_of("/api/chat")[0].body;
    for option in ["num_ctx", "num_predict", "seed", "temperature"] {
        assert!(sent["options"][option].is_number(), "{option} is explicit");
    }

    user.run(&["ask", QUESTION, "--json"]);
    let dumped = text(&user.run(&["metrics", "--dump", "--format", "prometheus"]));
    let requests: f64 = dumped
        .lines()
        .filter(|line| line.starts_with("rag_request_total"))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
        .sum();
    assert_eq!(requests, 2.0, "counters outlive the program:\n{dumped}");
    let audit: String = std::fs::read_dir(folder.path().join("audit"))
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap_or_default())
        .collect();
    assert!(audit.contains(response["request_id"].as_str().unwrap()), "the question is on record");
}

#[tokio::test(flavor = "multi_thread")]
async fn models_that_may_not_or_cannot_be_used_are_named_with_the_way_out() {
    let server = OllamaServer::start().await;
    let folder = library();
    let user = User::new(folder.path()).with("OLLAMA_BASE_URL", server.address());
    let not_allowed = user.run(&["ask", QUESTION, "--model", "gpt-oss"]);
    assert_eq!(not_allowed.status.code(), Some(1));
    assert!(said(&not_allowed).contains("models.allow"), "{}", said(&not_allowed));
    let not_pulled = user.run(&["ask", QUESTION, "--model", "qwen3:8b"]);
    assert_eq!(not_pulled.status.code(), Some(1));
    assert!(said(&not_pulled).contains("ollama pull qwen3:8b"), "{}", said(&not_pulled));
}

#[test]
fn a_server_that_is_away_costs_the_wording_not_the_answer() {
    let folder = library();
    let user = User::new(folder.path()).with("CHAT_MODEL", "llama3.2");
    let output = user.run(&["ask", QUESTION, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let response = json(&output);
    assert_eq!(response["fallback_mode"], true);
    let reasons = response["retrieval_quality"]["fallback_reasons"].to_string();
    assert!(reasons.contains("extractive"), "{reasons}");
    assert!(response["transparency"]["statement"].as_str().unwrap().contains("ollama serve"), "{response}");
    assert!(citations_resolve(&response) > 0);
}

#[test]
fn a_conversation_shows_notes_and_takes_choices_by_number() {
    let folder = library();
    let printed =
        User::new(folder.path()).chat(&[QUESTION, "/show 1", "What is CIM?", "1", "/nonsense", "/quit"]);
    assert!(printed.contains("[1] ") && printed.contains("  │ "), "{printed}");
    assert!(
        printed.contains("  1. ") && printed.contains("  2. "),
        "several meanings are offered: {printed}"
    );
    assert!(printed.contains("vocabulary "), "the chosen one is defined: {printed}");
    assert!(printed.contains("There is no /nonsense"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_the_answer_closes_the_connection_and_the_next_question_works() {
    let server =
        OllamaServer::with(World::default().writing(|_| vec![Step::Text("Kafka".to_owned()), Step::Hang]))
            .await;
    let folder = library();
    let user =
        User::new(folder.path()).with("OLLAMA_BASE_URL", server.address()).with("CHAT_MODEL", "llama3.2");
    let mut child = user.start(&["chat"]);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{QUESTION}").unwrap();
    assert!(server.was_asked("/api/chat", 1).await);
    writeln!(input, "/stop").unwrap();
    assert!(server.all_closed().await, "the model is stopped");
    server.change(World::default());
    writeln!(input, "{QUESTION}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let printed = text(&output);
    assert!(printed.contains("Stopped") && printed.contains("written by llama3.2"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_what_is_well_and_how_to_mend_what_is_not() {
    let server = OllamaServer::start().await;
    let folder = library();
    let well =
        User::new(folder.path()).with("OLLAMA_BASE_URL", server.address()).with("CHAT_MODEL", "llama3.2");
    let output = well.run(&["doctor"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for part in ["answers over IPv4", "2 models pulled", "90 documents", "files, all of them readable"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let dutch = well.run(&["doctor", "--lang", "nl"]);
    for part in
        ["antwoordt via IPv4", "2 modellen opgehaald", "90 documenten", "bestanden, allemaal leesbaar"]
    {
        assert!(text(&dutch).contains(part), "{part}: {}", text(&dutch));
    }
    let away = User::new(folder.path()).with("CHAT_MODEL", "llama3.2").run(&["doctor", "--json"]);
    assert_eq!(away.status.code(), Some(1), "a configured model that cannot be reached is broken");
    let found = json(&away);
    let broken: Vec<&Value> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["health"] == "broken")
        .collect();
    assert!(broken[0]["fix"].as_str().unwrap().contains("ollama serve"), "{broken:?}");
    let unused = User::new(folder.path()).run(&["doctor"]);
    assert_eq!(unused.status.code(), Some(0), "who configured no model is not ill without a server");

    let listed = json(&well.run(&["models", "--json"]));
    assert_eq!(listed["pulled"][0]["name"], "llama3.2:latest");
    assert_eq!(listed["jobs"]["answer"], "llama3.2");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_embedder_is_paid_for_knowingly_and_switching_back_is_free() {
    let server = OllamaServer::start().await;
    let folder = library();
    let user = User::new(folder.path())
        .with("OLLAMA_BASE_URL", server.address())
        .with("PLUMBLINE_MODELS_EMBEDDER", "all-minilm");
    let before = user.run(&["search", "event streaming", "--json"]);
    assert_eq!(json(&before)["fallback_flags"], serde_json::json!([]), "the built-in one answers until then");
    let told = text(&user.run(&["doctor"]));
    assert!(told.contains("until the vectors of all-minilm"), "{told}");
    let switched = user.run(&["index"]);
    assert!(said(&switched).contains("passages will be embedded"), "{}", said(&switched));
    let found = json(&user.run(&["search", "event streaming", "--json"]));
    assert_eq!(found["fallback_flags"], serde_json::json!([]), "its vectors are searched");

    let embeddings = server.asked_of("/api/embed").len();
    let back = User::new(folder.path()).with("OLLAMA_BASE_URL", server.address());
    let again = back.run(&["index", "--json"]);
    assert_eq!(json(&again)["embedded"], 0, "the built-in embedder's vectors are still there");
    assert_eq!(server.asked_of("/api/embed").len(), embeddings);

    let address = server.address().to_owned();
    server.stop().await;
    let away = User::new(folder.path())
        .with("OLLAMA_BASE_URL", &address)
        .with("PLUMBLINE_MODELS_EMBEDDER", "all-minilm")
        .run(&["ask", QUESTION, "--json"]);
    assert_eq!(away.status.code(), Some(0), "{}", said(&away));
    let response = json(&away);
    assert!(response["retrieval_quality"]["fallback_reasons"].to_string().contains("bm25_only"));
    assert!(said(&away).contains("search is by words alone"), "{}", said(&away));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_goes_to_the_server_and_nowhere_else() {
    const TOKEN: &str = "tok-5f1e9c-secret";
    let server = OllamaServer::with(
        World::default()
            .writing(|_| vec![Step::Refuse(ModelError::Broken(format!("bad token {TOKEN}").into()))]),
    )
    .await;
    let folder = library();
    let user = User::new(folder.path())
        .with("OLLAMA_BASE_URL", server.address())
        .with("CHAT_MODEL", "llama3.2")
        .with("PLUMBLINE_TOKEN", TOKEN);
    let mut printed = String::new();
    for arguments in [&["ask", QUESTION, "--json"][..], &["doctor"], &["models"], &["status"]] {
        let output = user.run(arguments);
        printed.push_str(&(text(&output) + &said(&output)));
    }
    assert_eq!(server.asked()[0].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert!(!printed.contains(TOKEN), "{printed}");
    let mut files = vec![folder.path().to_owned()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let held = std::fs::read(&path).unwrap();
            assert!(!held.windows(TOKEN.len()).any(|bytes| bytes == TOKEN.as_bytes()), "{}", path.display());
        }
    }
}

#[test]
fn a_reranker_that_cannot_be_used_is_said_and_left_out() {
    let folder = library();
    for (name, reason) in
        [("/nowhere/encoder", "/nowhere/encoder does not exist"), ("unknown-model", "models.allow")]
    {
        let user = User::new(folder.path()).with("PLUMBLINE_MODELS_RERANKER", name);
        let output = user.run(&["ask", QUESTION, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(said(&output).contains(reason), "{}", said(&output));
        assert_eq!(json(&output)["action"], "CITE");
    }
}

#[test]
fn a_reader_can_be_turned_off_and_one_that_cannot_be_used_is_said_and_left_out() {
    let folder = library();
    let doctor = |reader: &str| {
        let user = User::new(folder.path()).with("PLUMBLINE_MODELS_READER", reader);
        text(&user.run(&["doctor"]))
    };
    assert!(doctor("").contains("built in: English, Dutch and across them"), "{}", doctor(""));
    assert!(doctor("off").contains("cosines and words decide"), "{}", doctor("off"));
    let user = User::new(folder.path()).with("PLUMBLINE_MODELS_READER", "/nowhere/reader");
    let output = user.run(&["ask", QUESTION, "--json"]);
    assert!(said(&output).contains("/nowhere/reader"), "{}", said(&output));
    assert_eq!(json(&output)["action"], "CITE");
    assert_eq!(user.run(&["search", "broker"]).status.code(), Some(0), "who searches needs no reader");
}

/// What the answer rests on, the first first: the passages that the model was given, and the sources that the user sees. The model
/// that reranks, where one is set, likes this text best.
async fn sources(reranker: &str, favourite: &str) -> (Vec<String>, Vec<String>) {
    let favourite = favourite.to_owned();
    let server = OllamaServer::with(World::default().writing(move |request| match job(request) {
        Job::Unknown => {
            let score = |passage: &str| if passage.contains(&favourite) { 95 } else { 5 };
            let asked = &request.messages.last().unwrap().content;
            let scores: Vec<u8> = asked.split("<passage ").skip(1).map(score).collect();
            reply(&value!({ "scores": scores }).to_string())
        }
        _ => reply(&honest_reply(request)),
    }))
    .await;
    let folder = library();
    let user = User::new(folder.path())
        .with("OLLAMA_BASE_URL", server.address())
        .with("CHAT_MODEL", "llama3.2")
        .with("PLUMBLINE_MODELS_RERANKER", reranker);
    let response = json(&user.run(&["ask", QUESTION, "--json"]));
    let cited = response["citations"].as_array().unwrap().iter();
    let cited = cited.map(|citation| citation["snippet_full"].as_str().unwrap().to_owned()).collect();
    let mut chats = server.asked_of("/api/chat").into_iter().map(|asked| asked.chat_request());
    let prompt = chats.rfind(|request| job(request) == Job::Answer).unwrap();
    (passages(&prompt).into_iter().map(|passage| passage.text).collect(), cited)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reranker_decides_which_source_comes_first() {
    let (given, cited) = sources("", "").await;
    let favourite = given.last().unwrap().lines().next().unwrap();
    assert!(given.len() > 1 && !cited[0].contains(favourite), "{favourite:?} of {given:#?}");
    let (given, cited) = sources("llama3.2", favourite).await;
    assert!(given[0].contains(favourite), "the model reads it first: {given:#?}");
    assert!(cited[0].contains(favourite), "and the user sees it first: {cited:#?}");
}
