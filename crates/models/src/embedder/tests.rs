use std::fs;
use std::sync::{LazyLock, Mutex};

use plumbline_core::domain::Language;
use plumbline_testkit::dutch::assert_dutch;
use plumbline_testkit::shared_data;

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models").join(FIRST.folder)
}

/// The editions whose files this machine has, and where they lie.
fn editions() -> Vec<(&'static Edition, PathBuf)> {
    let second = shared_data::path_or_skip(&format!("models/{}", SECOND.folder));
    [(&FIRST, folder())].into_iter().chain(second.map(|folder| (&SECOND, folder))).collect()
}

/// One for all tests, so that the weights are read once.
fn embedder() -> &'static BuiltInEmbedder {
    static EMBEDDER: LazyLock<BuiltInEmbedder> =
        LazyLock::new(|| BuiltInEmbedder::open(&FIRST, &folder()).unwrap());
    &EMBEDDER
}

fn embed(text: &str) -> Vec<f32> {
    embedder().embed_blocking(&[text.to_owned()]).unwrap().remove(0)
}

/// Texts from one word to far beyond the limit, in no order of length.
fn mixed_texts(count: usize) -> Vec<String> {
    let words =
        ["Elke", "gegevensset", "heeft", "precies", "één", "owner", "and", "an", "address", "(ADR-0012)"];
    (0..count)
        .map(|index| {
            let length = 1 + (index * 37) % 90 + if index % 13 == 0 { 250 } else { 0 };
            (0..length).map(|at| words[(index * 7 + at * 3) % words.len()]).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[test]
fn gives_the_reference_vectors_with_every_set_of_instructions() {
    #[derive(serde::Deserialize)]
    struct Reference {
        text: String,
        vector: Vec<f32>,
    }
    for (edition, folder) in editions() {
        let reference: Vec<Reference> =
            serde_json::from_slice(&fs::read(folder.join("reference.json")).unwrap()).unwrap();
        assert!(!reference.is_empty());
        let texts: Vec<String> = reference.iter().map(|expected| expected.text.clone()).collect();
        for instructions in Instructions::available() {
            let embedder = BuiltInEmbedder::open_with(edition, &folder, instructions).unwrap();
            let vectors = embedder.embed_blocking(&texts).unwrap();
            assert_eq!(vectors.len(), reference.len());
            for (found, expected) in vectors.iter().zip(&reference) {
                assert_eq!(found.len(), embedder.dimensions());
                let furthest =
                    found.iter().zip(&expected.vector).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(
                    furthest < 1e-3,
                    "{}: {:?} is {furthest} off with {} lanes",
                    edition.folder,
                    expected.text,
                    instructions.lanes()
                );
            }
        }
    }
}

#[test]
fn every_edition_has_a_fingerprint_of_its_own() {
    assert_ne!(FIRST.fingerprint(), SECOND.fingerprint());
}

#[test]
fn a_vector_does_not_depend_on_what_it_was_batched_with() {
    let texts = mixed_texts(60);
    let together = embedder().embed_blocking(&texts).unwrap();
    let mut sorted: Vec<usize> = (0..texts.len()).collect();
    sorted.sort_by_key(|index| texts[*index].len());
    let in_other_order: Vec<String> = sorted.iter().map(|index| texts[*index].clone()).collect();
    let in_other_order = embedder().embed_blocking(&in_other_order).unwrap();
    for (place, index) in sorted.into_iter().enumerate() {
        assert!(together[index] == in_other_order[place], "text {index} changed with its neighbours");
    }
    for index in [0, 1, 13, 41] {
        assert!(together[index] == embed(&texts[index]), "text {index} is another alone than in a batch");
    }
}

#[test]
fn a_text_without_words_has_a_vector_of_length_one() {
    let empty = embed("");
    let length = empty.iter().map(|number| number * number).sum::<f32>().sqrt();
    assert!((length - 1.0).abs() < 1e-5, "length {length}");
    assert_eq!(empty, embed(" \n\t"), "white space is no word either");
    assert!(embedder().embed_blocking(&[]).unwrap().is_empty());
}

#[test]
fn what_comes_after_256_tokens_is_not_read() {
    // "data" is one token; two of the 256 are the special ones.
    let read = "data ".repeat(254);
    let full = embed(&read);
    assert_eq!(full, embed(&format!("{read} {}", "harbour ".repeat(4_000))));
    assert_ne!(full, embed(&format!("{} harbour", "data ".repeat(253))), "the last token that fits counts");
}

#[test]
fn a_sentence_and_its_translation_are_near_and_another_is_not() {
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let english = embed("Every data set has exactly one owner.");
    let dutch = embed("Elke gegevensset heeft precies één eigenaar.");
    let other = embed("The harbour was built in 1870.");
    assert!(cosine(&english, &dutch) > 0.8, "the model was taught Dutch");
    assert!(cosine(&english, &other) < 0.3);
}

#[test]
fn a_missing_file_is_named_when_opening() {
    let empty = tempfile::tempdir().unwrap();
    let problem = BuiltInEmbedder::open(&FIRST, empty.path()).unwrap_err();
    assert_dutch(&problem.detail().text(Language::NL));
    let message = problem.to_string();
    assert!(message.contains("model.safetensors"), "{message}");
    assert!(message.contains(&empty.path().display().to_string()), "{message}");
}

#[test]
fn altered_weights_are_refused_at_first_use_and_restored_ones_work() {
    let copy = tempfile::tempdir().unwrap();
    for name in ["tokenizer.json", "config.json"] {
        fs::copy(folder().join(name), copy.path().join(name)).unwrap();
    }
    let weights = copy.path().join("model.safetensors");
    fs::write(&weights, b"abc").unwrap();
    let embedder = BuiltInEmbedder::open(&FIRST, copy.path()).unwrap();
    assert_eq!(embedder.fingerprint().len(), 16, "known without reading the weights");
    let texts = ["retention".to_owned()];
    let problem = embedder.embed_blocking(&texts).unwrap_err();
    assert_dutch(&problem.detail().text(Language::NL));
    let message = problem.to_string();
    // The sha256 of "abc", from the standard.
    for needed in [
        "model.safetensors",
        FIRST.weights.sha256,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "install Plumbline again",
    ] {
        assert!(message.contains(needed), "{needed} is not in: {message}");
    }
    fs::copy(folder().join("model.safetensors"), &weights).unwrap();
    assert_eq!(embedder.embed_blocking(&texts).unwrap().len(), 1, "a failure is not kept");
}

#[test]
fn the_model_cards_name_the_hashes_that_are_checked() {
    for (edition, folder) in editions() {
        let card = fs::read_to_string(folder.join("README.md")).unwrap();
        for file in edition.files() {
            let line = card.lines().find(|line| line.contains(&format!("`{}`", file.name))).unwrap();
            assert!(line.contains(file.sha256), "{line}");
        }
    }
}

#[test]
fn one_text_gets_in_between_the_pieces_of_a_batch() {
    // One thread for blocking work: if the batch kept it to its end, the question would have to come last.
    let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    let finished = Mutex::new(Vec::new());
    let batch: Vec<String> = (0..4 * PIECE_TEXTS).map(|index| format!("record {index}")).collect();
    let question = ["who owns it?".to_owned()];
    runtime.block_on(async {
        let long = async {
            assert_eq!(embedder().embed(&batch).await.unwrap().len(), batch.len());
            finished.lock().unwrap().push("batch");
        };
        let urgent = async {
            embedder().embed(&question).await.unwrap();
            finished.lock().unwrap().push("question");
        };
        // Polled in this order, so the batch is on its way when the question comes.
        tokio::join!(biased; long, urgent)
    });
    assert_eq!(finished.into_inner().unwrap(), ["question", "batch"]);
}

#[tokio::test]
async fn a_batch_of_several_pieces_comes_back_in_order() {
    let mut texts = vec!["the same".to_owned(); PIECE_TEXTS];
    texts.push("another".to_owned());
    let vectors = embedder().embed(&texts).await.unwrap();
    assert_eq!(vectors.len(), texts.len());
    assert_eq!(vectors[PIECE_TEXTS - 1], embed("the same"));
    assert_eq!(vectors[PIECE_TEXTS], embed("another"));
}

#[tokio::test]
async fn through_the_port_a_failure_says_what_to_do() {
    let copy = tempfile::tempdir().unwrap();
    for file in FIRST.files() {
        fs::write(copy.path().join(file.name), b"abc").unwrap();
    }
    let embedder = BuiltInEmbedder::open(&FIRST, copy.path()).unwrap();
    assert_eq!(embedder.family(), EmbedderFamily::Local);
    let error = embedder.embed(&["retention".to_owned()]).await.unwrap_err();
    assert!(error.to_string().contains("install Plumbline again"), "{error}");
    let told = error.detail().text(Language::NL);
    assert!(told.contains("installeer Plumbline opnieuw"), "{told}");
    assert_dutch(&told);
}
