//! What a real server accepts without a word, each from its recording: none of it reaches the user as if it were well.

use futures::StreamExt;
use plumbline_core::budget::EstimatingCounter;
use plumbline_core::ports::{Embedder, LanguageModel, ModelError, Reranker, TokenCounter};
use plumbline_models::server::{Fault, PullProgress, ServerEmbedder, ServerError, ServerReranker};
use plumbline_testkit::ollama_server::{OllamaServer, ReceivedRequest, Recordings, json};
use serde_json::json as value;

use crate::ollama_support::{able, ask, client, recorded_models, request};

const SMOLLM2: &str = "smollm2:135m";

/// A server that does what the real one did with requests that ask it to cut, and with requests that forbid it.
async fn cutting(cut: &'static str) -> OllamaServer {
    let server = OllamaServer::with(recorded_models()).await;
    server.answer_with("/api/chat", move |asked: &ReceivedRequest| {
        let forbidden = asked.body["truncate"] == false && asked.body["shift"] == false;
        let name = if forbidden { "chat-long-refused" } else { cut };
        Recordings::load().named(name).acts(0.0)
    });
    server
}

#[tokio::test]
async fn a_prompt_cut_to_the_context() {
    let server = cutting("chat-long-truncated").await;
    let (text, problem) = ask(&client(&server), request(SMOLLM2)).await.unwrap_err();
    assert!(text.is_empty() && matches!(problem, ModelError::Refused { .. }), "{problem}");
    assert!(problem.to_string().contains("longer than the context"), "{problem}");

    // A server that does not know those two fields cuts all the same, and its count tells.
    let recordings = Recordings::load();
    server.replay(recordings.named("chat-long-truncated"), 0.0);
    let (_, counted) = ask(&client(&server), request(SMOLLM2)).await.unwrap();
    assert_eq!(counted.prompt_tokens, Some(2048), "all of the window that it was loaded with");
}

#[tokio::test]
async fn old_messages_dropped() {
    let server = cutting("chat-many-messages").await;
    let (_, problem) = ask(&client(&server), request(SMOLLM2)).await.unwrap_err();
    assert!(matches!(problem, ModelError::Refused { .. }), "{problem}");

    let recordings = Recordings::load();
    let exchange = recordings.named("chat-many-messages");
    server.replay(exchange, 0.0);
    let (_, counted) = ask(&client(&server), request(SMOLLM2)).await.unwrap();
    let counter = EstimatingCounter::new();
    let messages = exchange.request["messages"].as_array().unwrap();
    let sent: usize =
        messages.iter().map(|message| counter.count(SMOLLM2, message["content"].as_str().unwrap())).sum();
    let window = exchange.request["options"]["num_ctx"].as_u64().unwrap();
    assert!(sent as u64 > window, "{sent}: the budget would not have sent this at all");
    assert!(counted.prompt_tokens.unwrap() < sent, "and what is compared with it is less");
}

#[tokio::test]
async fn num_ctx_clamped() {
    let server = OllamaServer::with(recorded_models()).await;
    let recordings = Recordings::load();
    server.replay(recordings.named("show-smollm2"), 0.0);
    let client = client(&server);
    let huge = || plumbline_core::ports::ChatRequest { num_ctx: 131_072, ..request(SMOLLM2) };
    for inspected in [false, true] {
        if inspected {
            assert_eq!(client.inspect(SMOLLM2).await.unwrap().context_window, 8192);
        }
        server.replay(recordings.named("chat-num-ctx-huge"), 0.0);
        ask(&client, huge()).await.unwrap();
        let asked = server.asked_of("/api/chat");
        assert_eq!(
            asked.last().unwrap().body["options"]["num_ctx"],
            8192,
            "no more is asked for than there is: the budget, the server and /api/ps agree"
        );
    }
    server.replay(recordings.named("ps-num-ctx-huge"), 0.0);
    let loaded = client.loaded().await.unwrap();
    assert!(loaded.iter().any(|model| model.name == SMOLLM2 && model.context_length == Some(8192)));
}

#[tokio::test]
async fn a_chat_model_that_embeds() {
    let server = OllamaServer::with(recorded_models()).await;
    let recordings = Recordings::load();
    server.replay(recordings.named("show-smollm2"), 0.0);
    server.replay(recordings.named("embed-chat-model"), 0.0);
    let embedder = ServerEmbedder::new(client(&server), SMOLLM2);
    for _ in 0..2 {
        let problem = embedder.embed(&["one".to_owned()]).await.unwrap_err().to_string();
        assert!(problem.contains("`smollm2:135m` cannot embed: choose another one"), "{problem}");
    }
    assert!(server.asked_of("/api/embed").is_empty(), "its vectors are not even asked for");
    assert!(embedder.fingerprint().await.is_err());
}

#[tokio::test]
async fn no_vector_for_an_empty_text() {
    let server = OllamaServer::with(recorded_models()).await;
    let embedder = ServerEmbedder::new(client(&server), "all-minilm");
    let recordings = Recordings::load();
    // The real server gives none to a blank text alone and one in company.
    let (alone, company) =
        (recordings.named("embed-empty-string").acts(0.0), recordings.named("embed-blank-in-batch"));
    let vectors: serde_json::Value = serde_json::from_str(&company.body()).unwrap();
    server.answer_with("/api/embed", move |asked: &ReceivedRequest| {
        let texts = asked.body["input"].as_array().unwrap();
        if texts.iter().all(|text| text.as_str().unwrap().is_empty()) {
            return alone.clone();
        }
        let given: Vec<_> =
            vectors["embeddings"].as_array().unwrap().iter().cycle().take(texts.len()).collect();
        json(200, &value!({"model": "all-minilm", "embeddings": given}))
    });
    for texts in [vec![""], vec!["", ""], vec!["", "a text", "  \n"]] {
        let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
        assert_eq!(embedder.embed(&texts).await.unwrap().len(), texts.len(), "{texts:?}: one vector a text");
    }
    assert_eq!(embedder.embed(&[]).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_pull_that_fails_under_http_200() {
    let server = OllamaServer::with(recorded_models()).await;
    let recordings = Recordings::load();
    for name in ["pull-missing", "pull-unreachable", "pull-corrupt"] {
        let exchange = recordings.named(name);
        assert_eq!(exchange.status, 200);
        server.replay(exchange, 0.0);
        let steps: Vec<_> = client(&server).pull("no-such:1b").await.unwrap().collect().await;
        assert!(
            matches!(steps.last(), Some(Err(ServerError { fault: Fault::Pull { .. }, .. }))),
            "{name}: {steps:?}"
        );
        assert!(!steps.contains(&Ok(PullProgress::Done)), "{name}");
    }
}

#[tokio::test]
async fn a_500_that_is_the_callers_fault() {
    let server = OllamaServer::with(recorded_models()).await;
    let recordings = Recordings::load();
    for name in ["chat-option-type", "chat-schema-bad"] {
        let exchange = recordings.named(name);
        assert_eq!(exchange.status, 500);
        server.replay(exchange, 0.0);
        let (_, problem) = ask(&client(&server), request(SMOLLM2)).await.unwrap_err();
        assert!(
            matches!(problem, ModelError::Refused { .. }),
            "{name}: the server itself is well: {problem}"
        );
    }
    server.answer(
        "/api/chat",
        json(500, &value!({"error": "llama runner process has terminated: exit status 2"})),
    );
    let (_, problem) = ask(&client(&server), request(SMOLLM2)).await.unwrap_err();
    assert!(matches!(problem, ModelError::Connection { .. }), "this one is its own: {problem}");
}

#[tokio::test]
async fn a_schema_answer_cut_short() {
    let server = OllamaServer::with(recorded_models()).await;
    able(&server);
    let recordings = Recordings::load();
    server.replay(recordings.named("chat-schema-length"), 0.0);
    let reranker = ServerReranker::new(client(&server), "qwen2.5-coder:1.5b");
    let problem = reranker.rerank("How long?", &["40 minutes.".to_owned()]).await.unwrap_err();
    assert!(problem.to_string().contains("cut short"), "{problem}");
}
