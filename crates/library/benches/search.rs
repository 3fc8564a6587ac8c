//! What's measured: one question over a library of 10,000 and of 100,000 passages, the vector given and no rewrites. Hybrid is
//! the dense and the lexical lane side by side, as the engine runs them; its peers, in the same run and over the same files,
//! are LanceDB and tantivy asked directly, of which the slower counts. They take turns, question by question, so that other
//! work on the machine weighs on each alike. Beside it: the same with a filter by access tag, the passages a second that
//! indexing writes, the memory at its highest, how long opening takes and what lies on disk. Indexing and searching run in
//! processes of their own.
//!
//! The corpus is made up: words drawn by Zipf's law, random unit vectors. `PLUMBLINE_BENCH_CHUNKS=10000` measures one size.
//!
//! `cargo bench -p plumbline-library --bench search`
#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use plumbline_core::domain::{CosineScale, DocumentId, EmbedderFamily, Language};
use plumbline_core::ports::{Embedder, Index, LexicalQuery, PortError, Scope};
use plumbline_library::{EmbedderKey, IndexOptions, Indexer, Library, PlainDocument, ReaderOptions};
use plumbline_telemetry::{SystemClock, sha256_hex};
use plumbline_testkit::prng::Prng;
use tantivy::Term;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

// Each bench uses a part of it.
#[allow(dead_code)]
#[path = "support/process.rs"]
mod process;

/// What a process of its own is to do, and where.
const PHASE: &str = "PLUMBLINE_BENCH_PHASE";
const WORKSPACE: &str = "PLUMBLINE_BENCH_WORKSPACE";
/// So many documents are made and written at a time, so that the corpus itself takes no memory.
const PART: usize = 5_000;
/// Parts of the index over vectors that a search reads.
const PARTS_READ: usize = 32;
const DIMENSIONS: usize = 384;
const WORDS: usize = 20_000;
const QUESTIONS: usize = 60;
const LIMIT: usize = 15;

/// Vectors that depend on the text and on nothing else.
struct HashEmbedder;

#[async_trait]
impl Embedder for HashEmbedder {
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError> {
        Ok(texts.iter().map(|text| unit_vector(text)).collect())
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Local
    }
}

fn unit_vector(text: &str) -> Vec<f32> {
    let seed = u64::from_str_radix(&sha256_hex(text)[..16], 16).unwrap();
    let mut chance = Prng::new(seed);
    let values: Vec<f32> = (0..DIMENSIONS).map(|_| chance.below(2_001) as f32 / 1_000.0 - 1.0).collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| value / length).collect()
}

/// Rank `n` is drawn in proportion to `1/n`.
fn word(chance: &mut Prng) -> String {
    let place = (WORDS as f64).powf(chance.below(1_000_000) as f64 / 1e6);
    format!("word{}", place as usize)
}

fn words(chance: &mut Prng, count: usize) -> String {
    (0..count).map(|_| word(chance)).collect::<Vec<_>>().join(" ")
}

/// A part of the corpus; a tenth of it is restricted.
fn documents(numbers: Range<usize>) -> Vec<PlainDocument> {
    let mut chance = Prng::new(numbers.start as u64);
    numbers
        .map(|number| PlainDocument {
            id: DocumentId::new(format!("doc-{number:07}")).unwrap(),
            title: words(&mut chance, 4),
            text: format!("{}.", words(&mut chance, 80)),
            access_tags: if number % 10 == 0 { vec!["board".to_owned()] } else { Vec::new() },
        })
        .collect()
}

fn options(embedder: bool) -> IndexOptions {
    let embedder: Option<(Arc<dyn Embedder>, EmbedderKey)> =
        embedder.then(|| (Arc::new(HashEmbedder) as Arc<dyn Embedder>, key()));
    IndexOptions { embedder, meanwhile: None, reader: ReaderOptions::default(), clock: Arc::new(SystemClock) }
}

fn key() -> EmbedderKey {
    EmbedderKey { family: EmbedderFamily::Local, fingerprint: "bench".to_owned(), scale: CosineScale::PLAIN }
}

/// How long each question took, in milliseconds.
struct Times(Vec<f64>);

impl Times {
    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * share).round() as usize]
    }
}

type Ask<'a> = Box<dyn Fn(usize) + 'a>;

/// Asks every question in every way, the ways taking turns.
fn take_turns<const WAYS: usize>(ways: &[Ask<'_>; WAYS]) -> [Times; WAYS] {
    let mut times = [const { Times(Vec::new()) }; WAYS];
    ways.iter().for_each(|ask| ask(0));
    for question in 0..QUESTIONS {
        for (ask, times) in ways.iter().zip(&mut times) {
            let began = Instant::now();
            ask(question);
            times.0.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    times
}

fn main() {
    // `cargo test --benches` only asks whether it runs.
    let sizes: Vec<usize> = match std::env::var("PLUMBLINE_BENCH_CHUNKS") {
        Ok(size) => vec![size.parse().unwrap()],
        _ if !std::env::args().any(|argument| argument == "--bench") => vec![300],
        Err(_) => vec![10_000, 100_000],
    };
    if let (Ok(phase), Ok(workspace)) = (std::env::var(PHASE), std::env::var(WORKSPACE)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let workspace = Path::new(&workspace);
        match phase.as_str() {
            "search" => searches(&runtime, workspace),
            phase => index(&runtime, workspace, phase == "embed", sizes[0]),
        }
        return;
    }
    for size in sizes {
        println!("{size} passages");
        let folder = tempfile::tempdir().unwrap();
        for (phase, workspace) in [("write", "plain"), ("embed", "embedded"), ("search", "embedded")] {
            let status = Command::new(std::env::current_exe().unwrap())
                .env(PHASE, phase)
                .env(WORKSPACE, folder.path().join(workspace))
                .env("PLUMBLINE_BENCH_CHUNKS", size.to_string())
                .status();
            assert!(status.unwrap().success());
        }
    }
}

fn index(runtime: &Runtime, workspace: &Path, embedder: bool, size: usize) {
    let mut indexer = Indexer::open(workspace, options(embedder), runtime.handle().clone()).unwrap();
    let (mut seconds, mut processor) = (0.0, 0.0);
    for first in (0..size).step_by(PART) {
        let part = documents(first..size.min(first + PART));
        let (began, used) = (Instant::now(), process::processor_seconds());
        indexer.write_texts(part, &CancellationToken::new(), &|_| {}).unwrap();
        seconds += began.elapsed().as_secs_f64();
        processor += process::processor_seconds().unwrap_or(f64::NAN) - used.unwrap_or(f64::NAN);
    }
    println!(
        "  {:<27} {:>8.0} passages/s, {:.0} per s of processor time",
        if embedder { "indexing with vectors" } else { "indexing without embedding" },
        size as f64 / seconds,
        size as f64 / processor
    );
    print_peak("doing so");
}

fn print_peak(doing: &str) {
    let peak = process::peak_megabytes().unwrap_or(f64::NAN);
    println!("  most memory {doing:<15} {peak:>8.0} MB");
}

fn megabytes_in(folder: &Path) -> f64 {
    let files = walkdir::WalkDir::new(folder).into_iter().flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .filter(|file| file.is_file())
        .map(|file| file.len())
        .sum::<u64>() as f64
        / 1e6
}

fn searches(runtime: &Runtime, workspace: &Path) {
    let began = Instant::now();
    let library = runtime.block_on(Library::open(workspace, Some(key()))).unwrap().unwrap();
    println!("  opening                     {:>8.0} ms", began.elapsed().as_secs_f64() * 1e3);
    println!("  on disk                     {:>8.0} MB", megabytes_in(workspace));
    let mut chance = Prng::new(9);
    let questions: Vec<(String, Vec<f32>)> = (0..QUESTIONS)
        .map(|_| {
            let text = words(&mut chance, 6);
            let vector = unit_vector(&text);
            (text, vector)
        })
        .collect();
    let hybrid = |scope: Scope| -> Ask<'_> {
        let (questions, library) = (&questions, &library);
        Box::new(move |at| {
            let (text, vector) = &questions[at];
            let query = LexicalQuery { text: text.clone(), language: Language::EN };
            let found = runtime.block_on(async {
                tokio::join!(
                    library.dense(vector, &scope, LIMIT),
                    library.lexical(&query, Some(vector), &scope, LIMIT)
                )
            });
            assert!(!found.0.unwrap().is_empty() && !found.1.unwrap().is_empty());
        })
    };
    // Who holds the tag sees everything, so nothing is filtered for them.
    let sees_all = hybrid(Scope { user_tags: vec!["board".to_owned()], ..Scope::default() });
    let sees_some = hybrid(Scope::default());
    // The peers keep things in memory too, so ours is looked at before they begin.
    (0..QUESTIONS).for_each(&sees_all);
    (0..QUESTIONS).for_each(&sees_some);
    print_peak("searching");
    let [ours, filtered, lance, tantivy] = take_turns(&[
        sees_all,
        sees_some,
        raw_lance(runtime, workspace, &questions),
        raw_tantivy(workspace, &questions),
    ]);
    let row = |name: &str, times: &Times| {
        println!("  {name:<27} {:>8.2} ms p50 {:>8.2} ms p95", times.at(0.5), times.at(0.95));
    };
    row("hybrid", &ours);
    row("hybrid, filtered", &filtered);
    row("LanceDB alone", &lance);
    row("tantivy alone", &tantivy);
    let slower = if lance.at(0.5) > tantivy.at(0.5) { &lance } else { &tantivy };
    println!(
        "  hybrid to the slower peer   {:>8.2} p50 {:>8.2} p95   filtered to unfiltered {:.2} p50",
        ours.at(0.5) / slower.at(0.5),
        ours.at(0.95) / slower.at(0.95),
        filtered.at(0.5) / ours.at(0.5)
    );
}

/// As many parts of an index are read as the library reads; without one both read the table.
fn raw_lance<'a>(runtime: &'a Runtime, workspace: &Path, questions: &'a [(String, Vec<f32>)]) -> Ask<'a> {
    let folder = workspace.join("library/vectors");
    let table = runtime.block_on(async {
        let connection = lancedb::connect(&folder.to_string_lossy()).execute().await.unwrap();
        let name = connection.table_names().execute().await.unwrap().remove(0);
        connection.open_table(name).execute().await.unwrap()
    });
    Box::new(move |at| {
        let found: Vec<_> = runtime.block_on(async {
            let query = table.query().nearest_to(questions[at].1.as_slice()).unwrap();
            let query = query.minimum_nprobes(PARTS_READ).unwrap();
            let query = query.distance_type(lancedb::DistanceType::Dot).limit(LIMIT);
            let query = query.select(Select::columns(&["key", "_distance"]));
            query.execute().await.unwrap().try_collect().await.unwrap()
        });
        assert!(!found.is_empty());
    })
}

fn raw_tantivy<'a>(workspace: &Path, questions: &'a [(String, Vec<f32>)]) -> Ask<'a> {
    let index = tantivy::Index::open_in_dir(workspace.join("library/text")).unwrap();
    let body = index.schema().get_field("body").unwrap();
    let searcher = index.reader().unwrap().searcher();
    Box::new(move |at| {
        let terms = questions[at].0.split(' ').map(|word| {
            let term = Term::from_field_text(body, word);
            let query: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        });
        let query = BooleanQuery::new(terms.collect());
        let found = searcher.search(&query, &TopDocs::with_limit(LIMIT).order_by_score()).unwrap();
        assert!(!found.is_empty());
    })
}
