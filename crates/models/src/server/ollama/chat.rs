use std::sync::Arc;
use std::time::Duration;

use plumbline_core::ports::{ChatRequest, ModelReply};
use reqwest::Method;
use serde_json::Value;

use super::cards::same_model;
use super::wire::{ChatBody, ChatLine};
use crate::server::Fault;
use crate::server::chat::{Dialect, Heard, Reply, reply};
use crate::server::http::{Connection, Deadline, check_kind, error_text};

/// Asks, and waits until the server begins to answer.
pub(in crate::server) async fn chat(
    connection: Arc<Connection>,
    request: &ChatRequest,
    format: Option<&Value>,
) -> Result<Reply, Fault> {
    let deadline = Deadline::after(request.first_token);
    let body = ChatBody::new(request, format);
    let response = connection.send(Method::POST, "/api/chat", Some(&body), &request.model, deadline).await?;
    check_kind(&response)?;
    let dialect = Box::new(OllamaLines { connection, model: request.model.clone() });
    Ok(reply(response, dialect, request, deadline))
}

/// A JSON object a line.
struct OllamaLines {
    connection: Arc<Connection>,
    model: String,
}

impl Dialect for OllamaLines {
    fn hear(&mut self, line: &[u8]) -> Result<Heard, Fault> {
        let read: ChatLine =
            serde_json::from_slice(line).map_err(|_| Fault::Malformed("a line is not what Ollama writes"))?;
        if let Some(error) = &read.error {
            return Err(Fault::Failed(self.connection.shown(&error_text(error))));
        }
        let answered = read.model.as_deref().ok_or(Fault::Malformed("a line names no model"))?;
        if !same_model(answered, &self.model) {
            let answered = self.connection.shown(answered);
            return Err(Fault::OtherModel { asked: self.model.clone(), answered });
        }
        let end = if read.done { Some(end(&read)?) } else { None };
        let said = read.message;
        let (text, thought) = said.map(|said| (said.content, said.thinking)).unwrap_or_default();
        Ok(Heard {
            text: text.unwrap_or_default(),
            thought: thought.unwrap_or_default(),
            end,
            is_empty: false,
        })
    }

    fn is_last(&self, line: &[u8]) -> bool {
        serde_json::from_slice::<ChatLine>(line).is_ok_and(|line| line.done || line.error.is_some())
    }

    fn over(&self) -> Option<ModelReply> {
        None
    }
}

fn end(line: &ChatLine) -> Result<ModelReply, Fault> {
    let reason = line.done_reason.as_deref().unwrap_or("stop");
    if matches!(reason, "load" | "unload") {
        return Err(Fault::Malformed("the model was loaded and not asked"));
    }
    Ok(ModelReply {
        prompt_tokens: line.prompt_eval_count,
        prompt_time: line.prompt_eval_duration.map(Duration::from_nanos),
        completion_tokens: line.eval_count,
        cut: reason == "length",
    })
}
