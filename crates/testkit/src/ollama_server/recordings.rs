use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;

use super::acts::{Act, Acts, Framing};

/// A request and what a real server answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// What it is called.
    pub name: String,
    /// `GET`, `POST`, …
    pub method: String,
    /// The path.
    pub path: String,
    /// What was asked, where it was JSON.
    pub request: Value,
    /// The status.
    pub status: u16,
    /// The content type; empty where there was none.
    pub kind: String,
    /// The body in the pieces that it came in, with the milliseconds since the request.
    pub pieces: Vec<(f64, String)>,
    /// Whether it came as a stream.
    pub streamed: bool,
    /// Who ended it before its end.
    pub closed_by: Option<String>,
}

impl Exchange {
    fn read(line: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let headers = line["headers"].as_array().unwrap();
        let kind = headers.iter().find(|pair| text(&pair[0]).eq_ignore_ascii_case("content-type"));
        let chunks = line["chunks"].as_array();
        let pieces = match chunks {
            Some(chunks) => {
                chunks.iter().map(|chunk| (chunk[0].as_f64().unwrap(), text(&chunk[1]))).collect()
            }
            None => vec![(line["elapsed_ms"].as_f64().unwrap_or(0.0), text(&line["body"]))],
        };
        Self {
            name: text(&line["name"]),
            method: text(&line["request"]["method"]),
            path: text(&line["request"]["path"]),
            request: line["request"]["body"].clone(),
            status: u16::try_from(line["status"].as_u64().unwrap()).unwrap(),
            kind: kind.map(|pair| text(&pair[1])).unwrap_or_default(),
            pieces,
            streamed: chunks.is_some(),
            closed_by: line["closed_early"].as_str().map(str::to_owned),
        }
    }

    /// The whole body.
    pub fn body(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// What the server did, this many times as fast; 0 for without waiting.
    pub fn acts(&self, speed: f64) -> Acts {
        let length = self.pieces.iter().map(|(_, text)| text.len()).sum();
        let framing = if self.streamed { Framing::Chunked } else { Framing::Length(length) };
        let mut acts = Vec::new();
        let mut passed = 0.0;
        for (at, text) in &self.pieces {
            if speed > 0.0 {
                acts.push(Act::Wait(Duration::from_secs_f64((at - passed).max(0.0) / 1000.0 / speed)));
            }
            passed = *at;
            if acts.iter().all(|act| matches!(act, Act::Wait(_))) {
                acts.push(Act::Head { status: self.status, kind: self.kind.clone(), framing });
            }
            if !text.is_empty() {
                acts.push(Act::Body(text.clone().into_bytes()));
            }
        }
        acts.push(match self.closed_by.as_deref() {
            None => Act::End,
            Some("client") => Act::Hang,
            Some(_) => Act::Close,
        });
        acts
    }
}

/// Exchanges with a real server, recorded once and committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Recordings(Vec<Exchange>);

impl Recordings {
    /// Those with Ollama in its own protocol, read once.
    pub fn load() -> &'static Self {
        static LOADED: LazyLock<Recordings> = LazyLock::new(|| Recordings::read("ollama/v0.24.0.jsonl"));
        &LOADED
    }

    /// Those with llama.cpp's server.
    pub fn of_llama_cpp() -> Self {
        Self::read("openai/llama.cpp.jsonl")
    }

    /// Those with Ollama in OpenAI's protocol.
    pub fn of_ollama_v1() -> Self {
        Self::read("openai/ollama-v0.24.0.jsonl")
    }

    fn read(file: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures");
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        Self(text.lines().map(|line| Exchange::read(&serde_json::from_str(line).unwrap())).collect())
    }

    /// All of them.
    pub fn all(&self) -> &[Exchange] {
        &self.0
    }

    /// One of them.
    #[track_caller]
    pub fn named(&self, name: &str) -> &Exchange {
        self.0
            .iter()
            .find(|exchange| exchange.name == name)
            .unwrap_or_else(|| panic!("`{name}` was not recorded"))
    }
}
