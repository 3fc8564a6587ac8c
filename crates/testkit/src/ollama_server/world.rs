use std::sync::{Arc, Mutex};
use std::time::Duration;

use plumbline_core::ports::{ChatRequest, ModelError};
use serde_json::{Value, json};

use super::ReceivedRequest;
use super::acts::{self, Act, Acts, chat_end, chat_line, error_line};
use super::openai_world;
use crate::embedder::ToyEmbedding;
use crate::model::{Script, Step, honest_reply, reply};

/// A model of a made-up server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldModel {
    /// Its name with its tag.
    pub name: String,
    /// Its digest.
    pub digest: String,
    /// The context it was trained for.
    pub context: usize,
    /// What it can do.
    pub capabilities: Vec<String>,
}

impl WorldModel {
    /// A chat model.
    pub fn chat(name: &str, context: usize) -> Self {
        Self::new(name, context, "completion")
    }

    /// An embedding model.
    pub fn embedder(name: &str) -> Self {
        Self::new(name, 512, "embedding")
    }

    fn new(name: &str, context: usize, can: &str) -> Self {
        let digest = format!("{:0>64}", name.len());
        Self { name: name.to_owned(), digest, context, capabilities: vec![can.to_owned()] }
    }
}

const PULL_STEP: Duration = Duration::from_millis(250);
const PULL_BYTES: u64 = 100_000_000;

type Writer = Arc<dyn Fn(&ChatRequest) -> Script + Send + Sync>;

/// A made-up server: some models, what they write, and vectors by shared words.
#[derive(Clone)]
pub struct World {
    models: Vec<WorldModel>,
    /// Models that it was told to fetch.
    pulled: Arc<Mutex<Vec<WorldModel>>>,
    pub(super) writer: Writer,
    pub(super) embedding: ToyEmbedding,
    /// Whose server it is, as OpenAI's protocol tells it.
    pub(super) owner: &'static str,
    /// A text is read so far by its embedders, and no word is said of the rest.
    pub(super) cuts_at: Option<usize>,
}

impl Default for World {
    /// `llama3.2`, which does every job honestly, and `all-minilm`.
    fn default() -> Self {
        Self {
            models: vec![
                WorldModel::chat("llama3.2:latest", 131_072),
                WorldModel::embedder("all-minilm:latest"),
            ],
            pulled: Arc::default(),
            writer: Arc::new(|request| reply(&honest_reply(request))),
            embedding: ToyEmbedding::default(),
            owner: "library",
            cuts_at: None,
        }
    }
}

impl World {
    /// Other models.
    pub fn models(mut self, models: impl IntoIterator<Item = WorldModel>) -> Self {
        self.models = models.into_iter().collect();
        self
    }

    /// What the models write.
    pub fn writing(mut self, writer: impl Fn(&ChatRequest) -> Script + Send + Sync + 'static) -> Self {
        self.writer = Arc::new(writer);
        self
    }

    /// The same models behind llama.cpp's server, which knows OpenAI's protocol alone.
    pub fn of_llama_cpp(self) -> Self {
        Self { owner: "llamacpp", ..self }
    }

    /// Its embedders cut texts in silence after so many words.
    pub fn cutting_at(self, words: usize) -> Self {
        Self { cuts_at: Some(words), ..self }
    }

    pub(super) fn answer(&self, request: &ReceivedRequest) -> Acts {
        if request.path.starts_with("/v1/") {
            return openai_world::answer(self, request);
        }
        if self.owner != "library" {
            return openai_world::no_route();
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/api/version") => acts::json(200, &json!({"version": "0.24.0"})),
            ("GET", "/api/tags") => acts::json(200, &self.tags()),
            ("GET", "/api/ps") => acts::json(200, &json!({"models": []})),
            ("POST", "/api/show") => self.known(request, |model| acts::json(200, &show(model))),
            ("POST", "/api/chat") => self.known(request, |_| self.chat(request)),
            ("POST", "/api/pull") => self.pull(request),
            ("POST", "/api/embed") => self.known(request, |_| acts::json(200, &self.embed(request))),
            _ => vec![
                Act::Head { status: 404, kind: "text/plain".to_owned(), framing: acts::Framing::Length(18) },
                Act::Body(b"404 page not found".to_vec()),
                Act::End,
            ],
        }
    }

    fn known(&self, request: &ReceivedRequest, answer: impl FnOnce(&WorldModel) -> Acts) -> Acts {
        let name = request.body["model"].as_str().unwrap_or_default();
        let bare = |name: &str| name.to_lowercase().trim_end_matches(":latest").to_owned();
        match self.all_models().iter().find(|model| bare(&model.name) == bare(name)) {
            Some(model) => answer(model),
            None => acts::json(404, &error_line(&format!("model '{name}' not found"))),
        }
    }

    fn tags(&self) -> Value {
        let tag = |model: &WorldModel| json!({"name": model.name, "model": model.name, "size": 1_000_000, "digest": model.digest});
        json!({"models": self.all_models().iter().map(tag).collect::<Vec<_>>()})
    }

    pub(super) fn all_models(&self) -> Vec<WorldModel> {
        self.models.iter().chain(&*self.pulled.lock().unwrap()).cloned().collect()
    }

    /// Any model can be had, in steps that can be watched.
    fn pull(&self, request: &ReceivedRequest) -> Acts {
        let model = WorldModel::chat(request.body["model"].as_str().unwrap_or_default(), 32_768);
        let mut acts = Vec::new();
        write(&mut acts, &json!({"status": "pulling manifest"}));
        for quarter in 1..=4 {
            acts.push(Act::Wait(PULL_STEP));
            let digest = format!("sha256:{}", model.digest);
            let (total, completed) = (PULL_BYTES, PULL_BYTES / 4 * quarter);
            write(
                &mut acts,
                &json!({"status": format!("pulling {}", &model.digest[..12]), "digest": digest, "total": total, "completed": completed}),
            );
        }
        write(&mut acts, &json!({"status": "success"}));
        acts.push(Act::End);
        self.pulled.lock().unwrap().push(model);
        acts
    }

    fn embed(&self, request: &ReceivedRequest) -> Value {
        let input = request.body["input"].as_array().cloned().unwrap_or_default();
        let vectors: Vec<Vec<f32>> =
            input.iter().map(|text| self.embedding.embed(text.as_str().unwrap_or_default())).collect();
        json!({"model": request.body["model"], "embeddings": vectors})
    }

    fn chat(&self, request: &ReceivedRequest) -> Acts {
        let name = request.body["model"].as_str().unwrap_or_default();
        let mut acts = Vec::new();
        for step in (self.writer)(&request.chat_request()) {
            match step {
                Step::Refuse(ModelError::Unavailable(model)) => {
                    return acts::json(404, &error_line(&format!("model '{model}' not found")));
                }
                Step::Refuse(problem @ ModelError::Refused { .. }) => {
                    return acts::json(400, &error_line(&problem.to_string()));
                }
                Step::Refuse(problem) => return acts::json(500, &error_line(&problem.to_string())),
                Step::Wait(time) => acts.push(Act::Wait(time)),
                Step::Hang => acts.push(Act::Hang),
                Step::Text(text) => write(&mut acts, &chat_line(name, &text)),
                Step::Fail(problem) => write(&mut acts, &error_line(&problem.to_string())),
                Step::Done(counted) => {
                    let reason = if counted.cut { "length" } else { "stop" };
                    write(
                        &mut acts,
                        &chat_end(name, reason, counted.prompt_tokens, counted.completion_tokens),
                    );
                    acts.push(Act::End);
                }
            }
        }
        if acts.last() != Some(&Act::End) {
            acts.push(Act::Close);
        }
        acts
    }
}

/// A line, after the head that Ollama sends with the first of them.
fn write(acts: &mut Acts, line: &Value) {
    if !acts.iter().any(|act| matches!(act, Act::Head { .. })) {
        acts.push(acts::head());
    }
    acts.push(Act::Body(format!("{line}\n").into_bytes()));
}

fn show(model: &WorldModel) -> Value {
    json!({
        "model_info": {"general.architecture": "made", "made.context_length": model.context},
        "capabilities": model.capabilities,
    })
}
