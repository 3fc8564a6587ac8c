//! A server that speaks OpenAI's protocol in Ollama's place.

use plumbline_testkit::ollama_server::{OllamaServer, World};

use super::{NOBODY, QUESTION, User, citations_resolve, json, library, said, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_other_kind_writes_the_answer_and_is_looked_at() {
    let server = OllamaServer::with(World::default().of_llama_cpp()).await;
    let folder = library();
    let user = |kind: &str| {
        User::new(folder.path())
            .with("PLUMBLINE_MODELS_SERVER", kind)
            .with("OLLAMA_BASE_URL", server.address())
            .with("OPENAI_BASE_URL", server.address())
            .with("CHAT_MODEL", "llama3.2")
    };
    let response = json(&user("openai").run(&["ask", QUESTION, "--json"]));
    let told = (response["action"].as_str(), response["model_used"].as_str());
    assert_eq!(told, (Some("CITE"), Some("llama3.2")), "{response}");
    assert!(citations_resolve(&response) > 0);
    let sent = &server.asked_of("/v1/chat/completions")[0].body;
    for option in ["max_tokens", "seed", "temperature"] {
        assert!(sent[option].is_number(), "{option} is explicit");
    }
    assert_eq!(sent["stream_options"]["include_usage"], true, "its counts are held against ours");

    let well = text(&user("openai").run(&["doctor"]));
    assert!(well.contains("llama.cpp answers at") && well.contains("2 models"), "{well}");
    let dutch = text(&user("openai").run(&["doctor", "--lang", "nl"]));
    assert!(dutch.contains("llama.cpp antwoordt op"), "{dutch}");
    let mistaken = text(&user("ollama").run(&["doctor"]));
    assert!(mistaken.contains("is llama.cpp, not Ollama"), "{mistaken}");
    assert!(mistaken.contains("set models.server to \"openai\""), "{mistaken}");
    let pulled = user("openai").run(&["models", "pull", "llama3.2"]);
    assert_eq!(pulled.status.code(), Some(1));
    assert!(said(&pulled).contains("load `llama3.2` there"), "{}", said(&pulled));

    let away = User::new(folder.path())
        .with("PLUMBLINE_MODELS_SERVER", "openai")
        .with("OPENAI_BASE_URL", NOBODY)
        .with("CHAT_MODEL", "llama3.2");
    let statement = json(&away.run(&["ask", QUESTION, "--json"]))["transparency"]["statement"].to_string();
    assert!(statement.contains("OPENAI_BASE_URL") && !statement.contains("ollama"), "{statement}");
    let wrong = user("openia").run(&["ask", QUESTION]);
    assert!(said(&wrong).contains("\"ollama\" or \"openai\""), "{}", said(&wrong));
}
