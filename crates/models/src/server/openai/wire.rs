//! What goes over the wire. Fields that servers leave out are optional here.

use plumbline_core::ports::ChatRequest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::server::written::{Written, messages};

#[derive(Serialize)]
pub(super) struct StreamOptions {
    pub include_usage: bool,
}

#[derive(Serialize)]
pub(super) struct ChatBody<'r> {
    pub model: &'r str,
    pub messages: Vec<Written<'r>>,
    pub stream: bool,
    pub stream_options: StreamOptions,
    pub max_tokens: usize,
    pub temperature: f32,
    pub seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<Value>,
}

impl<'r> ChatBody<'r> {
    pub(super) fn new(request: &'r ChatRequest, format: Option<&Value>) -> Self {
        Self {
            model: &request.model,
            messages: messages(request),
            stream: true,
            stream_options: StreamOptions { include_usage: true },
            max_tokens: request.num_predict,
            temperature: request.temperature,
            // Servers' integers are signed.
            seed: request.seed & i64::MAX.unsigned_abs(),
            response_format: format.map(|schema| {
                let named = json!({"name": "reply", "strict": true, "schema": schema});
                json!({"type": "json_schema", "json_schema": named})
            }),
        }
    }
}

/// One event of a reply.
#[derive(Deserialize)]
pub(super) struct Event {
    pub model: Option<String>,
    #[serde(default)]
    pub choices: Vec<Choice>,
    pub usage: Option<Usage>,
    pub timings: Option<Timings>,
    pub error: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct Choice {
    pub delta: Option<Delta>,
    pub finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Delta {
    pub content: Option<String>,
    /// Thoughts, as llama.cpp, vLLM and LM Studio name them.
    pub reasoning_content: Option<String>,
    /// The same, as Ollama and some gateways do.
    pub reasoning: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
pub(super) struct Usage {
    pub prompt_tokens: Option<usize>,
    pub completion_tokens: Option<usize>,
}

/// What llama.cpp measures.
#[derive(Deserialize, Clone, Copy)]
pub(super) struct Timings {
    /// Tokens of the prompt that were read, and not remembered from before.
    pub prompt_n: Option<usize>,
    pub prompt_ms: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct EmbedBody<'r> {
    pub model: &'r str,
    pub input: &'r [&'r str],
    pub encoding_format: &'static str,
}

#[derive(Deserialize)]
pub(super) struct Vectors {
    pub data: Vec<Vector>,
    pub usage: Option<Usage>,
}

#[derive(Deserialize)]
pub(super) struct Vector {
    pub index: usize,
    pub embedding: Vec<f32>,
}
