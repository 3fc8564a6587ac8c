use std::time::Duration;

use plumbline_testkit::model::{Step, honest_reply, passages, reply};
use plumbline_testkit::ollama_server::{OllamaServer, World};

use crate::home::Home;
use crate::window::Window;

const QUESTION: &str = "Which version of TLS do we require?";

async fn home_with(server: &OllamaServer) -> Home {
    Home::with_sample_library().await.with("OLLAMA_BASE_URL", server.address()).with("CHAT_MODEL", "llama3.2")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_writes_and_its_answer_is_cited() {
    let server = OllamaServer::with(World::default().writing(|request| {
        let telling = passages(request).into_iter().find(|passage| passage.text.contains("live 15 minutes"));
        let alias = telling.map(|passage| passage.alias).unwrap_or_default();
        reply(&format!("Access tokens live 15 minutes [{alias}]. They are made of cheese [{alias}]."))
    }))
    .await;
    let window = Window::open_without_mouse(&home_with(&server).await).await;
    window.ask("How long are access tokens valid?").await;
    window.sees("Access tokens live 15 minutes").await;
    window.finds("article .citation").await;
    window.sees("llama3.2").await;
    window.sees("1 sentence withheld").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_ends_the_answer_and_the_models_work() {
    let server = OllamaServer::with(World::default().writing(|request| {
        let text: String = honest_reply(request).chars().take(40).collect();
        vec![Step::Text(text), Step::Hang]
    }))
    .await;
    let window = Window::open_without_mouse(&home_with(&server).await).await;
    window.begin_to_ask(QUESTION).await;
    assert!(server.was_asked("/api/chat", 1).await, "the model is asked");
    window.press("Stop answering").await;
    window.sees("You stopped this answer.").await;
    assert!(server.all_closed().await, "the model no longer writes");
    window.finds("[data-focus=question]").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_embeddings_a_banner_says_so_answers_still_come_and_recovery_removes_it() {
    let server = OllamaServer::start().await;
    let address = server.address().to_owned();
    let home = Home::new()
        .with("OLLAMA_BASE_URL", &address)
        .with("PLUMBLINE_MODELS_EMBEDDER", "all-minilm")
        .with("PLUMBLINE_BREAKER_FAILURE_THRESHOLD", "1")
        .with("PLUMBLINE_BREAKER_SUCCESS_THRESHOLD", "1")
        .with("PLUMBLINE_BREAKER_TIMEOUT_SECONDS", "1");
    let window = Window::open_without_mouse(&home).await;
    window.open_sample_library().await;
    window.ask("What does ADR-0012 decide?").await;
    assert!(!window.text().await.contains("Embeddings: off."), "nothing is off yet");

    server.stop().await;
    window.ask(QUESTION).await;
    window.sees("Embeddings: off.").await;
    window.sees("Search goes by words alone").await;
    window.sees("TLS 1.3").await;

    let server =
        OllamaServer::start_on(address.trim_start_matches("http://"), World::default()).await.unwrap();
    window
        .until("the banner is gone", async || {
            window.ask("How long are access tokens valid?").await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            !window.text().await.contains("Embeddings: off.")
        })
        .await;
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_fetched_with_progress_and_is_no_longer_offered() {
    let server = OllamaServer::start().await;
    let window = Window::open_without_mouse(&home_with(&server).await).await;
    window.go("Settings").await;
    window.press("Download qwen3:8b").await;
    window.finds("[role=progressbar], progress").await;
    window
        .until("it is no longer offered", async || {
            window.count("[aria-label='Download qwen3:8b']").await == 0
        })
        .await;
    window
        .until("nothing is fetched any more", async || {
            window.count("[role=progressbar], progress").await == 0
        })
        .await;
    let fetched = server.asked().into_iter().find(|asked| asked.path == "/api/pull").unwrap();
    assert_eq!(fetched.body["model"], "qwen3:8b");
}
