//! What goes over the wire. Fields that Ollama may leave out are optional here.

use plumbline_core::ports::ChatRequest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::server::written::{Written, messages};

/// How long a model stays loaded after a request.
pub(super) const KEEP_ALIVE: &str = "300s";

#[derive(Serialize)]
pub(super) struct Options {
    pub num_ctx: usize,
    pub num_predict: usize,
    pub temperature: f32,
    pub seed: u64,
}

/// Everything that has a default of the server's own is named: the defaults cut prompts in silence, are random, or
/// depend on the machine's memory.
#[derive(Serialize)]
pub(super) struct ChatBody<'r> {
    pub model: &'r str,
    pub messages: Vec<Written<'r>>,
    pub stream: bool,
    /// Unset means true for models that can think.
    pub think: bool,
    pub truncate: bool,
    pub shift: bool,
    pub keep_alive: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'r Value>,
    pub options: Options,
}

impl<'r> ChatBody<'r> {
    pub(super) fn new(request: &'r ChatRequest, format: Option<&'r Value>) -> Self {
        Self {
            model: &request.model,
            messages: messages(request),
            stream: true,
            think: false,
            truncate: false,
            shift: false,
            keep_alive: KEEP_ALIVE,
            format,
            options: Options {
                num_ctx: request.num_ctx,
                num_predict: request.num_predict,
                temperature: request.temperature,
                // The server's integers are signed.
                seed: request.seed & i64::MAX.unsigned_abs(),
            },
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ChatLine {
    pub model: Option<String>,
    pub message: Option<Said>,
    #[serde(default)]
    pub done: bool,
    pub error: Option<Value>,
    pub done_reason: Option<String>,
    pub prompt_eval_count: Option<usize>,
    /// In nanoseconds.
    pub prompt_eval_duration: Option<u64>,
    pub eval_count: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Said {
    pub content: Option<String>,
    pub thinking: Option<String>,
}

#[derive(Serialize)]
pub(super) struct EmbedBody<'r> {
    pub model: &'r str,
    pub input: &'r [&'r str],
    pub truncate: bool,
    pub keep_alive: &'static str,
}

#[derive(Deserialize)]
pub(super) struct Embedded {
    pub model: Option<String>,
    pub embeddings: Vec<Vec<f32>>,
}

#[derive(Serialize)]
pub(super) struct ModelBody<'r> {
    pub model: &'r str,
}

#[derive(Serialize)]
pub(super) struct PullBody<'r> {
    pub model: &'r str,
    pub stream: bool,
}

#[derive(Deserialize)]
pub(super) struct PullLine {
    #[serde(default)]
    pub status: String,
    pub error: Option<Value>,
    pub digest: Option<String>,
    pub total: Option<u64>,
    pub completed: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct Version {
    pub version: String,
}

#[derive(Deserialize)]
pub(super) struct ModelList<M> {
    pub models: Vec<M>,
}

#[derive(Deserialize)]
pub(super) struct Card {
    pub model_info: Map<String, Value>,
    #[serde(default)]
    pub parameters: String,
    pub capabilities: Option<Vec<String>>,
}
