//! A cross-encoder from a folder, held against scores that numpy worked out (`fixtures/cross-encoder/make.py`).

use std::path::{Path, PathBuf};

use plumbline_core::domain::Language;
use plumbline_core::ports::Reranker;
use plumbline_models::reranker::CrossEncoder;
use plumbline_testkit::dutch::assert_dutch;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    query: String,
    texts: Vec<String>,
    scores: Vec<f32>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cross-encoder")
}

fn reference() -> Reference {
    serde_json::from_slice(&std::fs::read(folder().join("scores.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn scores_are_those_of_the_reference_in_order_and_whatever_the_batch() {
    let encoder = CrossEncoder::open(&folder()).unwrap();
    let Reference { query, texts, scores } = reference();
    let found = encoder.rerank(&query, &texts).await.unwrap();
    assert_eq!(found.len(), scores.len());
    for (found, expected) in found.iter().zip(&scores) {
        assert!((found - expected).abs() < 1e-5, "{found} and {expected}");
    }
    let many: Vec<String> = texts.iter().cycle().take(23).cloned().collect();
    let together = encoder.rerank(&query, &many).await.unwrap();
    assert!(
        together.iter().zip(found.iter().cycle()).all(|(a, b)| a == b),
        "a score depends on its pair alone"
    );
    assert_eq!(encoder.rerank(&query, &[]).await.unwrap(), Vec::<f32>::new());
}

#[test]
fn a_folder_that_is_no_cross_encoder_says_what_it_lacks() {
    let why = |change: &dyn Fn(&Path)| {
        let copy = tempfile::tempdir().unwrap();
        for file in ["model.safetensors", "tokenizer.json", "config.json"] {
            std::fs::copy(folder().join(file), copy.path().join(file)).unwrap();
        }
        change(copy.path());
        CrossEncoder::open(copy.path()).err().map(|problem| problem.to_string()).unwrap_or_default()
    };
    assert_eq!(why(&|_| {}), "", "the copy itself is sound");
    let missing = why(&|at| std::fs::remove_file(at.join("tokenizer.json")).unwrap());
    assert!(missing.contains("tokenizer.json") && missing.contains("the folder needs"), "{missing}");
    let other = why(&|at| std::fs::write(at.join("model.safetensors"), "not weights").unwrap());
    assert!(other.contains("model.safetensors cannot be used"), "{other}");
    let config = std::fs::read_to_string(folder().join("config.json")).unwrap();
    let wider = why(&|at| std::fs::write(at.join("config.json"), config.replace("32", "48")).unwrap());
    assert!(wider.contains("do not belong together"), "{wider}");
    let embedder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models/embed-en-nl");
    let nothing = tempfile::tempdir().unwrap();
    let empty = CrossEncoder::open(nothing.path()).err().map(|problem| problem.detail().text(Language::NL));
    assert_dutch(&empty.unwrap_or_default());
    let headless = CrossEncoder::open(&embedder).err().map(|problem| problem.to_string()).unwrap_or_default();
    assert!(headless.contains("classifier.weight"), "an embedder is no cross-encoder: {headless}");
}
