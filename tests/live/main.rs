//! The journey against a real Ollama, and a real server of llama.cpp, with real weights. `cargo xtask live` builds, fetches and runs; without it these tests
//! say so and pass over.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod llama_cpp;
mod server;

use std::path::Path;

use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::{Action, AnswerEvent, AskResponse, Stage};
use plumbline_evaluation::quality::{unresolved_citations, unsupported_tokens};
use plumbline_library::Indexer;
use plumbline_models::server::diagnose;
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use server::LiveServer;

/// A real adversary: it invents sources and ignores what it is told.
const WEAK: &str = "smollm2:135m";
/// Small, and of use.
const USABLE: &str = "qwen2.5-coder:1.5b";
const QUESTION: &str = "Which version of TLS is required for transport encryption?";

/// Starts the server, or says why there is none.
async fn server() -> Option<LiveServer> {
    let started = LiveServer::start().await;
    if started.is_none() {
        println!("skipped: there is no real Ollama here; `cargo xtask live` builds one");
    }
    started
}

/// The sample library in a workspace of its own, with these settings.
async fn opened(address: &str, settings: &[(&str, &str)]) -> (Workspace, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let allow = format!(
        "{{ \"{WEAK}\" = {{ context_window = 4096, max_response = 256 }}, \"{USABLE}\" = {{ context_window = 8192, max_response = 384 }} }}"
    );
    // The machine's speed is not what is tried here.
    let patient = ("models.timeout_seconds", "1800");
    let given = [("models.allow", allow.as_str()), ("models.ollama_url", address), patient];
    let flags = given.iter().chain(settings).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let flags = flags.collect();
    let options =
        WorkspaceOptions { folder: Some(folder.path().to_owned()), flags, ..WorkspaceOptions::default() };
    let workspace = Workspace::open(options).unwrap();
    let mut index = workspace.index_options(true).await.unwrap();
    index.reader.worker = None;
    let (at, runtime) = (folder.path().to_owned(), tokio::runtime::Handle::current());
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample/library.toml");
    tokio::task::spawn_blocking(move || {
        let mut indexer = Indexer::open(&at, index, runtime).unwrap();
        indexer.add(&[sample]).unwrap();
        indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    })
    .await
    .unwrap();
    (workspace, folder)
}

async fn ask(engine: &Engine, request: AskRequest) -> Result<AskResponse, AskError> {
    let answered = engine.ask(request, &CancellationToken::new(), &|_| {}).await;
    if let Ok(response) = &answered {
        let reason = response.refusal_reason.map(|reason| reason.as_str());
        println!(
            "{} by {:?}, {reason:?}, {} withheld, {:.0} ms: {}",
            response.action.as_str(),
            response.model_used,
            response.withheld.len(),
            response.generation_time_ms,
            response.answer.replace('\n', " ")
        );
        for withheld in &response.withheld {
            println!("  withheld as {}: {}", withheld.label.as_str(), withheld.text.replace('\n', " "));
        }
    }
    answered
}

/// Settings with which the circuit opens and closes soon.
const IMPATIENT: [(&str, &str); 4] = [
    ("models.answer", WEAK),
    ("breaker.failure_threshold", "2"),
    ("breaker.success_threshold", "1"),
    ("breaker.timeout_seconds", "1"),
];

/// A question that is stopped while the model writes leaves the server free for the next one.
async fn stopped_and_asked_again(engine: &Engine) {
    let stop = CancellationToken::new();
    let stopped = engine
        .ask(AskRequest::new(QUESTION), &stop, &|event| {
            if matches!(event, AnswerEvent::Stage { stage: Stage::Generation, .. }) {
                stop.cancel();
            }
        })
        .await;
    assert!(matches!(stopped, Err(AskError::Stopped)), "{stopped:?}");
    ask(engine, AskRequest::new(QUESTION)).await.unwrap();
}

/// Without its server answers still come, and the banner says what is off; when it is back both go by themselves.
async fn gone_and_back(server: LiveServer, engine: &Engine) {
    let server = server.stop().await;
    for _ in 0..2 {
        let response = ask(engine, AskRequest::new(QUESTION)).await.unwrap();
        assert!(response.retrieval_quality.fallback_reasons.iter().any(|flag| flag == "extractive"));
        assert!(!response.citations.is_empty(), "the answer still comes, in the documents' own words");
    }
    assert!(!engine.banner().is_empty(), "the banner names what is off");
    let server = server.start_again().await;
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    let response = ask(engine, AskRequest::new(QUESTION)).await.unwrap();
    assert!(!response.retrieval_quality.fallback_reasons.iter().any(|flag| flag == "circuit_open"));
    assert!(engine.banner().is_empty(), "it goes by itself: {:?}", engine.banner());
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn test_health_check() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[("models.answer", USABLE)]).await;
    let found = diagnose(&workspace.model_server().unwrap()).await;
    println!("{found:?}");
    assert!(found.reachable && found.problems.is_empty());
    assert!(found.models.iter().any(|model| model.name == WEAK && model.allowed && model.chats));
}

#[tokio::test(flavor = "multi_thread")]
async fn test_generate_full_pipeline_and_model_override() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[("models.answer", USABLE)]).await;
    let engine = workspace.engine().await.unwrap().engine;
    let response = ask(&engine, AskRequest::new(QUESTION)).await.unwrap();
    assert_eq!((response.action, response.fallback_mode), (Action::Cite, false));
    assert!(response.answer.contains("TLS 1.3"), "{}", response.answer);
    assert!(response.citations.iter().any(|citation| citation.document_id == "adr-0021"));
    let other = AskRequest { model: Some(WEAK.to_owned()), ..AskRequest::new(QUESTION) };
    let response = ask(&engine, other).await.unwrap();
    assert!(response.model_used.as_deref().is_none_or(|model| model == WEAK), "{:?}", response.model_used);
    assert!(unresolved_citations(&response).is_empty() && unsupported_tokens(&response).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn test_generate_low_confidence_routes() {
    let Some(server) = server().await else { return };
    let settings = [("models.answer", USABLE), ("retrieval.confidence_threshold", "100")];
    let (workspace, _folder) = opened(&server.address(), &settings).await;
    let engine = workspace.engine().await.unwrap().engine;
    let response = ask(&engine, AskRequest::new(QUESTION)).await.unwrap();
    assert_eq!(response.action, Action::Route);
    assert!(response.route_to.is_some(), "somebody is named who knows");
    assert!(!response.citations.is_empty(), "the passages are shown instead of an answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_stopped_leaves_the_server_free_for_the_next() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[("models.answer", WEAK)]).await;
    let engine = workspace.engine().await.unwrap().engine;
    stopped_and_asked_again(&engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn test_validate_model() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[]).await;
    let engine = workspace.engine().await.unwrap().engine;
    let refused = AskRequest { model: Some("not-allowed".to_owned()), ..AskRequest::new(QUESTION) };
    assert!(matches!(ask(&engine, refused).await, Err(AskError::ModelNotAllowed { .. })));
    let missing = AskRequest { model: Some("llama3.2".to_owned()), ..AskRequest::new(QUESTION) };
    assert!(matches!(ask(&engine, missing).await, Err(AskError::ModelUnavailable { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn test_generate_no_context() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[("models.answer", WEAK)]).await;
    let engine = workspace.engine().await.unwrap().engine;
    let response = ask(&engine, AskRequest::new("How do I bake sourdough bread?")).await.unwrap();
    assert!(response.refused && response.citations.is_empty() && response.model_used.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn test_generate_token_budget() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &[("models.answer", WEAK)]).await;
    let engine = workspace.engine().await.unwrap().engine;
    let turn = |number: usize| {
        let words = format!("What about the retention of measurements in region {number}? ").repeat(30);
        [ChatMessage::user(words), ChatMessage::assistant("They are kept for 13 months.")]
    };
    let request = AskRequest {
        chat_history: (0..20).flat_map(turn).collect(),
        ..AskRequest::new("Which version of TLS is required for transport encryption according to ADR-0021?")
    };
    let response = ask(&engine, request).await.unwrap();
    let flags = &response.retrieval_quality.fallback_reasons;
    assert!(
        !flags.iter().any(|flag| flag == "prompt_truncated"),
        "the budget keeps within the window: {flags:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn circuit_opens_and_closes_with_the_real_server() {
    let Some(server) = server().await else { return };
    let (workspace, _folder) = opened(&server.address(), &IMPATIENT).await;
    let engine = workspace.engine().await.unwrap().engine;
    gone_and_back(server, &engine).await;
}
