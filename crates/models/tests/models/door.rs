//! The two protocols as a server speaks them, for tests that hold for both.

use plumbline_core::settings::{ModelSettings, ServerKind};
use plumbline_models::server::{Deadlines, ModelServer};
use plumbline_testkit::ollama_server::{
    Act, Acts, OllamaServer, World, chat_end, chat_line, error_line, event, event_error, event_head,
    event_line, event_usage, head,
};
use serde_json::{Value, json};

use crate::ollama_support::{MODEL, patient};

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Door(pub ServerKind);

impl Door {
    fn of<T>(self, ollama: T, openai: T) -> T {
        match self.0 {
            ServerKind::Ollama => ollama,
            ServerKind::Openai => openai,
        }
    }

    pub fn chat_path(self) -> &'static str {
        self.of("/api/chat", "/v1/chat/completions")
    }

    /// What is asked of a model before it is used.
    pub fn model_path(self) -> &'static str {
        self.of("/api/show", "/v1/models")
    }

    /// A sound answer to that.
    pub fn model_answer(self) -> Value {
        self.of(
            json!({"model_info": {}, "capabilities": ["completion"]}),
            json!({"object": "list", "data": [{"id": MODEL}]}),
        )
    }

    /// Every path that tells what the server is.
    pub fn lookups(self) -> &'static [&'static str] {
        self.of(&["/api/show", "/api/tags", "/api/version", "/v1/models"], &["/v1/models"])
    }

    pub async fn server(self) -> OllamaServer {
        OllamaServer::with(self.of(World::default(), World::default().of_llama_cpp())).await
    }

    pub fn settings(self, address: &str) -> ModelSettings {
        let (ollama_url, openai_url) = (address.to_owned(), address.to_owned());
        ModelSettings { server: self.0, ollama_url, openai_url, ..ModelSettings::default() }
    }

    pub fn client_at(self, address: &str, deadlines: Deadlines) -> ModelServer {
        ModelServer::with_deadlines(&self.settings(address), None, deadlines).unwrap()
    }

    pub fn client(self, server: &OllamaServer) -> ModelServer {
        self.client_at(server.address(), patient())
    }

    /// The address as the client shows it.
    pub fn shown(self, address: &str) -> String {
        self.of(address.to_owned(), format!("{address}/v1"))
    }

    pub fn head(self) -> Act {
        self.of(head(), event_head())
    }

    fn bytes(self, value: &Value) -> Vec<u8> {
        self.of(format!("{value}\n").into_bytes(), event(value))
    }

    /// A piece of a reply.
    pub fn line(self, model: &str, content: &str) -> Vec<u8> {
        self.bytes(&self.of(chat_line(model, content), event_line(model, content, None)))
    }

    /// A piece that names no model.
    pub fn nameless(self) -> Vec<u8> {
        let event = json!({"choices": [{"delta": {"content": "Red"}}]});
        self.bytes(&self.of(json!({"message": {"content": "Red"}, "done": false}), event))
    }

    /// A thought.
    pub fn thought(self, text: &str) -> Vec<u8> {
        let ollama = json!({
            "model": MODEL,
            "message": {"role": "assistant", "content": "", "thinking": text},
            "done": false,
        });
        let openai = json!({"model": MODEL, "choices": [{"delta": {"reasoning_content": text}}]});
        self.bytes(&self.of(ollama, openai))
    }

    /// The end of a reply.
    pub fn end(self, model: &str, prompt_tokens: Option<usize>, completion_tokens: Option<usize>) -> Vec<u8> {
        match self.0 {
            ServerKind::Ollama => self.bytes(&chat_end(model, "stop", prompt_tokens, completion_tokens)),
            ServerKind::Openai => {
                let mut bytes = event(&event_line(model, "", Some("stop")));
                if prompt_tokens.is_some() {
                    bytes.extend(event(&event_usage(model, prompt_tokens, completion_tokens)));
                }
                bytes.extend(b"data: [DONE]\n\n");
                bytes
            }
        }
    }

    /// What stands in the line that ends a reply, and in none before.
    pub fn end_mark(self) -> &'static str {
        self.of("\"done\":true", "\"finish_reason\":\"stop\"")
    }

    /// An error, as the body of an answer.
    pub fn error(self, message: &str) -> Value {
        self.of(error_line(message), event_error(message))
    }

    /// An error, half-way.
    pub fn error_line(self, message: &str) -> Vec<u8> {
        self.bytes(&self.error(message))
    }

    /// A reply of these pieces, without an end.
    pub fn lines(self, lines: impl IntoIterator<Item = Vec<u8>>) -> Acts {
        std::iter::once(self.head()).chain(lines.into_iter().map(Act::Body)).collect()
    }

    /// A model that is not the one asked, and that the server could have mistaken for it.
    pub fn other_model(self) -> &'static str {
        self.of("llama3.2:1b", "all-minilm:latest")
    }

    /// What is said of something else at the address.
    pub fn is_other(self) -> &'static str {
        self.of("not Ollama", "does not speak OpenAI's protocol")
    }

    /// How it is started, and which variable names its address.
    pub fn way_out(self) -> [&'static str; 2] {
        self.of(["`ollama serve`", "OLLAMA_BASE_URL"], ["`llama-server -m MODEL.gguf`", "OPENAI_BASE_URL"])
    }

    /// What is said of a line that cannot be read.
    pub fn unreadable(self) -> &'static str {
        self.of("not what Ollama writes", "not what such a server writes")
    }
}

/// Makes of each function a test for either protocol.
#[macro_export]
macro_rules! behind_both_doors {
    ($($test:ident),+ $(,)?) => {
        mod ollama {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test($crate::door::Door(plumbline_core::settings::ServerKind::Ollama)).await;
                }
            )+
        }

        mod openai {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test($crate::door::Door(plumbline_core::settings::ServerKind::Openai)).await;
                }
            )+
        }
    };
}
