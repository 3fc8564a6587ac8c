//! The made-up server in OpenAI's protocol.

use plumbline_core::ports::ModelError;
use serde_json::{Value, json};

use super::ReceivedRequest;
use super::acts::{self, Act, Acts, event, event_error, event_head, event_line, event_usage};
use super::world::{World, WorldModel};
use crate::model::Step;

pub(super) fn answer(world: &World, request: &ReceivedRequest) -> Acts {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/v1/models") => acts::json(200, &list(world)),
        ("POST", "/v1/chat/completions") => known(world, request, || chat(world, request)),
        ("POST", "/v1/embeddings") => known(world, request, || acts::json(200, &embed(world, request))),
        _ => no_route(),
    }
}

/// As llama.cpp answers it.
pub(super) fn no_route() -> Acts {
    acts::json(404, &json!({"error": {"message": "File Not Found", "type": "not_found_error", "code": 404}}))
}

fn known(world: &World, request: &ReceivedRequest, answer: impl FnOnce() -> Acts) -> Acts {
    let name = request.body["model"].as_str().unwrap_or_default();
    let bare = |name: &str| name.to_lowercase().trim_end_matches(":latest").to_owned();
    if world.all_models().iter().any(|model| bare(&model.name) == bare(name)) {
        return answer();
    }
    acts::json(404, &event_error(&format!("model '{name}' not found")))
}

fn list(world: &World) -> Value {
    let models = world.all_models();
    let entry = |model: &WorldModel| {
        let mut entry = json!({"id": model.name, "object": "model", "owned_by": world.owner});
        if world.owner == "llamacpp" {
            entry["meta"] = json!({"n_ctx": model.context, "n_params": model.name.len()});
        }
        entry
    };
    let data: Vec<Value> = models.iter().map(entry).collect();
    if world.owner != "llamacpp" {
        return json!({"object": "list", "data": data});
    }
    let tagged = |model: &WorldModel| json!({"name": model.name, "capabilities": model.capabilities});
    json!({"object": "list", "data": data, "models": models.iter().map(tagged).collect::<Vec<_>>()})
}

fn embed(world: &World, request: &ReceivedRequest) -> Value {
    let input = request.body["input"].as_array().cloned().unwrap_or_default();
    let mut tokens = 0;
    let read = |text: &str| {
        let words = text.split_whitespace().take(world.cuts_at.unwrap_or(usize::MAX));
        words.collect::<Vec<_>>().join(" ")
    };
    let mut data = Vec::new();
    for (index, text) in input.iter().enumerate() {
        let text = read(text.as_str().unwrap_or_default());
        tokens += text.split_whitespace().count();
        data.push(json!({"object": "embedding", "index": index, "embedding": world.embedding.embed(&text)}));
    }
    // The place of a vector is told by its index, not by its order.
    data.reverse();
    json!({"object": "list", "data": data, "model": request.body["model"], "usage": {"prompt_tokens": tokens}})
}

fn chat(world: &World, request: &ReceivedRequest) -> Acts {
    let name = request.body["model"].as_str().unwrap_or_default();
    let mut acts = Vec::new();
    for step in (world.writer)(&request.chat_request()) {
        match step {
            Step::Refuse(ModelError::Unavailable(model)) => {
                return acts::json(404, &event_error(&format!("model '{model}' not found")));
            }
            Step::Refuse(problem @ ModelError::Refused { .. }) => {
                return acts::json(400, &event_error(&problem.to_string()));
            }
            Step::Refuse(problem) => return acts::json(500, &event_error(&problem.to_string())),
            Step::Wait(time) => acts.push(Act::Wait(time)),
            Step::Hang => acts.push(Act::Hang),
            Step::Text(text) => write(&mut acts, &event_line(name, &text, None)),
            Step::Fail(problem) => write(&mut acts, &event_error(&problem.to_string())),
            Step::Done(counted) => {
                let reason = if counted.cut { "length" } else { "stop" };
                write(&mut acts, &event_line(name, "", Some(reason)));
                write(&mut acts, &event_usage(name, counted.prompt_tokens, counted.completion_tokens));
                acts.push(Act::Body(b"data: [DONE]\n\n".to_vec()));
                acts.push(Act::End);
            }
        }
    }
    if acts.last() != Some(&Act::End) {
        acts.push(Act::Close);
    }
    acts
}

/// An event, after the head that comes with the first of them.
fn write(acts: &mut Acts, data: &Value) {
    if !acts.iter().any(|act| matches!(act, Act::Head { .. })) {
        acts.push(event_head());
    }
    acts.push(Act::Body(event(data)));
}
