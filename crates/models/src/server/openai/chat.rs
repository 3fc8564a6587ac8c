use std::sync::Arc;
use std::time::Duration;

use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatRequest, ModelReply};
use reqwest::Method;
use serde_json::Value;

use super::list::{Entry, Listed};
use super::wire::{ChatBody, Event, Timings, Usage};
use crate::server::chat::{Dialect, Heard, Reply, reply};
use crate::server::http::{Connection, Deadline, check_kind, error_text};
use crate::server::{Fault, same_model};

const NO_EVENT: Fault = Fault::Malformed("a line is not what such a server writes");

/// Asks one of the listed models, and waits until the server begins to answer.
pub(in crate::server) async fn chat(
    connection: Arc<Connection>,
    request: &ChatRequest,
    format: Option<&Value>,
    list: &Listed,
    entry: &Entry,
) -> Result<Reply, Fault> {
    let deadline = Deadline::after(request.first_token);
    let body = ChatBody::new(request, format);
    let response =
        connection.send(Method::POST, "/chat/completions", Some(&body), &request.model, deadline).await?;
    check_kind(&response)?;
    let others = list.data.iter().filter(|other| other.id != entry.id);
    let dialect = Box::new(Events {
        connection,
        asked: request.model.clone(),
        others: others.flat_map(Entry::names).map(str::to_owned).collect(),
        answered: None,
        usage: None,
        timings: None,
        finished: None,
    });
    Ok(reply(response, dialect, request, deadline))
}

/// Server-sent events, of which each is one line.
struct Events {
    connection: Arc<Connection>,
    asked: String,
    /// The names of the server's other models.
    others: Vec<String>,
    /// The name in the first event. Gateways give their models other names than they ask for.
    answered: Option<String>,
    usage: Option<Usage>,
    timings: Option<Timings>,
    /// Whether the reply was cut, once it is over.
    finished: Option<bool>,
}

/// What a line holds.
enum Line<'l> {
    /// A comment, or a field that says nothing here.
    Nothing,
    Done,
    Event(&'l [u8]),
}

impl Events {
    /// The model may not change half-way, nor be another one of the server's.
    fn check_model(&mut self, answered: Option<&str>) -> Result<(), Fault> {
        let answered = answered.filter(|name| !name.is_empty());
        let answered = answered.ok_or(Fault::Malformed("a line names no model"))?;
        let first = self.answered.get_or_insert_with(|| answered.to_owned());
        let is_other = self.others.iter().any(|other| same_model(other, answered));
        let is_asked = same_model(&self.asked, answered);
        if !same_model(first, answered) || (is_other && !is_asked) {
            let answered = self.connection.shown(answered);
            return Err(Fault::OtherModel { asked: self.asked.clone(), answered });
        }
        Ok(())
    }
}

impl Dialect for Events {
    fn hear(&mut self, line: &[u8]) -> Result<Heard, Fault> {
        let data = match field(line) {
            Line::Nothing => return Ok(Heard { is_empty: true, ..Heard::default() }),
            Line::Done => {
                let counted = self.over().ok_or(Fault::BrokenOff(Message::ModelStreamEnded))?;
                return Ok(Heard { end: Some(counted), ..Heard::default() });
            }
            Line::Event(data) => data,
        };
        let event: Event = serde_json::from_slice(data).map_err(|_| NO_EVENT)?;
        if let Some(error) = &event.error {
            return Err(Fault::Failed(self.connection.shown(&error_text(error))));
        }
        self.usage = event.usage.or(self.usage);
        self.timings = event.timings.or(self.timings);
        let mut heard = Heard::default();
        if let Some(choice) = event.choices.into_iter().next() {
            if let Some(delta) = choice.delta {
                heard.text = delta.content.unwrap_or_default();
                heard.thought = delta.reasoning_content.or(delta.reasoning).unwrap_or_default();
            }
            // Ollama's last event after its model was killed is empty, and names nobody.
            if !heard.text.is_empty() || !heard.thought.is_empty() || choice.finish_reason.is_some() {
                self.check_model(event.model.as_deref())?;
            }
            if let Some(reason) = choice.finish_reason {
                self.finished = Some(is_cut(&reason)?);
            }
        }
        heard.end = if self.usage.is_some() { self.over() } else { None };
        Ok(heard)
    }

    fn is_last(&self, line: &[u8]) -> bool {
        match field(line) {
            Line::Nothing => false,
            Line::Done => true,
            Line::Event(data) => serde_json::from_slice::<Event>(data).is_ok_and(|event| {
                let ends = event.choices.first().is_some_and(|choice| choice.finish_reason.is_some());
                ends || event.error.is_some()
            }),
        }
    }

    fn over(&self) -> Option<ModelReply> {
        let cut = self.finished?;
        let count = |tokens: Option<usize>| tokens.filter(|tokens| *tokens > 0);
        let prompt_tokens = self.usage.and_then(|usage| count(usage.prompt_tokens));
        // The time is of use only where the whole prompt was read in it.
        let timings = self.timings.filter(|timings| timings.prompt_n == prompt_tokens);
        let prompt_ms =
            timings.and_then(|timings| timings.prompt_ms).filter(|ms| ms.is_finite() && *ms > 0.0);
        Some(ModelReply {
            prompt_tokens,
            prompt_time: prompt_ms.map(|ms| Duration::from_secs_f64(ms / 1000.0)),
            completion_tokens: self.usage.and_then(|usage| count(usage.completion_tokens)),
            cut,
        })
    }
}

/// Whether a reply that ended for this reason was cut; an error where it is no reply.
fn is_cut(reason: &str) -> Result<bool, Fault> {
    match reason {
        "length" => Ok(true),
        "content_filter" => Err(Fault::BrokenOff(Message::OpenaiFiltered)),
        "abort" | "error" => Err(Fault::BrokenOff(Message::ModelStreamEnded)),
        "tool_calls" | "function_call" => Err(Fault::Malformed("it asks for a tool that nobody offered")),
        _ => Ok(false),
    }
}

/// A line of a stream of events. An error may stand there without its field, or behind one of its own.
fn field(line: &[u8]) -> Line<'_> {
    if line.starts_with(b":") {
        return Line::Nothing;
    }
    let data = line.strip_prefix(b"data:").or_else(|| line.strip_prefix(b"error:"));
    match data.map(<[u8]>::trim_ascii) {
        Some(b"[DONE]") => Line::Done,
        Some(b"") => Line::Nothing,
        Some(data) => Line::Event(data),
        None if [&b"event:"[..], b"id:", b"retry:"].iter().any(|name| line.starts_with(name)) => {
            Line::Nothing
        }
        None => Line::Event(line),
    }
}
