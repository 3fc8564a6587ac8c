//! Every exchange with the real server is read as it was meant.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use plumbline_core::ports::{ChatRequest, Embedder, LanguageModel, ModelError, ModelReply};
use plumbline_core::settings::ServerKind;
use plumbline_models::server::{Fault, PullProgress, ServerEmbedder, ServerError};
use plumbline_testkit::ollama_server::{Exchange, OllamaServer, Recordings};
use serde_json::Value;

use crate::ollama_support::{SOON, able, ask, client, hasty_request, recorded_models, request};

/// What the recorded lines say, read in the simplest way there is.
fn told(exchange: &Exchange) -> (String, ModelReply) {
    let body = exchange.body();
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = lines.iter().map(|line| line["message"]["content"].as_str().unwrap()).collect();
    let last = lines.last().unwrap();
    let count = |name: &str| last[name].as_u64().map(|count| usize::try_from(count).unwrap());
    let counted = ModelReply {
        prompt_tokens: count("prompt_eval_count"),
        prompt_time: last["prompt_eval_duration"].as_u64().map(Duration::from_nanos),
        completion_tokens: count("eval_count"),
        cut: last["done_reason"] == "length",
    };
    (text, counted)
}

/// How a chat that does not end as a reply ends: the kind of error, and words of it.
fn failure(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "chat-missing-model" => ("unavailable", ""),
        "chat-embedder" => ("refused", "`all-minilm:latest` cannot chat"),
        "chat-keep-alive-bad" => ("refused", "invalid duration"),
        "chat-long-refused" => ("refused", "longer than the context"),
        "chat-no-body" => ("refused", "missing request body"),
        "chat-no-model" => ("refused", "model is required"),
        "chat-not-json" => ("refused", "unexpected EOF"),
        "chat-option-type" => ("refused", "must be of type float32"),
        "chat-schema-bad" => ("refused", "invalid JSON schema"),
        "chat-think" | "chat-tools" => ("refused", "cannot do this"),
        "origin-preflight" => ("refused", "403"),
        "fault-queue-full" => ("connection", "busy"),
        "wrong-method" => ("connection", "not Ollama"),
        "fault-runner-killed" => ("broken", "unexpected EOF"),
        "fault-server-killed" => ("broken", "ended in the middle"),
        "load" | "unload" => ("broken", "loaded and not asked"),
        "chat-cancelled" => ("timeout", ""),
        _ => return None,
    })
}

fn kind(problem: &ModelError) -> &'static str {
    match problem {
        ModelError::Connection { .. } => "connection",
        ModelError::Refused { .. } => "refused",
        ModelError::Timeout(_) => "timeout",
        ModelError::Unavailable(_) => "unavailable",
        ModelError::Broken(_) => "broken",
    }
}

async fn chat(server: &OllamaServer, exchange: &Exchange) {
    let name = exchange.name.as_str();
    // A server that is asked for no model at all says so whatever we call it.
    let model =
        exchange.request["model"].as_str().filter(|model| !model.is_empty()).unwrap_or("smollm2:135m");
    let asked = if name == "chat-cancelled" { hasty_request(model) } else { request(model) };
    match (failure(name), ask(&client(server), asked).await) {
        (None, Ok(read)) => assert_eq!(read, told(exchange), "{name}"),
        (Some((wanted, words)), Err((text, problem))) => {
            assert_eq!(kind(&problem), wanted, "{name}: {problem}");
            assert!(problem.to_string().contains(words), "{name}: {problem}");
            let written = name.starts_with("fault-") && exchange.streamed || name == "chat-cancelled";
            assert_eq!(
                !text.is_empty(),
                written,
                "{name}: what came before the failure was passed on: {text:?}"
            );
        }
        (_, result) => panic!("{name}: {result:?}"),
    }
}

/// How many vectors an exchange gives, or words of the error.
fn vectors(name: &str) -> Result<usize, &'static str> {
    match name {
        "embed-64" => Ok(64),
        "embed-three" | "embed-blank-in-batch" => Ok(3),
        "embed-one" | "embed-long" | "embed-dimensions" | "embed-chat-model" => Ok(1),
        "embed-empty-string" | "embed-no-input" | "embed-empty-array" => Err("one vector for each text"),
        "embed-long-refused" | "embed-long-in-batch-refused" => Err("longer than the context"),
        "embed-number" | "embed-number-in-batch" => Err("rejected the request (status 400)"),
        "embed-missing" => Err("ollama pull no-such-embedder"),
        _ => panic!("{name} has no expectation"),
    }
}

async fn embed(server: &OllamaServer, exchange: &Exchange) {
    let name = exchange.name.as_str();
    let texts: Vec<String> = match &exchange.request["input"] {
        Value::Array(texts) if !texts.is_empty() => {
            texts.iter().map(|text| text.as_str().unwrap_or("7").to_owned()).collect()
        }
        Value::String(text) => vec![text.clone()],
        _ => vec!["one".to_owned()],
    };
    let embedder = ServerEmbedder::new(client(server), exchange.request["model"].as_str().unwrap());
    match (vectors(name), embedder.embed(&texts).await) {
        (Ok(count), Ok(read)) => {
            assert_eq!(read.len(), count, "{name}");
            let answer: Value = serde_json::from_str(&exchange.body()).unwrap();
            for (vector, told) in read.iter().zip(answer["embeddings"].as_array().unwrap()) {
                let told: Vec<f32> =
                    told.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
                assert_eq!(*vector, told, "{name}: a normalised vector stays as it came");
            }
        }
        (Err(words), Err(problem)) => assert!(problem.to_string().contains(words), "{name}: {problem}"),
        (_, result) => panic!("{name}: {result:?}"),
    }
}

async fn pull(server: &OllamaServer, exchange: &Exchange) {
    let name = exchange.name.as_str();
    let mut steps: Vec<Result<PullProgress, ServerError>> = Vec::new();
    let mut stream = client(server).pull("smollm2:135m").await.unwrap();
    // The server waits for ever after the last recorded line of a pull that the client stopped.
    let recorded = if name == "pull-cancelled" { exchange.pieces.len() } else { usize::MAX };
    while steps.len() < recorded
        && let Some(step) = stream.next().await
    {
        steps.push(step);
    }
    let last = steps.last().unwrap();
    match name {
        "pull" | "pull-again" | "pull-not-streamed" => assert_eq!(*last, Ok(PullProgress::Done), "{name}"),
        "pull-cancelled" => {
            let wanted =
                matches!(last, Ok(PullProgress::Part { completed: 58_720_256, total: Some(98_362_432), .. }));
            assert!(wanted, "{last:?}");
        }
        "pull-missing" | "pull-unreachable" | "pull-corrupt" => {
            let words = match name {
                "pull-missing" => "file does not exist",
                "pull-unreachable" => "connection refused",
                _ => "digest mismatch",
            };
            let Err(problem @ ServerError { fault: Fault::Pull { .. }, .. }) = last else {
                panic!("{name} was taken for a success: {last:?}")
            };
            let text = problem.to_string();
            assert!(text.starts_with("`ollama pull smollm2:135m` failed") && text.contains(words), "{text}");
        }
        _ => panic!("{name} has no expectation"),
    }
    if name == "pull" {
        let lines = exchange.body().lines().count();
        assert_eq!(steps.len(), lines, "one step a line");
        assert_eq!(steps[0], Ok(PullProgress::Manifest));
        assert!(steps.contains(&Ok(PullProgress::Verifying)), "{steps:?}");
        let known = |step: &Result<PullProgress, ServerError>| match step {
            Ok(PullProgress::Part { total: Some(total), completed, .. }) => completed <= total,
            _ => true,
        };
        assert!(steps.iter().all(known), "{steps:?}");
    }
}

async fn show(server: &OllamaServer, exchange: &Exchange) {
    let client = client(server);
    let model = exchange.request["model"].as_str().unwrap_or_default();
    let card = client.show(model).await;
    let (name, card) = (exchange.name.as_str(), card.as_ref().map_err(|problem| &problem.fault));
    let sized = |context: usize, chats: bool| {
        let card = card.unwrap();
        assert_eq!((card.context(), card.chats(), card.embeds()), (Some(context), chats, !chats), "{name}");
    };
    match name {
        "show-smollm2" | "show-case" | "show-verbose-smollm2" => sized(8192, true),
        "show-qwen" => sized(32768, true),
        "show-minilm" => sized(512, false),
        "show-missing" => assert_eq!(card, Err(&Fault::ModelMissing("no-such-model".to_owned()))),
        "show-empty" => assert!(matches!(card, Err(Fault::Rejected { status: 400, .. })), "{card:?}"),
        _ => panic!("{name} has no expectation"),
    }
    if name == "show-qwen" {
        let info = client.inspect(model).await.unwrap();
        assert_eq!(info.context_window, 32768);
    }
}

async fn lookup(server: &OllamaServer, exchange: &Exchange) {
    let (name, client) = (exchange.name.as_str(), client(server));
    let forbidden = Err(ServerError { server: ServerKind::Ollama, fault: Fault::Forbidden });
    match name {
        "version" | "auth-ignored" => assert_eq!(client.version().await.unwrap(), "0.24.0"),
        "tags" | "origin-tauri" => {
            let pulled = client.pulled().await.unwrap();
            let names: Vec<&str> = pulled.iter().map(|model| model.name.as_str()).collect();
            assert_eq!(names, ["qwen2.5-coder:1.5b", "all-minilm:latest", "smollm2:135m"]);
            assert_eq!(pulled[1].size, 45_949_702);
            assert!(pulled.iter().all(|model| model.digest.len() == 64));
        }
        "tags-empty" => assert_eq!(client.pulled().await, Ok(Vec::new())),
        "ps-empty" => assert_eq!(client.loaded().await, Ok(Vec::new())),
        "ps" => {
            let contexts: Vec<_> =
                client.loaded().await.unwrap().into_iter().map(|m| m.context_length).collect();
            assert_eq!(contexts, [Some(4096), Some(4096), Some(512)]);
        }
        "ps-num-ctx-huge" => {
            let loaded = client.loaded().await.unwrap();
            let smollm2 = loaded.iter().find(|model| model.name == "smollm2:135m").unwrap();
            assert_eq!(smollm2.context_length, Some(8192), "131072 were asked for");
            assert!(smollm2.expires_at.is_some());
        }
        "host-foreign" | "origin-foreign" | "origin-tauri-http" => {
            assert_eq!(client.pulled().await, forbidden)
        }
        _ => panic!("{name} has no expectation"),
    }
}

#[tokio::test]
async fn every_recorded_exchange_is_read_as_it_was_meant() {
    let recordings = Recordings::load();
    assert_eq!(recordings.all().len(), 92);
    let mut unused = Vec::new();
    for exchange in recordings.all() {
        let server = OllamaServer::with(recorded_models()).await;
        if exchange.path == "/api/chat" || exchange.path == "/api/embed" {
            able(&server);
        }
        server.replay(exchange, 0.0);
        match exchange.path.as_str() {
            "/api/chat" => chat(&server, exchange).await,
            "/api/embed" => embed(&server, exchange).await,
            "/api/pull" => pull(&server, exchange).await,
            "/api/show" => show(&server, exchange).await,
            "/api/version" | "/api/tags" | "/api/ps" => lookup(&server, exchange).await,
            _ => unused.push(exchange.name.as_str()),
        }
    }
    let never_asked = ["delete", "delete-missing", "embeddings-old", "root", "root-head", "unknown-route"];
    assert_eq!(unused, never_asked, "routes that the client has no use for");
}

#[tokio::test]
async fn recordings_keep_their_time() {
    let recordings = Recordings::load();
    let exchange = recordings.named("chat-qwen-stream-again");
    let server = OllamaServer::with(recorded_models()).await;
    server.replay(exchange, 0.05);
    let asked = ChatRequest { first_token: SOON, ..request("qwen2.5-coder:1.5b") };
    let late = ask(&client(&server), asked).await;
    assert!(
        matches!(late, Err((_, ModelError::Timeout(_)))),
        "the first token is twenty times as late as it was: {late:?}"
    );
    server.behave();
    server.replay(exchange, 100.0);
    let stream = client(&server).chat(request("qwen2.5-coder:1.5b")).await.unwrap();
    let pieces: Vec<_> = stream.try_collect().await.unwrap();
    assert_eq!(pieces.len(), exchange.pieces.len(), "one piece a line");
}
