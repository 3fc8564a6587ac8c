//! Vectors through OpenAI's protocol.

use plumbline_core::ports::Embedder;
use plumbline_core::settings::ServerKind;
use plumbline_models::server::ServerEmbedder;
use plumbline_testkit::embedder::ToyEmbedding;
use plumbline_testkit::ollama_server::{OllamaServer, World, json};
use serde_json::json as value;

use crate::door::Door;

const DOOR: Door = Door(ServerKind::Openai);
const PATH: &str = "/v1/embeddings";

fn embedder(server: &OllamaServer) -> ServerEmbedder {
    ServerEmbedder::new(DOOR.client(server), "all-minilm")
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[tokio::test]
async fn vectors_belong_to_their_texts_whatever_order_they_come_in() {
    let server = DOOR.server().await;
    let given = texts(["events are published", "a river in spring", "retention of records"]);
    let vectors = embedder(&server).embed(&given).await.unwrap();
    for (text, vector) in given.iter().zip(&vectors) {
        let alone = embedder(&server).embed(std::slice::from_ref(text)).await.unwrap();
        assert!(cosine(vector, &alone[0]) > 0.999, "{text}");
    }
}

#[tokio::test]
async fn a_text_that_the_server_would_cut_in_silence_is_read_whole() {
    let words: Vec<String> = (0..1200).map(|n| format!("word{}", n % 400)).collect();
    let long = words.join(" ");
    for cuts_at in [256, 300, 512] {
        let server = OllamaServer::with(World::default().of_llama_cpp().cutting_at(cuts_at)).await;
        let vector = embedder(&server).embed(std::slice::from_ref(&long)).await.unwrap().remove(0);
        let cut = ToyEmbedding::default().embed(&words[..cuts_at].join(" "));
        let whole = ToyEmbedding::default().embed(&long);
        assert!(
            cosine(&vector, &whole) > cosine(&cut, &whole),
            "cut at {cuts_at}: {} and {}",
            cosine(&vector, &whole),
            cosine(&cut, &whole)
        );
        let parts = server.asked_of(PATH);
        let sent = parts.iter().flat_map(|asked| asked.body["input"].as_array().cloned().unwrap_or_default());
        let parts: Vec<String> = sent.filter_map(|text| text.as_str().map(str::to_owned)).collect();
        let small = parts.iter().filter(|part| part.contains("word399"));
        assert!(
            small.clone().any(|part| part.split_whitespace().count() < cuts_at),
            "the end was sent in a part that is read"
        );
    }
}

#[tokio::test]
async fn answers_that_are_not_one_vector_for_each_text_are_refused() {
    let server = DOOR.server().await;
    let vector = |index: usize, values: &[f64]| value!({"index": index, "embedding": values});
    for (data, words) in [
        (value!([vector(0, &[1.0, 0.0])]), "one vector for each text"),
        (value!([vector(0, &[1.0, 0.0]), vector(0, &[1.0, 0.0])]), "one vector for each text"),
        (value!([vector(0, &[1.0, 0.0]), vector(2, &[1.0, 0.0])]), "one vector for each text"),
        (value!([vector(0, &[1.0, 0.0]), vector(1, &[1.0])]), "not all of one length"),
        (value!([vector(0, &[1.0, 0.0]), vector(1, &[0.0, 0.0])]), "a vector is zero"),
    ] {
        server.answer(PATH, json(200, &value!({"data": data, "model": "all-minilm"})));
        let problem = embedder(&server).embed(&texts(["one", "two"])).await.unwrap_err();
        assert!(problem.to_string().contains(words), "{problem}");
    }
    let missing =
        ServerEmbedder::new(DOOR.client(&server), "bge-m3").embed(&texts(["one"])).await.unwrap_err();
    assert!(missing.to_string().contains("`bge-m3` is not on that server"), "{missing}");
    let chat =
        ServerEmbedder::new(DOOR.client(&server), "llama3.2").embed(&texts(["one"])).await.unwrap_err();
    assert!(chat.to_string().contains("cannot embed"), "{chat}");
}

#[tokio::test]
async fn another_model_under_the_same_name_has_another_fingerprint() {
    let server = DOOR.server().await;
    let first = embedder(&server).fingerprint().await.unwrap();
    assert_eq!(embedder(&server).fingerprint().await.unwrap(), first, "the same model");
    server.answer_with(PATH, |asked| {
        let count = asked.body["input"].as_array().map_or(0, Vec::len);
        let mut values = vec![0.01; ToyEmbedding::default().embed("text").len()];
        values[7] = 1.0;
        let data: Vec<_> = (0..count).map(|index| value!({"index": index, "embedding": values})).collect();
        json(200, &value!({"data": data, "model": "all-minilm"}))
    });
    assert_ne!(embedder(&server).fingerprint().await.unwrap(), first);
}
