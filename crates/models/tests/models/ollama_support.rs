//! Clients and requests for the tests of the Ollama client.

use std::time::Duration;

use futures::StreamExt;
use plumbline_core::ports::{ChatPiece, ChatRequest, ChatStream, LanguageModel, ModelError, ModelReply};
use plumbline_core::request::ChatMessage;
use plumbline_core::settings::ModelSettings;
use plumbline_models::server::{Deadlines, ModelServer};
use plumbline_testkit::ollama_server::{OllamaServer, ReceivedRequest, World, WorldModel, json};

pub const MODEL: &str = "llama3.2";

/// Long enough for a busy machine, short enough for a test that waits for it.
pub const SOON: Duration = Duration::from_millis(400);

/// What a test that expects an answer waits at most.
pub const PATIENT: Duration = Duration::from_secs(20);

/// The settings with another address.
pub fn settings(address: &str) -> ModelSettings {
    ModelSettings { ollama_url: address.to_owned(), ..ModelSettings::default() }
}

/// Limits that no answer of a sound server comes near.
pub fn patient() -> Deadlines {
    Deadlines { connect: PATIENT, lookup: PATIENT, embed: PATIENT, pull_stall: PATIENT }
}

/// A client of this server.
pub fn client(server: &OllamaServer) -> ModelServer {
    client_at(server.address(), patient())
}

/// A client of this address.
pub fn client_at(address: &str, deadlines: Deadlines) -> ModelServer {
    ModelServer::with_deadlines(&settings(address), None, deadlines).unwrap()
}

/// A request with time enough.
pub fn request(model: &str) -> ChatRequest {
    ChatRequest {
        model: model.to_owned(),
        messages: vec![ChatMessage::user("Name three colours.")],
        num_ctx: 4096,
        num_predict: 1000,
        temperature: 0.1,
        seed: 42,
        first_token: PATIENT,
        between_tokens: PATIENT,
    }
}

/// A request that gives up soon once the first token has come.
pub fn hasty_request(model: &str) -> ChatRequest {
    ChatRequest { between_tokens: SOON, ..request(model) }
}

/// A reply read to its end, its text and what was counted; or what was read and why it failed.
pub async fn read(mut stream: ChatStream) -> Result<(String, ModelReply), (String, ModelError)> {
    let mut text = String::new();
    loop {
        match stream.next().await {
            Some(Ok(ChatPiece::Text(piece))) => text.push_str(&piece),
            Some(Ok(ChatPiece::Done(counted))) => {
                assert!(stream.next().await.is_none(), "nothing comes after the end");
                return Ok((text, counted));
            }
            Some(Err(problem)) => {
                assert!(stream.next().await.is_none(), "nothing comes after a failure");
                return Err((text, problem));
            }
            None => panic!("a reply ends with its counts or with an error, after {text:?}"),
        }
    }
}

/// Asks, and reads to the end.
pub async fn ask(
    client: &ModelServer,
    request: ChatRequest,
) -> Result<(String, ModelReply), (String, ModelError)> {
    match client.chat(request).await {
        Ok(stream) => read(stream).await,
        Err(problem) => Err((String::new(), problem)),
    }
}

/// The models that the recordings were made with.
pub fn recorded_models() -> World {
    World::default().models([
        WorldModel::chat("smollm2:135m", 8192),
        WorldModel::chat("qwen2.5-coder:1.5b", 32768),
        WorldModel::embedder("all-minilm:latest"),
    ])
}

/// From now on, every model there is can do anything, and so is really asked.
pub fn able(server: &OllamaServer) {
    let card = serde_json::json!({
        "model_info": {"general.architecture": "made", "made.context_length": 8192},
        "capabilities": ["completion", "embedding"],
    });
    server.answer_with("/api/show", move |_: &ReceivedRequest| json(200, &card));
}
