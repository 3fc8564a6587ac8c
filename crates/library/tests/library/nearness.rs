//! The index over vectors: it finds what reading every vector finds, at once what was added since, and nothing that is hidden.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::domain::{CosineScale, DocumentId, EmbedderFamily};
use plumbline_core::ports::{Embedder, Index, PortError, Scope};
use plumbline_library::{
    EmbedderKey, IndexOptions, Indexer, Library, PlainDocument, ReaderOptions, VectorIndexRules,
};
use plumbline_telemetry::{SystemClock, sha256_hex};
use plumbline_testkit::prng::Prng;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const DIMENSIONS: usize = 48;
const TOPICS: u64 = 60;
const PASSAGES: usize = 2_000;
const QUESTIONS: usize = 40;
const NEAREST: usize = 10;
/// One over vectors, and two over what filters ask for.
const INDEXES: usize = 3;
/// 62 parts at first, of which a search reads the 32 nearest.
const RULES: VectorIndexRules =
    VectorIndexRules { from_rows: 1_000, rows_per_part: 32, audience_from_rows: 1_000 };

/// Texts lie in clusters: each near the centre of a topic that its hash names, and off it in a direction of its own.
struct Clusters;

#[async_trait]
impl Embedder for Clusters {
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Local
    }
}

fn vector(text: &str) -> Vec<f32> {
    let seed = u64::from_str_radix(&sha256_hex(text)[..16], 16).unwrap();
    let (mut centre, mut own) = (Prng::new(seed % TOPICS), Prng::new(seed));
    let part = |chance: &mut Prng| chance.below(2_001) as f32 / 1_000.0 - 1.0;
    let values: Vec<f32> = (0..DIMENSIONS).map(|_| part(&mut centre) + 0.7 * part(&mut own)).collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| value / length).collect()
}

fn key() -> EmbedderKey {
    EmbedderKey {
        family: EmbedderFamily::Local,
        fingerprint: "clusters".to_owned(),
        scale: CosineScale::PLAIN,
    }
}

fn text_of(number: usize) -> String {
    format!("Passage {number} tells of matter {}.", number * 7)
}

/// A third is for the board alone.
fn is_restricted(number: usize) -> bool {
    number.is_multiple_of(3)
}

fn write(runtime: &Runtime, workspace: &Path, numbers: std::ops::Range<usize>) {
    let options = IndexOptions {
        embedder: Some((Arc::new(Clusters), key())),
        meanwhile: None,
        reader: ReaderOptions::default(),
        clock: Arc::new(SystemClock),
    };
    let document = |number: usize| PlainDocument {
        id: DocumentId::new(format!("doc-{number:05}")).unwrap(),
        title: String::new(),
        text: text_of(number),
        access_tags: if is_restricted(number) { vec!["board".to_owned()] } else { Vec::new() },
    };
    let mut indexer = Indexer::open(workspace, options, runtime.handle().clone()).unwrap();
    indexer.index_vectors_by(RULES);
    indexer.write_texts(numbers.map(document).collect(), &CancellationToken::new(), &|_| {}).unwrap();
}

fn found(runtime: &Runtime, library: &Library, question: &[f32], scope: &Scope) -> BTreeSet<String> {
    let hits = runtime.block_on(library.dense(question, scope, NEAREST)).unwrap();
    hits.iter().map(|hit| hit.chunk.document.id.to_string()).collect()
}

/// What reading all vectors finds.
fn truly_nearest(question: &[f32], stored: &[Vec<f32>], sees: impl Fn(usize) -> bool) -> BTreeSet<String> {
    let cosine = |vector: &[f32]| -> f32 { question.iter().zip(vector).map(|(a, b)| a * b).sum() };
    let visible = stored.iter().enumerate().filter(|(number, _)| sees(*number));
    let mut all: Vec<(f32, usize)> = visible.map(|(number, vector)| (cosine(vector), number)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.iter().take(NEAREST).map(|(_, number)| format!("doc-{number:05}")).collect()
}

/// The share of the truly nearest that is found, for who sees everything and for who does not.
fn recalls(runtime: &Runtime, library: &Library, passages: usize) -> (f64, f64) {
    let stored: Vec<Vec<f32>> = (0..passages).map(|number| vector(&text_of(number))).collect();
    let (board, everyone) =
        (Scope { user_tags: vec!["board".to_owned()], ..Scope::default() }, Scope::default());
    let (mut all, mut visible) = (0, 0);
    for number in 0..QUESTIONS {
        let question = vector(&format!("Question {number}"));
        let nearest = truly_nearest(&question, &stored, |_| true);
        all += found(runtime, library, &question, &board).intersection(&nearest).count();
        let seen = found(runtime, library, &question, &everyone);
        let hidden = |id: &String| is_restricted(id.trim_start_matches("doc-").parse().unwrap());
        assert!(!seen.iter().any(hidden), "what may not be seen is never found: {seen:?}");
        assert_eq!(seen.len(), NEAREST, "and does not take the place of what may");
        let nearest = truly_nearest(&question, &stored, |number| !is_restricted(number));
        visible += seen.intersection(&nearest).count();
    }
    let share = |count: usize| count as f64 / (QUESTIONS * NEAREST) as f64;
    (share(all), share(visible))
}

/// How many indexes lie on disk.
fn indexes(workspace: &Path) -> usize {
    let tables = std::fs::read_dir(workspace.join("library/vectors")).unwrap();
    let folders = tables.filter_map(|table| std::fs::read_dir(table.unwrap().path().join("_indices")).ok());
    folders.flatten().count()
}

#[test]
fn the_index_finds_what_reading_every_vector_finds() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path();
    write(&runtime, workspace, 0..PASSAGES);
    assert_eq!(indexes(workspace), INDEXES, "there is an index, and no old one beside it");
    let library = runtime.block_on(Library::open(workspace, Some(key()))).unwrap().unwrap();
    // A tenth more lies outside the index; twice as many have a new one.
    let sizes = [PASSAGES, PASSAGES + PASSAGES / 10, 2 * PASSAGES];
    for (before, passages) in std::iter::once(PASSAGES).chain(sizes).zip(sizes) {
        write(&runtime, workspace, before..passages);
        let (all, visible) = recalls(&runtime, &library, passages);
        assert!(
            all >= 0.98 && visible >= 0.98,
            "of {passages} passages: recall@10 {all}, filtered {visible}"
        );
    }
    runtime.block_on(library.check()).unwrap();
    drop(library);
    write(&runtime, workspace, 2 * PASSAGES..2 * PASSAGES + 1);
    assert_eq!(indexes(workspace), INDEXES, "an index that nobody reads any more is thrown away");
}
