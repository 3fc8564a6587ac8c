//! What's measured: where an index over vectors begins to pay. For 10,000, 20,000, 50,000 and 100,000 rows of a LanceDB table as
//! the library writes them: the milliseconds, of the clock at the median and of processor time, for the 31 nearest to a
//! question, the share of the true ten nearest that is found, and the seconds and megabytes that the index takes. `whole` reads
//! the table; the others are LanceDB's indexes, reading so many parts. Filtered, a tenth of the rows is hidden.
//!
//! The vectors are made up: 384 dimensions, of which 48 carry meaning; 60 topics with 40 matters each; a passage lies near a
//! matter, with noise. Questions are made the same way. `PLUMBLINE_BENCH_CHUNKS=10000` measures one size.
//!
//! `cargo bench -p plumbline-library --bench vectors`; in the dev profile the indexes are not optimised and look too slow.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, FixedSizeListArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::Float32Type;
use futures::TryStreamExt;
use lancedb::index::Index;
use lancedb::index::vector::{IvfFlatIndexBuilder, IvfHnswSqIndexBuilder, IvfPqIndexBuilder};
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::{DistanceType, Table};
use plumbline_testkit::prng::Prng;
use tokio::runtime::Runtime;

// Each bench uses a part of it.
#[allow(dead_code)]
#[path = "support/process.rs"]
mod process;

const DIMENSIONS: usize = 384;
const MEANING: usize = 48;
const TOPICS: usize = 60;
const MATTERS: usize = 2_400;
const QUESTIONS: usize = 60;
const NEAREST: usize = 31;
const EVERY_PART: usize = 10_000;

/// Nearly normal: the sum of a few even draws.
fn normal(chance: &mut Prng) -> f32 {
    (0..4).map(|_| chance.below(2_001) as f32 / 1_000.0 - 1.0).sum::<f32>() * 0.87
}

fn normals(chance: &mut Prng, count: usize) -> Vec<f32> {
    (0..count).map(|_| normal(chance)).collect()
}

struct Space {
    matters: Vec<Vec<f32>>,
    /// How each dimension follows from the meaning.
    directions: Vec<Vec<f32>>,
}

impl Space {
    fn new() -> Self {
        let mut chance = Prng::new(7);
        let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| normals(&mut chance, MEANING)).collect();
        let matter = |number: usize, chance: &mut Prng| -> Vec<f32> {
            topics[number % TOPICS].iter().map(|value| value + 0.7 * normal(chance)).collect()
        };
        let matters = (0..MATTERS).map(|number| matter(number, &mut chance)).collect();
        let directions = (0..DIMENSIONS).map(|_| normals(&mut chance, MEANING)).collect();
        Self { matters, directions }
    }

    fn vector(&self, chance: &mut Prng) -> Vec<f32> {
        let matter = chance.pick(&self.matters).clone();
        let meaning: Vec<f32> = matter.iter().map(|value| value + 0.6 * normal(chance)).collect();
        let dimension = |direction: &Vec<f32>| {
            let meant: f32 = direction.iter().zip(&meaning).map(|(a, b)| a * b).sum();
            meant + 1.5 * normal(chance)
        };
        let values: Vec<f32> = self.directions.iter().map(dimension).collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.iter().map(|value| value / length).collect()
    }
}

fn table(runtime: &Runtime, folder: &Path, space: &Space, rows: usize) -> Table {
    let mut chance = Prng::new(1);
    let mut batches = (0..rows).step_by(2_000).map(|first| {
        let keys = first..rows.min(first + 2_000);
        let vectors =
            keys.clone().map(|_| Some(space.vector(&mut chance).into_iter().map(Some).collect::<Vec<_>>()));
        let vectors =
            FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(vectors, DIMENSIONS as i32);
        let tags = keys.clone().map(|key| if key % 10 == 0 { "board" } else { "" });
        let text = keys.clone().map(|_| "What a passage says takes room beside its vector. ".repeat(12));
        let columns: [(&str, ArrayRef); 4] = [
            ("key", Arc::new(Int64Array::from_iter_values(keys.clone().map(|key| key as i64)))),
            ("access_tags", Arc::new(StringArray::from_iter_values(tags))),
            ("text", Arc::new(StringArray::from_iter_values(text))),
            ("vector", Arc::new(vectors)),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    });
    runtime.block_on(async {
        let connection = lancedb::connect(&folder.to_string_lossy()).execute().await.unwrap();
        let table = connection.create_table("passages", batches.next().unwrap()).execute().await.unwrap();
        for batch in batches {
            table.add(batch).execute().await.unwrap();
        }
        table.optimize(lancedb::table::OptimizeAction::default()).await.unwrap();
        table
    })
}

/// How the table is asked.
#[derive(Clone, Copy)]
struct Way {
    /// None where the whole table is read.
    parts: Option<usize>,
    /// How many times more than asked for are read again in full.
    refine: Option<u32>,
    filtered: bool,
}

async fn nearest(table: &Table, question: &[f32], way: Way) -> Vec<i64> {
    let mut query = table.query().nearest_to(question).unwrap().distance_type(DistanceType::Dot);
    query = match way.parts {
        None => query.bypass_vector_index(),
        Some(parts) => query.nprobes(parts).unwrap(),
    };
    if let Some(refine) = way.refine {
        query = query.refine_factor(refine);
    }
    if way.filtered {
        query = query.only_if("access_tags IN ('')");
    }
    let query = query.select(Select::columns(&["key", "_distance"])).limit(NEAREST);
    let found: Vec<RecordBatch> = query.execute().await.unwrap().try_collect().await.unwrap();
    let keys = |batch: &RecordBatch| -> Vec<i64> {
        let column = batch.column_by_name("key").unwrap();
        column.as_any().downcast_ref::<Int64Array>().unwrap().values().to_vec()
    };
    found.iter().flat_map(keys).collect()
}

/// What was found for each question, the median of the clock and the mean of processor time.
fn ask(runtime: &Runtime, table: &Table, questions: &[Vec<f32>], way: Way) -> (Vec<Vec<i64>>, f64, f64) {
    runtime.block_on(nearest(table, &questions[0], way));
    let used = process::processor_seconds().unwrap_or(f64::NAN);
    let asked: Vec<(Vec<i64>, f64)> = questions
        .iter()
        .map(|question| {
            let began = Instant::now();
            let found = runtime.block_on(nearest(table, question, way));
            (found, began.elapsed().as_secs_f64() * 1e3)
        })
        .collect();
    let used = process::processor_seconds().unwrap_or(f64::NAN) - used;
    let mut times: Vec<f64> = asked.iter().map(|(_, time)| *time).collect();
    times.sort_by(f64::total_cmp);
    let found = asked.into_iter().map(|(found, _)| found).collect();
    (found, times[times.len() / 2], used * 1e3 / questions.len() as f64)
}

fn recall(found: &[Vec<i64>], true_ones: &[Vec<i64>]) -> f64 {
    let ten = |keys: &Vec<i64>| keys.iter().take(10).copied().collect::<BTreeSet<i64>>();
    let hits: usize = found.iter().zip(true_ones).map(|(a, b)| ten(a).intersection(&ten(b)).count()).sum();
    hits as f64 / (10 * found.len()) as f64
}

fn main() {
    // `cargo test --benches` only asks whether it runs.
    let sizes = match std::env::var("PLUMBLINE_BENCH_CHUNKS") {
        _ if !std::env::args().any(|argument| argument == "--bench") => vec![500],
        Ok(size) => vec![size.parse().unwrap()],
        Err(_) => vec![10_000, 20_000, 50_000, 100_000],
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let space = Space::new();
    for rows in sizes {
        let folder = tempfile::tempdir().unwrap();
        let table = table(&runtime, folder.path(), &space, rows);
        let mut chance = Prng::new(2);
        let questions: Vec<Vec<f32>> = (0..QUESTIONS).map(|_| space.vector(&mut chance)).collect();
        println!("{rows} rows: ms p50 · ms of processor time · recall@10, and filtered");
        let whole = |filtered| ask(&runtime, &table, &questions, Way { parts: None, refine: None, filtered });
        let (all, visible) = (whole(false), whole(true));
        let row = |name: String, open: &(Vec<Vec<i64>>, f64, f64), filtered: &(Vec<Vec<i64>>, f64, f64)| {
            println!(
                "  {name:<28} {:>7.1} · {:>6.1} · {:.3}   {:>7.1} · {:>6.1} · {:.3}",
                open.1,
                open.2,
                recall(&open.0, &all.0),
                filtered.1,
                filtered.2,
                recall(&filtered.0, &visible.0)
            );
        };
        row("whole".to_owned(), &all, &visible);
        let dot = DistanceType::Dot;
        let kinds = [
            ("IVF_FLAT", Index::IvfFlat(IvfFlatIndexBuilder::default().distance_type(dot)), None),
            ("IVF_HNSW_SQ", Index::IvfHnswSq(IvfHnswSqIndexBuilder::default().distance_type(dot)), Some(4)),
            ("IVF_PQ", Index::IvfPq(IvfPqIndexBuilder::default().distance_type(dot)), Some(10)),
        ];
        for (name, index, refine) in kinds {
            let began = Instant::now();
            runtime.block_on(table.create_index(&["vector"], index).replace(true).execute()).unwrap();
            println!("  {name} built in {:.1} s", began.elapsed().as_secs_f64());
            for parts in [8, EVERY_PART] {
                let way = |filtered| Way { parts: Some(parts), refine, filtered };
                let asked = |filtered| ask(&runtime, &table, &questions, way(filtered));
                let parts =
                    if parts == EVERY_PART { "every part".to_owned() } else { format!("{parts} parts") };
                row(format!("{name}, {parts}"), &asked(false), &asked(true));
            }
        }
    }
}
