//! Every exchange with real servers in OpenAI's protocol is read as it was meant.

use std::time::Duration;

use plumbline_core::ports::{Embedder, ModelError, ModelReply};
use plumbline_core::settings::ServerKind;
use plumbline_models::server::{Diagnosis, ProblemKind, ServerEmbedder, diagnose};
use plumbline_testkit::ollama_server::{Exchange, OllamaServer, Recordings, World, WorldModel};
use serde_json::Value;

use crate::door::Door;
use crate::ollama_support::{ask, hasty_request, request};

const DOOR: Door = Door(ServerKind::Openai);
const CHAT: &str = "/v1/chat/completions";
const EMBED: &str = "/v1/embeddings";

/// What the recorded events say, read in the simplest way there is.
fn told(exchange: &Exchange) -> (String, ModelReply) {
    let body = exchange.body();
    let events = body.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    let events: Vec<Value> = events.map(|data| serde_json::from_str(data).unwrap()).collect();
    let text = events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    let cut = events.iter().any(|event| event["choices"][0]["finish_reason"] == "length");
    let last = events.last().unwrap();
    let count = |value: &Value| value.as_u64().map(|count| usize::try_from(count).unwrap());
    let prompt_tokens = count(&last["usage"]["prompt_tokens"]);
    let read = count(&last["timings"]["prompt_n"]);
    let time = last["timings"]["prompt_ms"].as_f64().map(|ms| Duration::from_secs_f64(ms / 1000.0));
    let counted = ModelReply {
        prompt_tokens,
        prompt_time: time.filter(|_| read == prompt_tokens),
        completion_tokens: count(&last["usage"]["completion_tokens"]),
        cut,
    };
    (text, counted)
}

/// How a chat that does not end as a reply ends: the kind of error, and words of it.
fn failure(server: &str, name: &str) -> Option<(&'static str, &'static str)> {
    Some(match (server, name) {
        (_, "chat-cancelled") => ("timeout", ""),
        (_, "fault-server-killed") => ("broken", "ended in the middle"),
        (_, "chat-not-json" | "chat-no-messages" | "chat-option-type" | "chat-schema-bad") => {
            ("refused", "status")
        }
        ("llama.cpp", "chat-loading") => ("connection", "still loading"),
        ("llama.cpp", "chat-unknown-model") => ("broken", "`smollm2` answered"),
        ("llama.cpp", "chat-long") => ("refused", "longer than the context"),
        ("llama.cpp", "chat-embedder") => ("refused", "cannot"),
        ("llama.cpp", "auth-none" | "auth-wrong") => ("refused", "token of the model server"),
        ("llama.cpp", "wrong-method") => ("connection", "does not know the route"),
        ("Ollama", "chat-missing-model") => ("unavailable", ""),
        ("Ollama", "chat-no-model") => ("refused", "model is required"),
        ("Ollama", "chat-embedder") => ("refused", "cannot chat"),
        ("Ollama", "fault-runner-killed") => ("broken", "ended before the reply did"),
        ("Ollama", "wrong-method") => ("connection", "does not know the route"),
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

/// A server that lists every model there is, so that it is really asked for each.
async fn listing(of: &str) -> OllamaServer {
    let own = if of == "llama.cpp" { "smollm2" } else { "smollm2:135m" };
    let names = [own, "all-minilm:latest", "no-such-model", "no-such-embedder", "minilm"];
    let models = names.map(|name| WorldModel {
        capabilities: vec!["completion".to_owned(), "embedding".to_owned()],
        ..WorldModel::chat(name, 8192)
    });
    OllamaServer::with(World::default().models(models).of_llama_cpp()).await
}

async fn chat(of: &str, exchange: &Exchange) {
    let server = listing(of).await;
    server.replay(exchange, 0.0);
    let name = exchange.name.as_str();
    let own = if of == "llama.cpp" { "smollm2" } else { "smollm2:135m" };
    let model = exchange.request["model"].as_str().filter(|model| !model.contains('/')).unwrap_or(own);
    let asked = if name == "chat-cancelled" { hasty_request(model) } else { request(model) };
    match (failure(of, name), ask(&DOOR.client(&server), asked).await) {
        (None, Ok(read)) => assert_eq!(read, told(exchange), "{name}"),
        (Some((wanted, words)), Err((text, problem))) => {
            assert_eq!(kind(&problem), wanted, "{name}: {problem}");
            assert!(problem.to_string().contains(words), "{name}: {problem}");
            let written = name.starts_with("fault-") || name == "chat-cancelled";
            assert_eq!(!text.is_empty(), written, "{name}: what came before was passed on: {text:?}");
        }
        (_, result) => panic!("{of} {name}: {result:?}"),
    }
}

/// How many vectors an exchange gives, or words of the error.
fn vectors(of: &str, name: &str) -> Result<usize, &'static str> {
    match (of, name) {
        (_, "embed-three" | "embed-blank-in-batch") => Ok(3),
        (_, "embed-one") | ("Ollama", "embed-chat-model") => Ok(1),
        ("llama.cpp", "embed-unknown-model" | "embed-number") => Ok(1),
        // The empty text is not sent alone, so that one vector is one too few.
        (_, "embed-empty-string") => Err("one vector for each text"),
        (_, "embed-empty-array") | ("Ollama", "embed-number") => Err("rejected the request (status 400)"),
        ("Ollama", "embed-missing") => Err("`no-such-embedder` is not on that server"),
        ("llama.cpp", "embed-chat-model") => Err("cannot embed"),
        ("llama.cpp", "embed-long" | "embed-long-in-batch") => Err("longer than the context"),
        _ => panic!("{of} {name} has no expectation"),
    }
}

async fn embed(of: &str, exchange: &Exchange) {
    let server = listing(of).await;
    let name = exchange.name.as_str();
    server.replay(exchange, 0.0);
    let input = exchange.request["input"].as_array().cloned().unwrap_or_default();
    let texts: Vec<String> = input.iter().map(|text| text.as_str().unwrap_or("7").to_owned()).collect();
    let texts = if texts.is_empty() { vec!["one".to_owned()] } else { texts };
    let model = exchange.request["model"].as_str().filter(|model| !model.contains('/')).unwrap_or("minilm");
    match (vectors(of, name), ServerEmbedder::new(DOOR.client(&server), model).embed(&texts).await) {
        (Ok(count), Ok(read)) => {
            assert_eq!(read.len(), count, "{name}");
            let answer: Value = serde_json::from_str(&exchange.body()).unwrap();
            for (vector, told) in read.iter().zip(answer["data"].as_array().unwrap()) {
                let told = told["embedding"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32);
                let near = vector.iter().zip(told).all(|(read, told)| (read - told).abs() < 1e-4);
                assert!(near, "{name}: a normalised vector stays as it came");
            }
        }
        (Err(words), Err(problem)) => assert!(problem.to_string().contains(words), "{name}: {problem}"),
        (_, result) => panic!("{of} {name}: {result:?}"),
    }
}

async fn look(exchange: &Exchange) -> Diagnosis {
    let server = OllamaServer::start().await;
    server.replay(exchange, 0.0);
    diagnose(&DOOR.client(&server)).await
}

async fn list(of: &str, exchange: &Exchange) {
    let found = look(exchange).await;
    let kinds: Vec<ProblemKind> = found.problems.iter().map(|problem| problem.kind).collect();
    match (of, exchange.name.as_str()) {
        ("llama.cpp", "models-loading") => assert_eq!(kinds, [ProblemKind::Loading]),
        ("llama.cpp", "auth-models-none") => assert_eq!(kinds, [ProblemKind::Token]),
        ("llama.cpp", "models" | "auth-ignored") => {
            let model = &found.models[0];
            assert_eq!((found.product, kinds.as_slice()), (Some("llama.cpp"), &[][..]));
            assert_eq!(
                (model.name.as_str(), model.context_length, model.chats),
                ("smollm2", Some(512), true)
            );
            assert!(!model.embeds && model.size.is_some_and(|bytes| bytes > 90_000_000), "{model:?}");
        }
        ("llama.cpp", "embed-models") => assert_eq!(found.models.len(), 1),
        ("Ollama", "models") => {
            assert_eq!((found.product, kinds.as_slice()), (Some("Ollama"), &[ProblemKind::IsOllama][..]));
            let names: Vec<&str> = found.models.iter().map(|model| model.name.as_str()).collect();
            assert_eq!(names, ["all-minilm:latest", "smollm2:135m"]);
        }
        ("Ollama", "origin-foreign") => assert_eq!(kinds, [ProblemKind::Forbidden]),
        (_, name) => panic!("{of} {name} has no expectation"),
    }
}

async fn replay_all(of: &str, recordings: &Recordings, never_asked: &[&str]) {
    let mut unused = Vec::new();
    for exchange in recordings.all() {
        match exchange.path.as_str() {
            CHAT => chat(of, exchange).await,
            EMBED if exchange.name.starts_with("embed-words-") => {}
            EMBED => embed(of, exchange).await,
            "/v1/models" => list(of, exchange).await,
            _ => unused.push(exchange.name.as_str()),
        }
    }
    assert_eq!(unused, never_asked, "routes that the client has no use for");
}

#[tokio::test]
async fn every_exchange_with_llama_cpp_is_read_as_it_was_meant() {
    replay_all("llama.cpp", &Recordings::of_llama_cpp(), &["ollama-route", "unknown-route"]).await;
}

#[tokio::test]
async fn every_exchange_with_ollama_behind_v1_is_read_as_it_was_meant() {
    replay_all("Ollama", &Recordings::of_ollama_v1(), &["unknown-route"]).await;
}

#[tokio::test]
async fn a_text_that_is_cut_in_silence_is_read_in_parts() {
    let server = listing("Ollama").await;
    server.answer_with(EMBED, |asked| {
        let words = asked.body["input"][0].as_str().unwrap_or_default().split_whitespace().count();
        let name = match words {
            0..=200 => "embed-words-200",
            201..=400 => "embed-words-400",
            _ => "embed-words-600",
        };
        Recordings::of_ollama_v1().named(name).acts(0.0)
    });
    let embedder = ServerEmbedder::new(DOOR.client(&server), "all-minilm");
    let text = |words: usize| "word ".repeat(words);
    embedder.embed(&[text(600)]).await.unwrap();
    let asked = server.asked_of(EMBED);
    let sent = asked.iter().map(|asked| asked.body["input"][0].as_str().unwrap().split_whitespace().count());
    let sent: Vec<usize> = sent.collect();
    assert_eq!(
        sent,
        [256, 512, 1024, 600, 300, 300],
        "its count stands still at 512, so 600 words are halved"
    );
    let before = server.asked_of(EMBED).len();
    embedder.embed(&[text(200)]).await.unwrap();
    assert_eq!(server.asked_of(EMBED).len(), before + 1, "what is read whole is asked once");
}

#[tokio::test]
async fn a_prompt_that_was_cut_in_silence_shows_in_the_counts() {
    let recordings = Recordings::of_ollama_v1();
    let exchange = recordings.named("chat-long");
    let words = exchange.request["messages"][0]["content"].as_str().unwrap().split_whitespace().count();
    let (_, counted) = told(exchange);
    assert!(counted.prompt_tokens.unwrap() < words, "fewer tokens were read than there are words");
}
