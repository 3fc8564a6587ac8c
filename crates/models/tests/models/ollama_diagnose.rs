//! What the doctor finds: each cause by its name, with what to do about it.

use plumbline_core::domain::Language;
use plumbline_core::settings::{ModelAllowance, ModelSettings};
use plumbline_models::server::{
    AddressFamily, Deadlines, Diagnosis, ModelServer, Problem, ProblemKind, diagnose,
};
use plumbline_testkit::dutch::assert_dutch;
use plumbline_testkit::ollama_server::{
    Act, OllamaServer, Recordings, World, WorldModel, error_line, json, page,
};
use plumbline_testkit::skipping::skip;
use serde_json::json as value;

use crate::ollama_support::{SOON, client, client_at, patient, settings};

fn kinds(diagnosis: &Diagnosis) -> Vec<ProblemKind> {
    diagnosis.problems.iter().map(|problem| problem.kind).collect()
}

/// What to do, as logs have it; a Dutch reader gets all of it in Dutch.
fn fix(problem: &Problem) -> String {
    assert_dutch(&problem.text.text(Language::NL));
    assert_dutch(&problem.fix.text(Language::NL));
    problem.fix.to_string()
}

#[tokio::test]
async fn test_health_check() {
    let server = OllamaServer::start().await;
    let recordings = Recordings::load();
    for name in ["version", "tags", "ps"] {
        server.replay(recordings.named(name), 0.0);
    }
    server.answer_with("/api/show", |asked| {
        let name = match asked.body["model"].as_str().unwrap() {
            "qwen2.5-coder:1.5b" => "show-qwen",
            "all-minilm:latest" => "show-minilm",
            _ => "show-smollm2",
        };
        Recordings::load().named(name).acts(0.0)
    });
    let mut models = settings(server.address());
    let allowance = ModelAllowance { context_window: 8192, max_response: 512 };
    models.allow.insert("qwen2.5-coder:1.5b".to_owned(), allowance);
    models.answer = Some("qwen2.5-coder:1.5b".to_owned());
    let diagnosis = diagnose(&ModelServer::with_deadlines(&models, None, patient()).unwrap()).await;
    assert!(diagnosis.reachable && diagnosis.problems.is_empty(), "{diagnosis:?}");
    assert_eq!((diagnosis.version.as_deref(), diagnosis.family), (Some("0.24.0"), Some(AddressFamily::Ipv4)));
    let told: Vec<_> = diagnosis
        .models
        .iter()
        .map(|model| {
            (
                model.name.as_str(),
                model.context_length,
                model.loaded_context,
                model.chats,
                model.embeds,
                model.allowed,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("qwen2.5-coder:1.5b", Some(32768), Some(4096), true, false, true),
            ("all-minilm:latest", Some(512), Some(512), false, true, false),
            ("smollm2:135m", Some(8192), Some(4096), true, false, false),
        ]
    );
    let json = serde_json::to_value(&diagnosis).unwrap();
    assert_eq!((&json["family"], &json["models"][0]["size"]), (&value!("ipv4"), &value!(1_117_321_317_u64)));
}

#[tokio::test]
async fn causes_are_told_apart_and_each_has_its_fix() {
    let server = OllamaServer::start().await;
    for (acts, kind, way_out) in [
        (page(200), ProblemKind::OtherServer, "OLLAMA_BASE_URL"),
        (json(200, &value!({"name": "another"})), ProblemKind::OtherServer, "11434"),
        (page(404), ProblemKind::OtherServer, "OLLAMA_BASE_URL"),
        (json(401, &error_line("unauthorized")), ProblemKind::Token, "token"),
        (Recordings::load().named("host-foreign").acts(0.0), ProblemKind::Forbidden, "OLLAMA_ORIGINS"),
        (page(302), ProblemKind::Redirect, "models.ollama_url"),
        (json(500, &error_line("no luck")), ProblemKind::ServerError, "log"),
        (vec![Act::Hang], ProblemKind::Timeout, "OLLAMA_BASE_URL"),
        (vec![Act::Close], ProblemKind::ServerError, "start it anew"),
    ] {
        server.answer("/api/version", acts.clone());
        let deadlines = if acts == [Act::Hang] { Deadlines { lookup: SOON, ..patient() } } else { patient() };
        let diagnosis = diagnose(&client_at(server.address(), deadlines)).await;
        assert!(!diagnosis.reachable && diagnosis.version.is_none(), "{acts:?}");
        assert_eq!(kinds(&diagnosis), [kind], "{acts:?}: {:?}", diagnosis.problems);
        let problem = &diagnosis.problems[0];
        let text = problem.text.to_string();
        assert!(fix(problem).contains(way_out) && text.contains(server.address()), "{problem:?}");
    }
    let tls = diagnose(&client_at(&server.address().replace("http:", "https:"), patient())).await;
    assert_eq!(kinds(&tls), [ProblemKind::Tls], "{:?}", tls.problems);
    let address = server.address().to_owned();
    server.stop().await;
    let refused = diagnose(&client_at(&address, patient())).await;
    assert_eq!(kinds(&refused), [ProblemKind::ConnectionRefused]);
    assert!(fix(&refused.problems[0]).contains("`ollama serve`"), "{:?}", refused.problems);
    let json = serde_json::to_value(&refused.problems[0]).unwrap();
    assert_eq!(json["fix"], fix(&refused.problems[0]), "programs read words");
}

#[tokio::test]
async fn an_unknown_host_is_told_from_a_silent_one() {
    let proxied = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if proxied {
        return skip("behind a proxy no name is resolved here");
    }
    let diagnosis = diagnose(&client_at("http://no-such-host.invalid:11434", patient())).await;
    assert_eq!(kinds(&diagnosis), [ProblemKind::UnknownHost], "{:?}", diagnosis.problems);
    assert!(fix(&diagnosis.problems[0]).contains("models.ollama_url"));
}

#[tokio::test]
async fn models_of_the_settings_are_looked_at() {
    let server = OllamaServer::with(World::default().models([
        WorldModel::chat("llama3.2:latest", 4096),
        WorldModel::embedder("all-minilm:latest"),
        WorldModel::chat("phi4", 16384),
    ]))
    .await;
    let problems = async |change: fn(&mut ModelSettings)| {
        let mut models = settings(server.address());
        change(&mut models);
        diagnose(&ModelServer::with_deadlines(&models, None, patient()).unwrap()).await.problems
    };
    assert!(problems(|_| ()).await.is_empty(), "no model configured is no problem");
    for (change, kind, way_out) in [
        (
            (|models| models.answer = Some("qwen3:8b".to_owned())) as fn(&mut ModelSettings),
            ProblemKind::ModelNotPulled,
            "`ollama pull qwen3:8b`",
        ),
        (|models| models.planner = Some("phi4".to_owned()), ProblemKind::ModelNotAllowed, "models.allow"),
        (|models| models.judge = Some("llama3.2".to_owned()), ProblemKind::ContextTooLarge, "4096"),
    ] {
        let found = problems(change).await;
        assert_eq!(found.iter().map(|problem| problem.kind).collect::<Vec<_>>(), [kind], "{found:?}");
        assert!(fix(&found[0]).contains(way_out), "{found:?}");
    }
    let embedder = problems(|models| {
        let allowance = ModelAllowance { context_window: 512, max_response: 100 };
        models.allow.insert("all-minilm".to_owned(), allowance);
        models.answer = Some("all-minilm".to_owned());
    })
    .await;
    assert_eq!(embedder[0].kind, ProblemKind::ModelCannotChat, "{embedder:?}");
    assert_eq!(fix(&embedder[0]), "name a model that can under `models.answer`");

    server.replay(Recordings::load().named("tags-empty"), 0.0);
    let none = diagnose(&client(&server)).await;
    assert_eq!(kinds(&none), [ProblemKind::NoModels]);
    assert!(none.reachable && fix(&none.problems[0]).starts_with("run `ollama pull "), "{:?}", none.problems);
}
