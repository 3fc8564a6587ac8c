use plumbline_core::domain::Collection;
use plumbline_core::request::{AskRequest, ChatMessage, Choice};
use plumbline_core::response::AnswerEvent;
use rmcp::RoleServer;
use rmcp::model::JsonObject;
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Failed, Given, data, read};
use crate::progress::{Progress, Step};
use crate::served::Served;
use crate::text;

/// The roles of a conversation that can be handed on.
const ROLES: [&str; 2] = ["user", "assistant"];

pub(super) fn ask_takes() -> (Value, &'static [&'static str]) {
    let properties = json!({
        "question": { "type": "string", "description": "The question, in English or Dutch." },
        "history": {
            "type": "array",
            "description": "The conversation so far, oldest first, where the question leans on it.",
            "items": {
                "type": "object",
                "properties": { "role": { "type": "string", "enum": ROLES }, "content": { "type": "string" } },
                "required": ["role", "content"],
            },
        },
        "collections": {
            "type": "array",
            "description": "Ask within these collections only, such as ADR or Policy.",
            "items": { "type": "string" },
        },
    });
    (properties, &["question"])
}

pub(super) fn define_takes() -> (Value, &'static [&'static str]) {
    (json!({ "term": { "type": "string", "description": "The term." } }), &["term"])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    question: String,
    #[serde(default)]
    history: Vec<ChatMessage>,
    #[serde(default)]
    collections: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Define {
    term: String,
}

pub(super) async fn ask(
    served: &Served,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<Given, Failed> {
    let Ask { question, mut history, collections } = read(arguments)?;
    // What a system says is not for a client to make up.
    history.retain(|message| ROLES.contains(&message.role.as_str()));
    let collections = collections.into_iter().map(Collection::new).collect();
    let request = AskRequest { chat_history: history, collections, ..served.question(&question) };
    answered(served, request, context).await
}

pub(super) async fn define(
    served: &Served,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<Given, Failed> {
    let Define { term } = read(arguments)?;
    let choice = Some(Choice::Define { term: term.clone() });
    answered(served, AskRequest { choice, ..served.question(&term) }, context).await
}

/// The engine's whole response, whatever it is: a refusal is one too.
async fn answered(
    served: &Served,
    request: AskRequest,
    context: &RequestContext<RoleServer>,
) -> Result<Given, Failed> {
    let open = served.open().await?;
    let progress = Progress::of(context);
    let begun = AtomicUsize::new(0);
    let events = |event: AnswerEvent| {
        if let AnswerEvent::Stage { stage, report: None } = event {
            let done = begun.fetch_add(1, Ordering::Relaxed) + 1;
            progress.step(Step { done, total: None, what: stage.as_str().to_owned() });
        }
    };
    let asked = open.engine.engine.ask(request, &context.ct, &events).await;
    progress.end().await;
    let response = asked.map_err(|problem| Failed::of(&problem, served.language()))?;
    Ok(Given { text: text::answer(&response), data: data(&response)? })
}
