//! Through the whole engine: whatever the server does, the user gets an answer or a named refusal, and the next
//! question works.

use std::sync::Arc;
use std::time::Duration;

use plumbline_core::breaker::BreakerState;
use plumbline_core::ports::{ChatRequest, ModelReply};
use plumbline_core::response::Action;
use plumbline_models::server::{ModelServer, ServerEmbedder};
use plumbline_testkit::model::{FakeModel, Script, Step, honest_reply, passages, reply};
use plumbline_testkit::ollama_server::{
    Act, Acts, Framing, OllamaServer, ReceivedRequest, World, chat_end, chat_line, error_line, head, json,
    lines, page,
};
use plumbline_testkit::rig::{AskOutcome, Rig, RigBuilder, cited};
use plumbline_testkit::skipping::skip;
use serde_json::json as value;

use crate::ollama_support::{MODEL, PATIENT, client_at, patient, settings};

const QUESTION: &str = "How do applications exchange events?";
const FACT: &str = "Applications exchange events through one central broker.";
/// The paragraph that it stands in.
const EXTRACT: &str =
    "Applications exchange events through one central broker. A publisher does not know its subscribers. [1]";

/// Time for whatever is not meant to hang.
const LONG: u64 = PATIENT.as_secs();
/// Time for what is.
const SHORT: u64 = 2;

fn fact(request: &ChatRequest) -> String {
    let found = passages(request).into_iter().find(|passage| passage.text.contains("central broker"));
    format!("{FACT} [{}]", found.map_or(1, |passage| passage.alias))
}

/// A server whose model knows one fact.
async fn sound() -> OllamaServer {
    OllamaServer::with(World::default().writing(|request| reply(&fact(request)))).await
}

fn rig(address: &str, seconds: u64) -> RigBuilder {
    let client = client_at(address, patient());
    // What a fake would have said is never asked for: it only configures the model.
    Rig::with()
        .model(FakeModel::honest())
        .settings(|settings| {
            settings.models.timeout_seconds = seconds;
            settings.models.prompt_tokens_per_second = 100_000.0;
        })
        .ports(move |ports| ports.model = Some(Arc::new(client)))
}

#[track_caller]
fn assert_extractive(asked: &AskOutcome, fault: &str) {
    let response = asked.response();
    assert_eq!((response.action, response.model_used.as_deref()), (Action::Cite, None), "{fault}");
    assert_eq!(response.answer, EXTRACT, "{fault}");
    assert_eq!(response.retrieval_quality.fallback_reasons, ["extractive"], "{fault}");
    let confidence = response.confidence.unwrap();
    let expected = (f64::from(confidence.overall) * 0.8).round() as u8;
    assert_eq!(confidence.adjusted, expected, "{fault}: ×0.8 of {}", confidence.overall);
    let statement = response.transparency.statement.as_deref().unwrap();
    assert!(statement.contains("The language model could not answer"), "{fault}: {statement}");
    assert!(asked.stage("generation").starts_with("failed:"), "{fault}: {}", asked.stage("generation"));
    assert_eq!(asked.screen(), response.answer, "{fault}: nothing of a half answer stays on screen");
}

#[track_caller]
fn assert_answered(asked: &AskOutcome, fault: &str) {
    let response = asked.response();
    assert_eq!(response.model_used.as_deref(), Some(MODEL), "{fault}: {}", asked.stage("generation"));
    assert_eq!(
        (response.action, response.answer.as_str()),
        (Action::Cite, format!("{FACT} [1]").as_str()),
        "{fault}"
    );
    assert!(!response.fallback_mode, "{fault}: {:?}", response.retrieval_quality.fallback_reasons);
}

/// A true first sentence and the beginning of a second, then what comes.
fn then(asked: &ReceivedRequest, more: impl IntoIterator<Item = Act>) -> Acts {
    let text = format!("{} A publisher does not kn", fact(&asked.chat_request()));
    let said: Vec<_> = text.split_inclusive(' ').map(|word| chat_line(MODEL, word)).collect();
    lines(&said).into_iter().chain(more).collect()
}

fn body(line: &serde_json::Value) -> Act {
    Act::Body(format!("{line}\n").into_bytes())
}

type Fault = (&'static str, u64, fn(&ReceivedRequest) -> Acts);

const FAULTS: [Fault; 17] = [
    ("404 model", LONG, |_| json(404, &error_line("model 'llama3.2' not found"))),
    ("500", LONG, |_| json(500, &error_line("llama runner process has terminated"))),
    ("503", LONG, |_| json(503, &error_line("server busy, please try again"))),
    ("prompt too long", LONG, |_| json(400, &error_line("the input length exceeds the context length"))),
    ("HTML instead of JSON", LONG, |_| page(200)),
    ("closed without a word", LONG, |_| vec![Act::Close]),
    ("a line cut in half", LONG, |asked| {
        then(asked, [Act::Body(b"{\"model\":\"llama".to_vec()), Act::Close])
    }),
    ("a stream that stops for ever", SHORT, |asked| then(asked, [Act::Hang])),
    ("a server that never answers", SHORT, |_| vec![Act::Hang]),
    ("one byte a second", SHORT, |asked| {
        let line = chat_line(MODEL, "ow its subscribers.").to_string().into_bytes();
        then(
            asked,
            line.into_iter().flat_map(|byte| [Act::Body(vec![byte]), Act::Wait(Duration::from_secs(1))]),
        )
    }),
    ("wrong content length", LONG, |asked| {
        let line = format!("{}\n", chat_line(MODEL, &fact(&asked.chat_request())));
        let framing = Framing::Length(line.len() + 100);
        let kind = "application/x-ndjson".to_owned();
        vec![Act::Head { status: 200, kind, framing }, Act::Body(line.into_bytes()), Act::Close]
    }),
    ("an error object after 200 tokens", LONG, |asked| {
        let words = (0..200).map(|_| body(&chat_line(MODEL, "word ")));
        then(asked, words.chain([body(&error_line("unexpected EOF")), Act::End]))
    }),
    ("a changed model half-way", LONG, |asked| then(asked, [body(&chat_line("phi4", "ow."))])),
    ("an end without its last line", LONG, |asked| then(asked, [Act::End])),
    ("garbage", LONG, |asked| then(asked, [Act::Body(b"\xff\xfe\x00garbage\n".to_vec())])),
    ("thoughts in the answer", LONG, |asked| then(asked, [body(&chat_line(MODEL, "ow.\n</think>"))])),
    ("a line without an end", LONG, |_| vec![head(), Act::Endless(vec![b' '; 1_000_000])]),
];

#[tokio::test]
async fn every_fault_of_a_chat_ends_in_extracts_and_the_next_question_works() {
    for (fault, seconds, acts) in FAULTS {
        let server = sound().await;
        server.answer_with("/api/chat", acts);
        let rig = rig(server.address(), seconds).build();
        assert_extractive(&rig.ask(QUESTION).await, fault);
        assert!(rig.engine.banner().is_empty(), "{fault}: once is no outage");
        assert!(server.all_closed().await, "{fault}: the server is left alone");
        server.behave();
        // On a busy machine a sound answer may take longer than a hanging one was given.
        let rig = if seconds == SHORT { self::rig(server.address(), LONG).build() } else { rig };
        assert_answered(&rig.ask(QUESTION).await, fault);
    }
}

#[tokio::test]
async fn every_fault_of_an_inspection_ends_in_extracts_too() {
    let faults: [Fault; 6] = [
        ("404 model", LONG, |_| json(404, &error_line("model 'llama3.2' not found"))),
        ("500", LONG, |_| json(500, &error_line("no luck"))),
        ("401", LONG, |_| json(401, &error_line("unauthorized"))),
        ("HTML", LONG, |_| page(200)),
        ("never answers", SHORT, |_| vec![Act::Hang]),
        ("a model that cannot chat", LONG, |_| {
            json(200, &value!({"model_info": {}, "capabilities": ["embedding"]}))
        }),
    ];
    for (fault, seconds, acts) in faults {
        let server = sound().await;
        server.answer_with("/api/show", acts);
        assert_extractive(&rig(server.address(), seconds).build().ask(QUESTION).await, fault);
        server.behave();
        assert_answered(&rig(server.address(), LONG).build().ask(QUESTION).await, fault);
    }
}

#[tokio::test]
async fn the_reason_names_the_way_out() {
    let statement = |asked: &AskOutcome| asked.response().transparency.statement.clone().unwrap();
    let server = sound().await;
    server.answer("/api/show", json(404, &error_line("model 'llama3.2' not found")));
    let missing = statement(&rig(server.address(), LONG).build().ask(QUESTION).await);
    assert!(missing.contains("ollama pull llama3.2"), "{missing}");
    server.answer("/api/show", json(401, &error_line("unauthorized")));
    let token = statement(&rig(server.address(), LONG).build().ask(QUESTION).await);
    assert!(token.contains("enter the token of the model server in the settings"), "{token}");

    let (address, port) = (server.address().to_owned(), server.port());
    server.stop().await;
    let rig = rig(&address, LONG).build();
    let asked = rig.ask(QUESTION).await;
    assert_extractive(&asked, "connection refused");
    let gone = statement(&asked);
    assert!(
        gone.contains(&address) && gone.contains("`ollama serve`") && gone.contains("OLLAMA_BASE_URL"),
        "{gone}"
    );
    let world = World::default().writing(|request| reply(&fact(request)));
    let Ok(_again) = OllamaServer::start_on(&format!("127.0.0.1:{port}"), world).await else {
        return skip("the port was taken meanwhile");
    };
    assert_answered(&rig.ask(QUESTION).await, "it was started, as the text said");
}

#[tokio::test]
async fn addresses_that_lead_nowhere_end_in_extracts() {
    let server = sound().await;
    let secure = server.address().replace("http:", "https:");
    let asked = rig(&secure, LONG).build().ask(QUESTION).await;
    assert_extractive(&asked, "TLS failure");
    assert!(asked.stage("generation").contains("TLS"), "{}", asked.stage("generation"));
    let asked = rig("http://no-such-host.invalid:11434", LONG).build().ask(QUESTION).await;
    assert_extractive(&asked, "DNS failure");
}

#[tokio::test]
async fn endless_output_is_cut_and_says_so() {
    let server = sound().await;
    server.answer_with("/api/chat", |asked| {
        let more = format!("{}\n", chat_line(MODEL, " and so on"));
        then(asked, [Act::Endless(more.into_bytes())])
    });
    let rig = rig(server.address(), LONG).build();
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert_eq!((response.action, response.model_used.as_deref()), (Action::Cite, Some(MODEL)));
    assert_eq!(
        response.answer,
        format!("{FACT} [1]"),
        "what was said before the flood, and no half sentence"
    );
    let statement = response.transparency.statement.as_deref().unwrap();
    assert!(statement.contains("may be incomplete"), "{statement}");
    server.behave();
    assert_answered(&rig.ask(QUESTION).await, "after the flood");
}

#[tokio::test]
async fn a_server_that_answers_the_previous_request() {
    let server = sound().await;
    let previous = std::sync::Mutex::new("Certificates are renewed every 90 days. [1]".to_owned());
    server.answer_with("/api/chat", move |asked| {
        let own = fact(&asked.chat_request());
        let said = std::mem::replace(&mut *previous.lock().unwrap(), own);
        let said = [chat_line(MODEL, &said), chat_end(MODEL, "stop", None, None)];
        lines(&said).into_iter().chain([Act::End]).collect()
    });
    let rig = rig(server.address(), LONG).build();
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert!(
        !asked.screen().contains("90 days") && !response.answer.contains("90 days"),
        "{}",
        response.answer
    );
    assert!(response.refused, "no passage of this question supports it: {response:#?}");
    assert_answered(&rig.ask(QUESTION).await, "the answer that comes one too late is to the same question");
}

#[tokio::test]
async fn a_cut_prompt_is_found_out() {
    let cut = |tokens: usize| {
        World::default().writing(move |request| {
            let mut script: Script = reply(&fact(request));
            script.pop();
            script.push(Step::Done(ModelReply {
                prompt_tokens: Some(tokens),
                completion_tokens: Some(9),
                ..ModelReply::default()
            }));
            script
        })
    };
    for (tokens, flags) in [(60, vec!["prompt_truncated"]), (8192, vec!["prompt_truncated"]), (700, vec![])] {
        let server = OllamaServer::with(cut(tokens)).await;
        let response = rig(server.address(), LONG).build().answer(QUESTION).await;
        assert_eq!(response.retrieval_quality.fallback_reasons, flags, "{tokens} tokens were read");
    }
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_left_alone_and_comes_back() {
    let server = sound().await;
    let rig = rig(server.address(), LONG).build();
    server.answer("/api/chat", json(500, &error_line("no luck")));
    for _ in 0..5 {
        assert_extractive(&rig.ask(QUESTION).await, "500");
    }
    let banner = rig.engine.banner();
    assert_eq!(
        (banner[0].service.as_str(), banner[0].state, banner[0].retry_in_seconds),
        ("generation", BreakerState::Open, 30)
    );
    let before = server.asked().len();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(server.asked().len(), before, "it is not asked");
    assert_eq!(asked.response().retrieval_quality.fallback_reasons, ["circuit_open", "extractive"]);
    server.behave();
    rig.clock.advance(Duration::from_secs(30));
    for _ in 0..2 {
        assert_answered(&rig.ask(QUESTION).await, "after 30 s");
    }
    assert!(rig.engine.banner().is_empty(), "the banner goes by itself");
}

#[tokio::test]
async fn a_server_that_refuses_is_not_left_alone() {
    let server = sound().await;
    let rig = rig(server.address(), LONG).build();
    server.answer("/api/chat", json(400, &error_line("the input length exceeds the context length")));
    for _ in 0..6 {
        assert_extractive(&rig.ask(QUESTION).await, "too long");
    }
    assert!(rig.engine.banner().is_empty(), "five long questions do not switch the model off");
    server.behave();
    assert_answered(&rig.ask(QUESTION).await, "a shorter one");
}

#[tokio::test]
async fn vectors_that_are_none_leave_search_by_words() {
    let vectors =
        |vectors: serde_json::Value| json(200, &value!({"model": "all-minilm", "embeddings": vectors}));
    let faults: [(&str, Acts); 7] = [
        ("wrong number", vectors(value!([]))),
        ("zero", vectors(value!([vec![0.0; 512]]))),
        ("not numbers", vectors(value!([vec![serde_json::Value::Null; 512]]))),
        ("another model", json(200, &value!({"model": "phi4", "embeddings": [vec![0.1; 512]]}))),
        ("500", json(500, &error_line("no luck"))),
        ("404", json(404, &error_line("model \"all-minilm\" not found, try pulling it first"))),
        ("never", vec![Act::Hang]),
    ];
    for (fault, acts) in faults {
        let server = OllamaServer::start().await;
        let embedder = ServerEmbedder::new(client_at(server.address(), patient()), "all-minilm");
        let rig = Rig::with().ports(move |ports| ports.embedder = Some(Arc::new(embedder))).build();
        server.answer("/api/embed", acts);
        let asked = rig.ask(QUESTION).await;
        let response = asked.response();
        assert_eq!(
            (response.action, cited(response)),
            (Action::Cite, vec!["adr-0018:0".to_owned()]),
            "{fault}"
        );
        assert_eq!(response.retrieval_quality.fallback_reasons, ["bm25_only"], "{fault}");
        assert!(asked.stage("embedding").starts_with("failed:"), "{fault}: {}", asked.stage("embedding"));
        assert!(rig.engine.banner().is_empty());
        server.behave();
        let asked = rig.ask(QUESTION).await;
        assert_eq!(
            (asked.stage("embedding").as_str(), asked.stage("dense").as_str()),
            ("ok", "ok"),
            "after {fault}"
        );
        assert!(!asked.response().fallback_mode, "after {fault}");
    }
}

#[tokio::test]
async fn stopping_a_question_stops_the_model() {
    let server = sound().await;
    server.answer_with("/api/chat", |asked| then(asked, [Act::Hang]));
    let rig = rig(server.address(), LONG).build();
    let cancel = tokio_util::sync::CancellationToken::new();
    let stop = async {
        assert!(server.was_asked("/api/chat", 1).await);
        cancel.cancel();
    };
    let request = plumbline_core::request::AskRequest::new(QUESTION);
    let (asked, ()) = tokio::join!(rig.request_until(request, &cancel), stop);
    assert_eq!(asked.error(), &plumbline_core::error::AskError::Stopped);
    assert!(server.all_closed().await, "the server sees it");
    assert!(rig.engine.banner().is_empty(), "a stop is no failure");
    server.behave();
    assert_answered(&rig.ask(QUESTION).await, "after a stop");
}

#[tokio::test]
async fn an_honest_model_does_every_job() {
    let server = OllamaServer::with(World::default().writing(|request| reply(&honest_reply(request)))).await;
    let mut models = settings(server.address());
    models.answer = Some(MODEL.to_owned());
    let client = ModelServer::with_deadlines(&models, None, patient()).unwrap();
    let rig = Rig::with()
        .model(FakeModel::honest())
        .planning_and_judging()
        .ports(move |ports| ports.model = Some(Arc::new(client)))
        .build();
    let asked = rig.ask(QUESTION).await;
    for stage in ["rewrites", "planner", "generation", "judge"] {
        assert_eq!(asked.stage(stage), "ok", "{stage}");
    }
    let windows: Vec<_> = server
        .asked_of("/api/chat")
        .into_iter()
        .map(|asked| asked.body["options"]["num_ctx"].clone())
        .collect();
    assert_eq!(windows, vec![value!(8192); 4], "another window would load the model anew each time");
}
