//! The integration tests that the seeds name, over a server on loopback.

use std::sync::Arc;
use std::time::Duration;

use plumbline_core::error::ErrorCode;
use plumbline_core::ports::TokenCounter;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::Action;
use plumbline_models::server::{ServerEmbedder, ServerReranker};
use plumbline_telemetry::names;
use plumbline_testkit::model::{FakeModel, Job, honest_reply, job, reply};
use plumbline_testkit::ollama_server::{OllamaServer, World, WorldModel, error_line, json};
use plumbline_testkit::rig::{Rig, RigBuilder, cited};
use serde_json::{Value, json as value};

use crate::ollama_support::{MODEL, client};

const QUESTION: &str = "How do applications exchange events?";
const ADR: &str = "ADR_Ollama";

/// Honest in every job, and a reranker that finds the broker best.
fn world() -> World {
    let models = [
        WorldModel::chat("llama3.2:latest", 131_072),
        WorldModel::chat("qwen3:8b", 40_960),
        WorldModel::embedder("all-minilm:latest"),
    ];
    World::default().models(models).writing(|request| match job(request) {
        Job::Unknown => {
            let turn = &request.messages.last().unwrap().content;
            let score = |passage: &str| if passage.contains("broker") { 95 } else { 10 };
            let scores: Vec<u8> = turn.split("<passage ").skip(1).map(score).collect();
            reply(&value!({"scores": scores}).to_string())
        }
        _ => reply(&honest_reply(request)),
    })
}

/// Everything that Ollama can do, done by this server.
fn whole(server: &OllamaServer) -> RigBuilder {
    let model = client(server);
    let embedder = ServerEmbedder::new(model.clone(), "all-minilm");
    let reranker = ServerReranker::new(model.clone(), MODEL);
    Rig::with().model(FakeModel::honest()).planning_and_judging().ports(move |ports| {
        ports.model = Some(Arc::new(model));
        ports.embedder = Some(Arc::new(embedder));
        ports.reranker = Some(Arc::new(reranker));
    })
}

/// The bodies of the chats that asked for an answer.
fn answers(server: &OllamaServer) -> Vec<Value> {
    let chats = server.asked_of("/api/chat").into_iter();
    chats.filter(|asked| job(&asked.chat_request()) == Job::Answer).map(|asked| asked.body).collect()
}

#[tokio::test]
async fn test_generate_full_pipeline() {
    let server = OllamaServer::with(world()).await;
    let rig = whole(&server).settings(|settings| settings.retrieval.lane_deadline_ms = 20_000).build();
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert_eq!(response.action, Action::Cite, "{response:#?}");
    assert_eq!(response.model_used.as_deref(), Some(MODEL));
    assert!(
        response.answer.contains("Applications exchange events through one central broker."),
        "{}",
        response.answer
    );
    assert!(cited(response).contains(&"adr-0018:0".to_owned()));
    assert_eq!(response.confidence.unwrap().llm_score, Some(90));
    assert!(!response.fallback_mode && response.grounded && response.context_tokens_used > 0);
    for stage in ["embedding", "dense", "rerank", "planner", "generation", "grounding", "judge"] {
        assert_eq!(asked.stage(stage), "ok", "{stage}");
    }
    assert_eq!(asked.screen(), response.answer);
    assert!(server.all_closed().await);
}

#[tokio::test]
async fn test_generate_low_confidence_routes() {
    let doubtful = world().writing(|request| match job(request) {
        Job::Judge => reply("0"),
        _ => reply(&honest_reply(request)),
    });
    let server = OllamaServer::with(doubtful).await;
    let model = client(&server);
    let rig = Rig::with()
        .model(FakeModel::honest())
        .planning_and_judging()
        .settings(|settings| {
            // With a rating of 0 no answer reaches more than 70.
            settings.retrieval.confidence_threshold = 75;
            settings.retrieval.abstain_at = 10;
        })
        .ports(move |ports| ports.model = Some(Arc::new(model)))
        .build();
    let response = rig.answer(QUESTION).await;
    assert_eq!((response.action, response.confidence.unwrap().llm_score), (Action::Route, Some(0)));
    assert!(response.route_to.is_some(), "somebody to ask");
    assert!(response.answer.contains("> "), "and the evidence word for word: {}", response.answer);
}

#[tokio::test]
async fn test_generate_no_context() {
    let server = OllamaServer::with(world()).await;
    let rig = whole(&server).build();
    let response = rig.answer("What is the boiling point of tungsten?").await;
    assert!(response.refused && response.citations.is_empty(), "{response:#?}");
    assert!(answers(&server).is_empty(), "no model is asked to make something up");
}

#[tokio::test]
async fn test_generate_token_budget() {
    let server = OllamaServer::with(world()).await;
    let model = client(&server);
    let rig = Rig::with()
        .model(FakeModel::honest())
        .ports(move |ports| ports.model = Some(Arc::new(model)))
        .build();
    let mut chat_history = Vec::new();
    for at in 0..100 {
        chat_history.push(ChatMessage::user(format!(
            "Question {at}: {}",
            "what about the meter readings? ".repeat(20)
        )));
        chat_history.push(ChatMessage::assistant(format!("Answer {at}: {}", "they are kept. ".repeat(20))));
    }
    let request = AskRequest { chat_history, ..AskRequest::new(QUESTION) };
    let asked = rig.request(request).await;
    assert_eq!(asked.response().model_used.as_deref(), Some(MODEL));
    let sent = answers(&server).remove(0);
    let messages = sent["messages"].as_array().unwrap();
    let texts: Vec<&str> = messages.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert!(texts.iter().any(|text| text.starts_with("Answer 99")), "the newest stays");
    assert!(!texts.iter().any(|text| text.starts_with("Question 0:")), "the oldest goes");
    assert_eq!(messages[0]["role"], "system");
    assert!(texts.last().unwrap().contains(QUESTION));
    let counter = plumbline_core::budget::EstimatingCounter::new();
    let tokens: usize = texts.iter().map(|text| counter.count(MODEL, text)).sum();
    let room =
        sent["options"]["num_ctx"].as_u64().unwrap() - sent["options"]["num_predict"].as_u64().unwrap();
    assert!(tokens as u64 <= room, "{tokens} of {room}");
    let statement = asked.response().transparency.statement.as_deref().unwrap();
    assert!(statement.contains("did not fit"), "the user is told: {statement}");
}

#[tokio::test]
async fn test_model_override() {
    let server = OllamaServer::with(world()).await;
    let rig = whole(&server).build();
    let request = AskRequest { model: Some("qwen3:8b".to_owned()), ..AskRequest::new(QUESTION) };
    let asked = rig.request(request).await;
    assert_eq!(asked.response().model_used.as_deref(), Some("qwen3:8b"));
    let sent = answers(&server).remove(0);
    assert_eq!(sent["model"], "qwen3:8b");
    assert_eq!(sent["options"]["num_ctx"], 32768, "the allowlist's share of what the model has");
}

#[tokio::test]
async fn test_validate_model_allowed() {
    let server = OllamaServer::with(world().models([WorldModel::embedder("all-minilm:latest")])).await;
    let rig = whole(&server).build();
    let request = || AskRequest { model: Some("qwen3:8b".to_owned()), ..AskRequest::new(QUESTION) };
    let asked = rig.request(request()).await;
    assert_eq!(asked.error().code(), ErrorCode::ModelUnavailable, "allowed and not pulled");
    assert!(asked.error().to_string().contains("ollama pull qwen3:8b"), "{}", asked.error());
    server.change(world());
    assert_eq!(rig.request(request()).await.response().model_used.as_deref(), Some("qwen3:8b"));
}

#[tokio::test]
async fn test_validate_model_not_allowed() {
    let server = OllamaServer::with(world()).await;
    let rig = whole(&server).build();
    let request = AskRequest { model: Some("phi4".to_owned()), ..AskRequest::new(QUESTION) };
    let asked = rig.request(request).await;
    assert_eq!(asked.error().code(), ErrorCode::ModelNotAllowed);
    assert!(asked.error().to_string().contains("llama3.2"), "what is allowed is named: {}", asked.error());
    assert!(server.asked().is_empty(), "and nobody is asked");
}

/// A rig whose vectors come from this server.
fn embedding(server: &OllamaServer) -> Rig {
    let embedder = ServerEmbedder::new(client(server), "all-minilm");
    Rig::with()
        .settings(|settings| settings.retrieval.lane_deadline_ms = 20_000)
        .ports(move |ports| ports.embedder = Some(Arc::new(embedder)))
        .build()
}

fn break_down(server: &OllamaServer) {
    server.answer("/api/embed", json(500, &error_line("no luck")));
}

fn state(rig: &Rig) -> f64 {
    rig.metrics.value(&names::CIRCUIT_BREAKER_STATE, ["embeddings"])
}

async fn tripped(server: &OllamaServer) -> Rig {
    let rig = embedding(server);
    break_down(server);
    for _ in 0..5 {
        rig.answer(QUESTION).await;
    }
    rig
}

#[tokio::test]
async fn circuit_opens_after_failures() {
    let server = OllamaServer::with(world()).await;
    let rig = tripped(&server).await;
    let requests = server.asked().len();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(state(&rig), names::BREAKER_OPEN);
    assert_eq!(server.asked().len(), requests, "the server is left alone");
    assert_eq!(
        (asked.stage("dense").as_str(), asked.stage("lexical").as_str()),
        ("skipped: no vector", "ok")
    );
    assert_eq!(rig.metrics.value(&names::EMBEDDING_FALLBACK_TOTAL, [ADR]), 6.0);
    let banner = rig.engine.banner();
    assert_eq!((banner[0].service.as_str(), banner[0].retry_in_seconds), ("embeddings", 30));
}

#[tokio::test]
async fn circuit_enters_half_open_after_timeout() {
    let server = OllamaServer::with(world()).await;
    let rig = tripped(&server).await;
    server.behave();
    rig.clock.advance(Duration::from_secs(30));
    let before = server.asked_of("/api/embed").len();
    rig.answer(QUESTION).await;
    assert_eq!(state(&rig), names::BREAKER_HALF_OPEN);
    assert_eq!(server.asked_of("/api/embed").len(), before + 1, "one request is attempted");
}

#[tokio::test]
async fn circuit_closes_after_recovery() {
    let server = OllamaServer::with(world()).await;
    let rig = tripped(&server).await;
    server.behave();
    rig.clock.advance(Duration::from_secs(30));
    rig.answer(QUESTION).await;
    let asked = rig.ask(QUESTION).await;
    assert_eq!(state(&rig), names::BREAKER_CLOSED);
    assert_eq!(
        (asked.stage("dense").as_str(), asked.stage("lexical").as_str()),
        ("ok", "ok"),
        "hybrid search again"
    );
    assert!(!asked.response().fallback_mode && rig.engine.banner().is_empty());
}

#[tokio::test]
async fn structured_response_during_fallback() {
    let server = OllamaServer::with(world()).await;
    let rig = tripped(&server).await;
    let response = rig.answer(QUESTION).await;
    let json = serde_json::to_value(&response).unwrap();
    assert_eq!(
        (&json["fallback_mode"], &json["retrieval_quality"]["degraded"]),
        (&value!(true), &value!(true))
    );
    assert_eq!(json["retrieval_quality"]["fallback_reasons"], value!(["bm25_only", "circuit_open"]));
    let confidence = response.confidence.unwrap();
    assert_eq!(confidence.adjusted, (f64::from(confidence.overall) * 0.8).round() as u8, "reduced by 20 %");
}
