//! The same journey against a real server of llama.cpp, which speaks OpenAI's protocol.

use std::path::PathBuf;
use std::process::Command;

use plumbline_core::error::AskError;
use plumbline_core::request::AskRequest;
use plumbline_core::response::Action;
use plumbline_evaluation::quality::{unresolved_citations, unsupported_tokens};
use plumbline_models::server::diagnose;
use plumbline_workspace::Workspace;
use tempfile::TempDir;

use crate::server::{LiveServer, Program};
use crate::{IMPATIENT, QUESTION, USABLE, WEAK, ask, gone_and_back, opened, stopped_and_asked_again};

/// Starts the server with one model, or says why there is none.
async fn server(model: &'static str) -> Option<LiveServer> {
    let program = std::env::var_os("PLUMBLINE_LIVE_LLAMA").map(PathBuf::from);
    let weights =
        std::env::var_os(if model == WEAK { "PLUMBLINE_LIVE_WEAK" } else { "PLUMBLINE_LIVE_USABLE" });
    let (Some(program), Some(weights)) = (program, weights) else {
        println!("skipped: there is no real server of llama.cpp here; `cargo xtask live` fetches one");
        return None;
    };
    let command = move |address: &str| {
        let (host, port) = address.split_once(':').expect("host and port");
        let mut command = Command::new(&program);
        command.arg("--model").arg(&weights).args(["--alias", model, "--host", host, "--port", port]);
        command.args(["--ctx-size", "8192", "--parallel", "1"]);
        if let Some(threads) = std::env::var_os("PLUMBLINE_LIVE_THREADS") {
            command.arg("--threads").arg(threads);
        }
        command
    };
    Some(LiveServer::running(Program { command: Box::new(command), ready: "/health" }).await)
}

async fn opened_with(server: &LiveServer, settings: &[(&str, &str)]) -> (Workspace, TempDir) {
    let address = format!("{}/v1", server.address());
    let mut all = vec![("models.server", "openai"), ("models.openai_url", address.as_str())];
    all.extend(settings);
    opened("http://127.0.0.1:9", &all).await
}

#[tokio::test(flavor = "multi_thread")]
async fn llama_cpp_is_recognised_and_answers_with_sources() {
    let Some(server) = server(USABLE).await else { return };
    let (workspace, _folder) = opened_with(&server, &[("models.answer", USABLE)]).await;
    let found = diagnose(&workspace.model_server().unwrap()).await;
    assert_eq!((found.reachable, found.product), (true, Some("llama.cpp")), "{found:?}");
    let engine = workspace.engine().await.unwrap().engine;
    let response = ask(&engine, AskRequest::new(QUESTION)).await.unwrap();
    assert_eq!((response.action, response.model_used.as_deref()), (Action::Cite, Some(USABLE)));
    assert!(unresolved_citations(&response).is_empty() && unsupported_tokens(&response).is_empty());
    assert!(!response.citations.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn llama_cpp_with_little_confidence_is_routed() {
    let Some(server) = server(USABLE).await else { return };
    let settings = [("models.answer", USABLE), ("retrieval.confidence_threshold", "100")];
    let (workspace, _folder) = opened_with(&server, &settings).await;
    let engine = workspace.engine().await.unwrap().engine;
    let response = ask(&engine, AskRequest::new(QUESTION)).await.unwrap();
    assert_eq!(response.action, Action::Route);
    assert!(response.route_to.is_some() && !response.citations.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn llama_cpp_that_is_stopped_is_free_for_the_next() {
    let Some(server) = server(WEAK).await else { return };
    let (workspace, _folder) = opened_with(&server, &[("models.answer", WEAK)]).await;
    let engine = workspace.engine().await.unwrap().engine;
    stopped_and_asked_again(&engine).await;
    let missing = AskRequest { model: Some(USABLE.to_owned()), ..AskRequest::new(QUESTION) };
    assert!(matches!(ask(&engine, missing).await, Err(AskError::ModelUnavailable { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_circuit_opens_and_closes_with_llama_cpp() {
    let Some(server) = server(WEAK).await else { return };
    let (workspace, _folder) = opened_with(&server, &IMPATIENT).await;
    let engine = workspace.engine().await.unwrap().engine;
    gone_and_back(server, &engine).await;
}
