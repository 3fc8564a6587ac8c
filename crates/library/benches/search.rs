//! What's measured: one question over a library of 10,000 and of 100,000 passages, the vector given and no rewrites. Hybrid is
//! the dense and the lexical lane side by side, as the engine runs them; its peers, in the same run and over the same files,
//! are LanceDB and tantivy asked directly, of which the slower counts. Beside it: the same with a filter by access tag, the
//! passages a second that indexing without an embedder writes, and the memory at its highest.
//!
//! The corpus is made up: words drawn by Zipf's law, random unit vectors. `PLUMBLINE_BENCH_CHUNKS=10000` measures one size.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use plumbline_core::domain::{DocumentId, EmbedderFamily, Language};
use plumbline_core::ports::{Embedder, Index, LexicalQuery, PortError, Scope};
use plumbline_library::{EmbedderKey, IndexOptions, Indexer, Library, PlainDocument, ReaderOptions};
use plumbline_telemetry::{SystemClock, sha256_hex};
use plumbline_testkit::prng::Prng;
use tantivy::Term;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tokio_util::sync::CancellationToken;

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

fn documents(count: usize) -> Vec<PlainDocument> {
    let mut chance = Prng::new(1);
    (0..count)
        .map(|number| PlainDocument {
            id: DocumentId::new(format!("doc-{number:07}")).unwrap(),
            title: words(&mut chance, 4),
            text: format!("{}.", words(&mut chance, 80)),
            // A tenth of the library is restricted.
            access_tags: if number % 10 == 0 { vec!["board".to_owned()] } else { Vec::new() },
        })
        .collect()
}

fn options(embedder: bool) -> IndexOptions {
    let embedder: Option<(Arc<dyn Embedder>, EmbedderKey)> =
        embedder.then(|| (Arc::new(HashEmbedder) as Arc<dyn Embedder>, key()));
    IndexOptions { embedder, reader: ReaderOptions::default(), clock: Arc::new(SystemClock) }
}

fn key() -> EmbedderKey {
    EmbedderKey { family: EmbedderFamily::Local, fingerprint: "bench".to_owned() }
}

struct Times(Vec<Duration>);

impl Times {
    fn of(count: usize, mut once: impl FnMut(usize)) -> Self {
        once(0);
        let mut times: Vec<Duration> = (0..count)
            .map(|at| {
                let began = Instant::now();
                once(at);
                began.elapsed()
            })
            .collect();
        times.sort();
        Self(times)
    }

    fn at(&self, share: f64) -> f64 {
        self.0[((self.0.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1e3
    }
}

fn main() {
    let sizes: Vec<usize> = match std::env::var("PLUMBLINE_BENCH_CHUNKS") {
        Ok(size) => vec![size.parse().unwrap()],
        Err(_) => vec![10_000, 100_000],
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for size in sizes {
        println!("{size} passages");
        let folder = tempfile::tempdir().unwrap();
        let began = Instant::now();
        let plain = folder.path().join("plain");
        let mut indexer = Indexer::open(&plain, options(false), runtime.handle().clone()).unwrap();
        indexer.write_texts(documents(size), &CancellationToken::new(), &|_| {}).unwrap();
        drop(indexer);
        println!(
            "  indexing without embedding  {:>8.0} passages/s",
            size as f64 / began.elapsed().as_secs_f64()
        );
        let workspace = folder.path().join("embedded");
        let mut indexer = Indexer::open(&workspace, options(true), runtime.handle().clone()).unwrap();
        indexer.write_texts(documents(size), &CancellationToken::new(), &|_| {}).unwrap();
        drop(indexer);
        searches(&runtime, &workspace);
        println!("  memory at its highest       {:>8.0} MB", peak_memory().unwrap_or(f64::NAN));
    }
}

fn searches(runtime: &tokio::runtime::Runtime, workspace: &Path) {
    let library = runtime.block_on(Library::open(workspace, Some(key()))).unwrap().unwrap();
    let mut chance = Prng::new(9);
    let questions: Vec<(String, Vec<f32>)> = (0..QUESTIONS)
        .map(|_| {
            let text = words(&mut chance, 6);
            let vector = unit_vector(&text);
            (text, vector)
        })
        .collect();
    let hybrid = |scope: &Scope| {
        Times::of(QUESTIONS, |at| {
            let (text, vector) = &questions[at];
            let query = LexicalQuery { text: text.clone(), language: Language::En };
            let found = runtime.block_on(async {
                tokio::join!(
                    library.dense(vector, scope, LIMIT),
                    library.lexical(&query, Some(vector), scope, LIMIT)
                )
            });
            assert!(!found.0.unwrap().is_empty() && !found.1.unwrap().is_empty());
        })
    };
    // Who holds the tag sees everything, so nothing is filtered for them.
    let ours = hybrid(&Scope { user_tags: vec!["board".to_owned()], ..Scope::default() });
    let filtered = hybrid(&Scope::default());
    let lance = raw_lance(runtime, workspace, &questions);
    let tantivy = raw_tantivy(workspace, &questions);
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

fn raw_lance(runtime: &tokio::runtime::Runtime, workspace: &Path, questions: &[(String, Vec<f32>)]) -> Times {
    let folder = workspace.join("library/vectors");
    let table = runtime.block_on(async {
        let connection = lancedb::connect(&folder.to_string_lossy()).execute().await.unwrap();
        let name = connection.table_names().execute().await.unwrap().remove(0);
        connection.open_table(name).execute().await.unwrap()
    });
    Times::of(questions.len(), |at| {
        let found: Vec<_> = runtime.block_on(async {
            let query = table.query().nearest_to(questions[at].1.as_slice()).unwrap();
            let query = query.distance_type(lancedb::DistanceType::Dot).limit(LIMIT);
            query
                .select(Select::columns(&["key", "_distance"]))
                .execute()
                .await
                .unwrap()
                .try_collect()
                .await
                .unwrap()
        });
        assert!(!found.is_empty());
    })
}

fn raw_tantivy(workspace: &Path, questions: &[(String, Vec<f32>)]) -> Times {
    let index = tantivy::Index::open_in_dir(workspace.join("library/text")).unwrap();
    let body = index.schema().get_field("body").unwrap();
    let searcher = index.reader().unwrap().searcher();
    Times::of(questions.len(), |at| {
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

/// The most that this process has held, in megabytes, where the system says.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}
