//! Vectors from Ollama: as many as texts, of one length, of length 1, or an error.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumbline_core::domain::EmbedderFamily;
use plumbline_core::ports::{Embedder, PortError};
use plumbline_models::server::{Deadlines, ServerEmbedder};
use plumbline_testkit::ollama_server::{
    Act, Acts, OllamaServer, ReceivedRequest, World, WorldModel, error_line, json,
};
use serde_json::{Value, json as value};

use crate::ollama_support::{SOON, client, client_at, patient};

const MINILM: &str = "all-minilm";

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn vectors(vectors: &Value) -> Acts {
    json(200, &value!({"model": MINILM, "embeddings": vectors}))
}

/// A body that JSON itself does not allow.
fn raw(body: &str) -> Acts {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    vec![Act::Raw(format!("{head}{body}").into_bytes())]
}

#[tokio::test]
async fn vectors_come_in_order_and_in_batches_by_size() {
    let server = OllamaServer::start().await;
    let embedder = ServerEmbedder::new(client(&server), MINILM);
    assert_eq!(embedder.family(), EmbedderFamily::Ollama);
    let long = "meter readings are kept ".repeat(250);
    let given: Vec<String> = (0..6).map(|at| format!("{at} {long}")).collect();
    let together = embedder.embed(&given).await.unwrap();
    let batches = server.asked_of("/api/embed");
    assert!(batches.len() > 1, "36,000 characters are no single batch");
    for batch in &batches {
        assert_eq!(batch.body["truncate"], false, "nothing is cut in silence");
        let chars: usize =
            batch.body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().len()).sum();
        assert!(chars <= 12_100, "{chars}");
    }
    for (text, vector) in given.iter().zip(&together) {
        assert_eq!(embedder.embed(std::slice::from_ref(text)).await.unwrap(), std::slice::from_ref(vector));
    }
    let short: Vec<String> = (0..100).map(|at| format!("text {at}")).collect();
    let before = server.asked_of("/api/embed").len();
    assert_eq!(embedder.embed(&short).await.unwrap().len(), 100);
    assert_eq!(server.asked_of("/api/embed").len(), before + 1, "a hundred short texts are one batch");
    assert_eq!(server.asked_of("/api/show").len(), 1, "what the model is was asked once");
}

#[tokio::test]
async fn a_text_longer_than_the_model_reads_is_embedded_whole() {
    let server = OllamaServer::start().await;
    server.answer_with("/api/embed", |asked: &ReceivedRequest| {
        let texts = asked.body["input"].as_array().unwrap();
        if texts.iter().any(|text| text.as_str().unwrap().len() > 1000) {
            return json(400, &error_line("the input length exceeds the context length"));
        }
        // What a text is about decides which way its vector points.
        let vector = |text: &Value| {
            let count = |word| text.as_str().unwrap().matches(word).count();
            if count("front") > count("behind") { value!([1.0, 0.0]) } else { value!([0.0, 1.0]) }
        };
        vectors(&texts.iter().map(vector).collect())
    });
    let embedder = ServerEmbedder::new(client(&server), MINILM);
    let long = format!("{}{}", "front ".repeat(300), "behind ".repeat(257));
    let vectors = embedder.embed(&[texts(&["front"]), vec![long], texts(&["back"])].concat()).await.unwrap();
    assert_eq!(
        (vectors[0].as_slice(), vectors[2].as_slice()),
        ([1.0, 0.0].as_slice(), [0.0, 1.0].as_slice())
    );
    let [front, back] = vectors[1].as_slice() else { panic!("{:?}", vectors[1]) };
    assert!((front - back).abs() < 0.1, "both halves count: {front} {back}");
    assert!((front.hypot(*back) - 1.0).abs() < 1e-5, "and its length is 1");

    server.answer("/api/embed", json(400, &error_line("the input length exceeds the context length")));
    assert!(embedder.embed(&texts(&["whatever it is given, all of it is too long"])).await.is_err());
}

#[tokio::test]
async fn vectors_of_the_wrong_length_or_with_nan_are_errors() {
    let server = OllamaServer::start().await;
    let one = texts(&["one"]);
    for (answer, words) in [
        (vectors(&value!([])), "one vector for each text"),
        (vectors(&value!([[0.6, 0.8], [0.6, 0.8]])), "one vector for each text"),
        (vectors(&value!([[]])), "zero or not made of numbers"),
        (vectors(&value!([[0.0, 0.0]])), "zero or not made of numbers"),
        (vectors(&value!([[0.6, null]])), "cannot be read"),
        (vectors(&value!([[0.6, "0.8"]])), "cannot be read"),
        (vectors(&value!({"0": [0.6, 0.8]})), "cannot be read"),
        (raw(r#"{"model":"all-minilm","embeddings":[[NaN,0.8]]}"#), "cannot be read"),
        (raw(r#"{"model":"all-minilm","embeddings":[[1e39,0.8]]}"#), "zero or not made of numbers"),
        (raw(r#"{"model":"all-minilm","embeddings":[[1e999,0.8]]}"#), "cannot be read"),
        (raw(r#"{"model":"all-minilm","embeddings":[[0.6,0."#), "cannot be read"),
        (json(200, &value!({"model": "bge-m3", "embeddings": [[0.6, 0.8]]})), "another model"),
        (json(200, &value!({"embeddings": [[0.6, 0.8]]})), "names no model"),
        (json(200, &error_line("out of luck at 10.0.0.7")), "reported an error"),
    ] {
        let embedder = ServerEmbedder::new(client(&server), MINILM);
        server.answer("/api/embed", answer.clone());
        let problem = embedder.embed(&one).await.unwrap_err().to_string();
        assert!(problem.contains(words), "{words:?} was expected of {answer:?}: {problem}");
        assert!(!problem.contains("10.0.0.7"), "what a server says of itself stays there: {problem}");
        server.behave();
        assert_eq!(embedder.embed(&one).await.map(|vectors| vectors.len()), Ok(1), "after {words:?}");
    }
}

#[tokio::test]
async fn vectors_that_change_their_length_are_an_error_and_others_are_normalised() {
    let server = OllamaServer::start().await;
    let embedder = ServerEmbedder::new(client(&server), MINILM);
    server.answer("/api/embed", vectors(&value!([[3.0, 4.0]])));
    assert_eq!(embedder.embed(&texts(&["one"])).await.unwrap(), [vec![0.6, 0.8]]);
    server.answer("/api/embed", vectors(&value!([[0.6, 0.8, 0.0]])));
    let problem = embedder.embed(&texts(&["one"])).await.unwrap_err().to_string();
    assert!(problem.contains("not all of one length"), "{problem}");
    server.answer("/api/embed", vectors(&value!([[0.6, 0.8], [1.0, 0.0, 0.0]])));
    assert!(embedder.embed(&texts(&["one", "two"])).await.is_err());
}

#[tokio::test]
async fn the_fingerprint_changes_with_the_model_and_not_with_its_spelling() {
    let model = |digest: &str| {
        let model = WorldModel::embedder("all-minilm:latest");
        World::default().models([WorldModel { digest: digest.to_owned(), ..model }])
    };
    let server = OllamaServer::with(model("aa")).await;
    let embedder = ServerEmbedder::new(client(&server), MINILM);
    let first = embedder.fingerprint().await.unwrap();
    assert!(
        first.len() == 16 && first.chars().all(|c| c.is_ascii_hexdigit()),
        "fit for a table's name: {first}"
    );
    let spelt = ServerEmbedder::new(client(&server), "All-MiniLM:latest").fingerprint().await.unwrap();
    assert_eq!(spelt, first);
    server.change(model("bb"));
    assert_ne!(embedder.fingerprint().await.unwrap(), first, "a model can be pulled anew under its name");
    server.change(model("aa"));
    assert_eq!(embedder.fingerprint().await.unwrap(), first, "switching back needs no work");
    server.answer("/api/embed", vectors(&value!([[0.6, 0.8]])));
    let shorter = ServerEmbedder::new(client(&server), MINILM).fingerprint().await.unwrap();
    assert_ne!(shorter, first, "vectors of another length are others");
    server.change(World::default().models([]));
    let problem = embedder.fingerprint().await.unwrap_err().to_string();
    assert!(problem.contains("ollama pull all-minilm"), "{problem}");
}

#[tokio::test]
async fn a_server_that_hangs_or_is_gone_ends_in_an_error() {
    let server = OllamaServer::start().await;
    server.answer("/api/embed", vec![Act::Hang]);
    let embedder =
        ServerEmbedder::new(client_at(server.address(), Deadlines { embed: SOON, ..patient() }), MINILM);
    let problem = embedder.embed(&texts(&["one"])).await.unwrap_err();
    assert!(matches!(problem, PortError::Timeout { service: "embedding", .. }), "{problem}");
    assert!(server.all_closed().await);
    let address = server.address().to_owned();
    server.stop().await;
    let gone = ServerEmbedder::new(client_at(&address, patient()), MINILM);
    let problem = gone.embed(&texts(&["one"])).await.unwrap_err().to_string();
    assert!(problem.contains(&address) && problem.contains("connection refused"), "{problem}");
}

#[tokio::test]
async fn a_failed_look_at_the_model_is_not_remembered() {
    let server = OllamaServer::start().await;
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    server.answer_with("/api/show", move |_: &ReceivedRequest| {
        match counted.fetch_add(1, Ordering::SeqCst) {
            0 => json(500, &error_line("not yet")),
            _ => json(200, &value!({"model_info": {}, "capabilities": ["embedding"]})),
        }
    });
    let embedder = ServerEmbedder::new(client(&server), MINILM);
    assert!(embedder.embed(&texts(&["one"])).await.is_err());
    assert!(embedder.embed(&texts(&["one"])).await.is_ok());
}
