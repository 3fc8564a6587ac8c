//! What a thousand stopped replies leave behind. It is alone in its binary because open files belong to the process.

use std::time::Duration;

use futures::StreamExt;
use plumbline_core::ports::{ChatRequest, LanguageModel};
use plumbline_core::request::ChatMessage;
use plumbline_core::settings::ModelSettings;
use plumbline_models::server::ModelServer;
use plumbline_testkit::ollama_server::{Act, OllamaServer, chat_line, lines};
use tokio::runtime::Handle;

const MODEL: &str = "llama3.2";
const PATIENT: Duration = Duration::from_secs(30);

fn request() -> ChatRequest {
    ChatRequest {
        model: MODEL.to_owned(),
        messages: vec![ChatMessage::user("Name three colours.")],
        num_ctx: 4096,
        num_predict: 100,
        temperature: 0.1,
        seed: 42,
        first_token: PATIENT,
        between_tokens: PATIENT,
    }
}

fn open_files() -> Option<usize> {
    std::fs::read_dir("/proc/self/fd").ok().map(Iterator::count)
}

/// Waits until there are no more tasks than this; how many there are in the end.
async fn tasks_down_to(wanted: usize) -> usize {
    let alive = || Handle::current().metrics().num_alive_tasks();
    let settled = async {
        while alive() > wanted {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let _ = tokio::time::timeout(PATIENT, settled).await;
    alive()
}

#[tokio::test]
async fn a_thousand_starts_and_stops_leave_nothing_behind() {
    let server = OllamaServer::start().await;
    let settings = ModelSettings { ollama_url: server.address().to_owned(), ..ModelSettings::default() };
    let client = ModelServer::new(&settings, None).unwrap();
    let mut hanging = lines(&[chat_line(MODEL, "Red"), chat_line(MODEL, ", green")]);
    hanging.push(Act::Hang);
    server.answer("/api/chat", hanging);
    drop(client.chat(request()).await.unwrap());
    assert!(server.all_closed().await);
    let alive = || Handle::current().metrics().num_alive_tasks();
    let (tasks, files) = (alive(), open_files());
    for round in 0..1_000 {
        let mut stream = client.chat(request()).await.unwrap();
        for _ in 0..round % 3 {
            stream.next().await.unwrap().unwrap();
        }
    }
    assert!(server.all_closed().await, "{} connections are open", server.open());
    assert!(tasks_down_to(tasks).await <= tasks, "{} tasks, there were {tasks}", alive());
    match (files, open_files()) {
        (Some(before), Some(after)) => assert!(after <= before, "{after} open files, there were {before}"),
        _ => println!("not counted: this system does not list open files"),
    }
    assert_eq!(server.asked_of("/api/chat").len(), 1_001);
}
