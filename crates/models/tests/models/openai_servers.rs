//! A server that speaks OpenAI's protocol: what the doctor says of it, its token, and what it is asked.

use std::sync::Arc;

use plumbline_core::domain::Language;
use plumbline_core::ports::{LanguageModel, ModelError};
use plumbline_core::settings::{ModelAllowance, ModelSettings, ServerKind};
use plumbline_models::server::{ModelServer, Problem, ProblemKind, Token, diagnose};
use plumbline_testkit::dutch::assert_dutch;
use plumbline_testkit::ollama_server::{
    Act, OllamaServer, World, WorldModel, event, event_head, event_line, json, page,
};
use serde_json::json as value;

use crate::door::Door;
use crate::ollama_support::{MODEL, ask, patient, request};

const OPENAI: Door = Door(ServerKind::Openai);
const OLLAMA: Door = Door(ServerKind::Ollama);

fn told(problem: &Problem) -> (ProblemKind, String) {
    assert_dutch(&problem.text.text(Language::NL));
    assert_dutch(&problem.fix.text(Language::NL));
    (problem.kind, format!("{} → {}", problem.text, problem.fix))
}

#[tokio::test]
async fn servers_are_told_apart_and_a_wrong_kind_is_named_with_the_right_one() {
    let llama = OPENAI.server().await;
    let found = diagnose(&OPENAI.client(&llama)).await;
    assert!(found.reachable && found.problems.is_empty(), "{found:?}");
    assert_eq!(found.product, Some("llama.cpp"));
    let models: Vec<_> =
        found.models.iter().map(|model| (model.name.as_str(), model.context_length, model.chats)).collect();
    assert_eq!(models, [("llama3.2", Some(131_072), true), ("all-minilm:latest", Some(512), false)]);

    let mistaken = diagnose(&OLLAMA.client(&llama)).await;
    let (kind, text) = told(&mistaken.problems[0]);
    assert_eq!((kind, mistaken.reachable), (ProblemKind::OtherServer, false));
    assert!(text.contains("is llama.cpp, not Ollama"), "{text}");
    assert!(text.contains(&format!("models.openai_url to {}/v1", llama.address())), "{text}");

    let ollama = OLLAMA.server().await;
    let found = diagnose(&OPENAI.client(&ollama)).await;
    let (kind, text) = told(&found.problems[0]);
    assert!(found.reachable, "it can be asked so");
    assert_eq!((kind, found.product), (ProblemKind::IsOllama, Some("Ollama")));
    assert!(
        text.contains("in silence") && text.contains(&format!("ollama_url to {}", ollama.address())),
        "{text}"
    );
}

#[tokio::test]
async fn causes_are_told_apart_and_each_has_its_fix() {
    let server = OPENAI.server().await;
    let loading = value!({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}});
    let refused =
        value!({"error": {"message": "Invalid API Key", "type": "authentication_error", "code": 401}});
    for (acts, kind, way_out) in [
        (page(200), ProblemKind::OtherServer, "OPENAI_BASE_URL"),
        (json(200, &value!({"name": "another"})), ProblemKind::OtherServer, "often end in /v1"),
        (json(404, &value!({"error": "no route"})), ProblemKind::OtherServer, "8080 (llama.cpp)"),
        (json(401, &refused), ProblemKind::Token, "token"),
        (json(403, &refused), ProblemKind::Forbidden, "may use this model"),
        (page(302), ProblemKind::Redirect, "models.openai_url"),
        (json(503, &loading), ProblemKind::Loading, "wait"),
        (json(500, &value!({"error": {"message": "no luck"}})), ProblemKind::ServerError, "log"),
    ] {
        server.answer("/v1/models", acts);
        let found = diagnose(&OPENAI.client(&server)).await;
        let (found, text) = told(&found.problems[0]);
        assert_eq!(found, kind, "{text}");
        assert!(text.contains(way_out), "{text}");
    }
}

#[tokio::test]
async fn models_of_the_settings_are_looked_for_on_the_server() {
    let server = OllamaServer::with(World::default().models([]).of_llama_cpp()).await;
    let mut settings = OPENAI.settings(server.address());
    settings.answer = Some(MODEL.to_owned());
    let look = async |settings: &ModelSettings| {
        let found = diagnose(&ModelServer::with_deadlines(settings, None, patient()).unwrap()).await;
        found.problems.iter().map(told).collect::<Vec<_>>()
    };
    let problems = look(&settings).await;
    let kinds: Vec<ProblemKind> = problems.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [ProblemKind::ModelNotPulled, ProblemKind::NoModels]);
    assert!(problems[0].1.contains("load `llama3.2` on the server"), "{problems:?}");
    assert!(!problems[0].1.contains("ollama pull"), "{problems:?}");

    server.change(World::default().models([WorldModel::chat(MODEL, 2048)]).of_llama_cpp());
    let allowance = ModelAllowance { context_window: 8192, max_response: 512 };
    settings.allow.insert(MODEL.to_owned(), allowance);
    let problems = look(&settings).await;
    assert_eq!(problems[0].0, ProblemKind::ContextTooLarge, "{problems:?}");
    let info = OPENAI.client(&server).inspect(MODEL).await.unwrap();
    assert_eq!(info.context_window, 2048, "what it was started with counts, not what is allowed");
}

#[tokio::test]
async fn a_token_goes_to_this_machine_or_over_https_and_nowhere_else() {
    let server = OPENAI.server().await;
    let token = || Some(Arc::new(|| Token::new("s3cret")) as plumbline_models::server::TokenSource);
    let here = ModelServer::with_deadlines(&OPENAI.settings(server.address()), token(), patient()).unwrap();
    ask(&here, request(MODEL)).await.unwrap();
    assert!(server.asked().iter().all(|asked| asked.header("authorization") == Some("Bearer s3cret")));

    let settings = OPENAI.settings("http://models.example.org/v1");
    let elsewhere = ModelServer::with_deadlines(&settings, token(), patient()).unwrap();
    let problem = elsewhere.inspect(MODEL).await.unwrap_err();
    assert!(matches!(problem, ModelError::Refused { .. }), "{problem}");
    assert!(problem.to_string().contains("plain http") && problem.to_string().contains("OPENAI_BASE_URL"));

    let echo = value!({"error": {"message": "bad key s3cret given", "code": null}});
    server.answer("/v1/chat/completions", json(400, &echo));
    let (_, problem) = ask(&here, request(MODEL)).await.unwrap_err();
    assert!(problem.to_string().contains("bad key … given"), "{problem}");
}

#[tokio::test]
async fn the_end_of_a_reply_is_what_it_says_and_not_what_follows() {
    let server = OPENAI.server().await;
    let client = OPENAI.client(&server);
    let line = |text: &str, reason| Act::Body(event(&event_line(MODEL, text, reason)));
    let done = || Act::Body(b"data: [DONE]\n\n".to_vec());
    // No counts, no [DONE], or a server that never closes: the reply is whole all the same.
    for rest in [vec![done(), Act::End], vec![Act::End], vec![Act::Close], vec![Act::Hang]] {
        let acts = [vec![event_head(), line("Red", None), line("", Some("length"))], rest].concat();
        server.answer("/v1/chat/completions", acts);
        let (text, counted) = ask(&client, request(MODEL)).await.unwrap();
        assert_eq!((text.as_str(), counted.cut, counted.prompt_tokens), ("Red", true, None));
    }
    for (reason, words) in [("content_filter", "filter"), ("tool_calls", "tool"), ("abort", "ended")] {
        let acts = vec![event_head(), line("Red", None), line("", Some(reason)), done(), Act::End];
        server.answer("/v1/chat/completions", acts);
        let (_, problem) = ask(&client, request(MODEL)).await.unwrap_err();
        assert!(problem.to_string().contains(words), "{problem}");
    }
    server.answer("/v1/chat/completions", vec![event_head(), line("Red", None), done(), Act::End]);
    let (text, problem) = ask(&client, request(MODEL)).await.unwrap_err();
    assert!(text == "Red" && problem.to_string().contains("ended before the reply did"), "{problem}");
}

#[tokio::test]
async fn a_gateway_may_call_its_model_otherwise_and_a_server_started_anew_is_noticed() {
    let server = OPENAI.server().await;
    let client = OPENAI.client(&server);
    let acts = |model: &str| {
        let line = |text: &str, reason| Act::Body(event(&event_line(model, text, reason)));
        vec![event_head(), line("Red", None), line("", Some("stop")), Act::End]
    };
    server.answer("/v1/chat/completions", acts("llama-3.2-2024-09-25"));
    assert_eq!(ask(&client, request(MODEL)).await.unwrap().0, "Red");
    // Another model is there now; a server of one model answers with it whatever it is asked for.
    server.change(World::default().models([WorldModel::chat("other", 4096)]).of_llama_cpp());
    server.answer("/v1/chat/completions", acts("other"));
    let (_, problem) = ask(&client, request(MODEL)).await.unwrap_err();
    assert_eq!(problem, ModelError::Unavailable(MODEL.to_owned()));
}
