//! What reading in place costs, measured: made-up passages with vectors in topics, 30 ms added to every request.
//!
//! `cargo test --workspace --test team -- --ignored --nocapture in_place_at_100_000`; `PLUMBLINE_IN_PLACE_PASSAGES` says how many.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use plumbline_core::domain::{CosineScale, EmbedderFamily, Language};
use plumbline_core::ports::{Embedder, Hit, Index, LexicalQuery, PortError, Scope};
use plumbline_library::{EmbedderKey, IndexOptions, Indexer, Library, ReaderOptions, VectorIndexRules};
use plumbline_team::{Entry, Remote, Store, StoreProblem};
use plumbline_telemetry::{SystemClock, sha256_hex};
use plumbline_testkit::prng::Prng;
use tokio_util::sync::CancellationToken;

use crate::in_place::{ROOM, opened};
use crate::support::{Desk, RUNTIME, Shared, number_or};

const PASSAGES: &str = "PLUMBLINE_IN_PLACE_PASSAGES";
const DIMENSIONS: usize = 384;
const TOPICS: usize = 500;
const WORDS: usize = 20_000;
const SECTIONS: usize = 10;
const DOCUMENTS_AT_ONCE: usize = 100;
const QUESTIONS: usize = 20;
/// As many candidates as the engine asks of a lane.
const LIMIT: usize = 15;
const DELAY: Duration = Duration::from_millis(30);

/// A store that takes a while for each request.
struct Slow(Arc<dyn Store>);

#[async_trait]
impl Store for Slow {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        tokio::time::sleep(DELAY).await;
        self.0.list(beginning).await
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
        tokio::time::sleep(DELAY).await;
        self.0.get(name).await
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
        self.0.put(name, bytes).await
    }

    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
        self.0.put_new(name, bytes).await
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        self.0.delete(name).await
    }
}

/// Vectors that lie around that of the topic a text is of.
struct Topics;

#[async_trait]
impl Embedder for Topics {
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError> {
        Ok(texts.iter().map(|text| vector_of(text)).collect())
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Local
    }
}

fn values(seed: u64) -> Vec<f32> {
    let mut chance = Prng::new(seed);
    (0..DIMENSIONS).map(|_| chance.below(2_001) as f32 / 1_000.0 - 1.0).collect()
}

fn vector_of(text: &str) -> Vec<f32> {
    let topic = text.split("topic").nth(1).and_then(|rest| rest.split_whitespace().next());
    let topic: u64 = topic.and_then(|number| number.parse().ok()).unwrap_or_default();
    let own = u64::from_str_radix(&sha256_hex(text)[..16], 16).unwrap();
    let mixed: Vec<f32> = values(topic).iter().zip(values(own)).map(|(a, b)| a + 0.8 * b).collect();
    let length = mixed.iter().map(|value| value * value).sum::<f32>().sqrt();
    mixed.iter().map(|value| value / length).collect()
}

/// Rank `n` is drawn in proportion to `1/n`.
fn words(chance: &mut Prng, count: usize) -> String {
    let word = |chance: &mut Prng| (WORDS as f64).powf(chance.below(1_000_000) as f64 / 1e6) as usize;
    (0..count).map(|_| format!("word{}", word(chance))).collect::<Vec<_>>().join(" ")
}

/// A document of some topics, a passage for each section.
fn document(number: u64) -> String {
    let mut chance = Prng::new(number);
    let topic = chance.below(TOPICS);
    let mut text = format!("# {number} {}\n\n", words(&mut chance, 3));
    for section in 0..SECTIONS {
        // Most of a document is about one thing.
        let topic = if section % 4 == 3 { chance.below(TOPICS) } else { topic };
        // As code, so that it is not read for what it states, which takes longer than all the rest.
        let said = format!("topic{topic} {}", words(&mut chance, 110));
        text += &format!("## Section {section}\n\n```\n{said}\n```\n\n");
    }
    text
}

fn key() -> EmbedderKey {
    EmbedderKey { family: EmbedderFamily::Local, fingerprint: "f1".to_owned(), scale: CosineScale::PLAIN }
}

/// A library of so many passages at least.
fn write(desk: &Desk, passages: usize) -> u64 {
    let options = IndexOptions {
        embedder: Some((Arc::new(Topics), key())),
        meanwhile: None,
        reader: ReaderOptions::default(),
        clock: Arc::new(SystemClock),
    };
    let mut indexer = Indexer::open(&desk.workspace(), options, RUNTIME.handle().clone()).unwrap();
    indexer.add(&[desk.docs()]).unwrap();
    // The publisher's own index is not what is measured, and its whole table says which passages are nearest.
    indexer.index_vectors_by(VectorIndexRules { from_rows: usize::MAX, ..VectorIndexRules::default() });
    let mut next = 0;
    loop {
        let until = (next + DOCUMENTS_AT_ONCE).max(passages / SECTIONS);
        for number in next..until {
            desk.write(&format!("{:03}/{number:06}.md", number / 200), &document(number as u64));
        }
        next = until;
        let report = indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
        if report.chunks >= passages as u64 {
            return report.chunks;
        }
    }
}

/// A question: its words, and its vector.
fn question(number: usize) -> (String, Vec<f32>) {
    let mut chance = Prng::new(1_000_000 + number as u64);
    let text = format!("topic{} {}", chance.below(TOPICS), words(&mut chance, 6));
    let vector = vector_of(&text);
    (text, vector)
}

/// Both lanes side by side, as the engine runs them.
fn ask(library: &Library, number: usize) -> (Vec<Hit>, Vec<Hit>) {
    let (text, vector) = question(number);
    let (query, scope) = (LexicalQuery { text, language: Language::EN }, Scope::default());
    RUNTIME.block_on(async {
        let dense = library.dense(&vector, &scope, LIMIT);
        let lexical = library.lexical(&query, Some(&vector), &scope, LIMIT);
        let (dense, lexical) = tokio::join!(dense, lexical);
        (dense.unwrap(), lexical.unwrap())
    })
}

/// Asks questions and tells what they took: the first, and the middle and the worst of the others.
fn asked(library: &Library, remote: &Remote, questions: std::ops::Range<usize>, what: &str) {
    let mut took: Vec<(f64, u64, f64)> = Vec::new();
    for number in questions {
        let (before, began) = (remote.traffic(), Instant::now());
        let (dense, lexical) = ask(library, number);
        assert!(!dense.is_empty() && !lexical.is_empty(), "question {number} finds something");
        let after = remote.traffic();
        let megabytes = (after.bytes_pulled - before.bytes_pulled) as f64 / 1e6;
        took.push((began.elapsed().as_secs_f64() * 1e3, after.requests - before.requests, megabytes));
    }
    let first = took.remove(0);
    let middle = |of: fn(&(f64, u64, f64)) -> f64| {
        let mut all: Vec<f64> = took.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        (all[all.len() / 2], all[all.len() - 1])
    };
    let ((ms, worst), (requests, _), (megabytes, _)) =
        (middle(|one| one.0), middle(|one| one.1 as f64), middle(|one| one.2));
    println!(
        "  {what:<34} first {:>6.0} ms, {:>4} requests, {:>5.1} MB; later {ms:>5.0} ms (worst {worst:>5.0}), {requests:>4.0} requests, {megabytes:>5.1} MB",
        first.0, first.1, first.2
    );
}

fn size_of(folder: &Path, kind: &str) -> f64 {
    let bytes = |shelf: std::fs::DirEntry| plumbline_library::bytes_of(&shelf.path().join(kind));
    std::fs::read_dir(folder).unwrap().map(|shelf| bytes(shelf.unwrap())).sum::<u64>() as f64 / 1e6
}

#[test]
#[ignore = "makes a library of 100,000 passages and measures: minutes"]
fn in_place_at_100_000_passages() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    let passages = write(&publisher, number_or(PASSAGES, 100_000));
    let began = Instant::now();
    publisher.publish_in_place(&shared.remote(), false).unwrap();
    println!("{passages} passages, published in {:.0} s", began.elapsed().as_secs_f64());
    for kind in ["parts", "outlines", "listings", "pieces"] {
        println!("  {kind:<10} {:>8.1} MB", size_of(&shared.path("shelves"), kind));
    }
    let reader = Desk::new();
    let remote = Arc::new(shared.through(Arc::new(Slow(shared.store()))));
    reader.subscribe_as(&remote, true).unwrap();
    println!("  followed: {:?}", remote.traffic());
    let pieces = reader.workspace().join("library/pieces");
    let library = opened(&reader, &remote, ROOM);
    asked(&library, &remote, 0..QUESTIONS, "questions, nothing kept yet");
    asked(&library, &remote, QUESTIONS..2 * QUESTIONS, "others after them");
    asked(&library, &remote, 0..QUESTIONS, "the first ones again");
    println!("  kept on disk: {:.1} MB", plumbline_library::bytes_of(&pieces) as f64 / 1e6);
    drop(library);
    let library = opened(&reader, &remote, ROOM);
    asked(&library, &remote, 2 * QUESTIONS..3 * QUESTIONS, "others, by the next program");
    drop(library);
    std::fs::remove_dir_all(&pieces).unwrap();
    let library = opened(&reader, &remote, 1);
    asked(&library, &remote, 0..QUESTIONS, "questions without the cache");
    let here = RUNTIME.block_on(Library::open(&publisher.workspace(), Some(key()))).unwrap().unwrap();
    let (mut same, mut all) = (0, 0);
    for number in 0..QUESTIONS {
        let ((dense, lexical), (dense_here, lexical_here)) = (ask(&library, number), ask(&here, number));
        let texts = |hits: &[Hit]| hits.iter().map(|hit| hit.chunk.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&lexical), texts(&lexical_here), "words are found as on disk");
        let found = texts(&dense);
        same += texts(&dense_here).iter().take(10).filter(|text| found.contains(text)).count();
        all += dense_here.len().min(10);
    }
    println!("  of the ten nearest on disk, found in place: {:.3}", same as f64 / all as f64);
    assert!(same * 10 >= all * 9, "the index over vectors that were shortened finds nearly all of them");
}
