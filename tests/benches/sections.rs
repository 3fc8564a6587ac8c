//! What's measured: a question that is answered from the sections of a record ("What does ADR-0001 decide?"), beside one that is
//! answered with a list ("list all accepted decisions"), over the sample library with the built-in embedder and reader, no model.
//!
//! The peer is the list, asked by turns in the same run; it comes from the catalogue alone. Aim: at most twice as long. The sections
//! are asked once more without the reader, so that what reading costs is told apart from what finding costs.
//!
//! `cargo bench -p plumbline-tests --bench sections`; `PLUMBLINE_BENCH_ROUNDS=10` measures so many rounds.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use plumbline_core::engine::Engine;
use plumbline_core::request::AskRequest;
use plumbline_core::response::AskResponse;
use plumbline_library::Indexer;
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const SECTIONS: [&str; 3] =
    ["What does ADR-0001 decide?", "What does ADR-0012 decide?", "What does ADR-0021 decide?"];
const LISTS: [&str; 3] =
    ["list all accepted decisions", "list all superseded decisions", "list all proposed decisions"];

async fn ask(engine: &Engine, question: &str) -> (AskResponse, Duration) {
    let began = Instant::now();
    let answer = engine.ask(AskRequest::new(question), &CancellationToken::new(), &|_| {}).await.unwrap();
    (answer, began.elapsed())
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

fn main() {
    let rounds =
        std::env::var("PLUMBLINE_BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(40);
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = WorkspaceOptions { folder: Some(folder.path().to_owned()), ..WorkspaceOptions::default() };
    let workspace = Workspace::open(options).unwrap();
    let mut options = runtime.block_on(workspace.index_options(true)).unwrap();
    options.reader.worker = None;
    let mut indexer = Indexer::open(folder.path(), options, runtime.handle().clone()).unwrap();
    indexer.add(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample/library.toml")]).unwrap();
    indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    let engine = runtime.block_on(workspace.engine()).unwrap().engine;
    let unread = Workspace::open(WorkspaceOptions {
        folder: Some(folder.path().to_owned()),
        flags: vec![("models.reader".to_owned(), "off".to_owned())],
        ..WorkspaceOptions::default()
    })
    .unwrap();
    let without_reader = runtime.block_on(unread.engine()).unwrap().engine;

    let mut stages: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    let (mut sections, mut lists, mut not_read) = (Vec::new(), Vec::new(), Vec::new());
    runtime.block_on(async {
        for (section, list) in SECTIONS.iter().zip(LISTS) {
            let (answer, _) = ask(&engine, section).await;
            assert!(
                answer.rows.is_empty() && !answer.citations.is_empty(),
                "{section} is answered from its record"
            );
            let _ = ask(&without_reader, section).await;
            assert!(!ask(&engine, list).await.0.rows.is_empty(), "{list} is answered with a list");
        }
        for round in 0..rounds {
            let (answer, time) = ask(&engine, SECTIONS[round % SECTIONS.len()]).await;
            sections.push(time);
            for stage in answer.stages {
                let took = Duration::from_secs_f64(stage.ms / 1000.0);
                stages.entry(format!("{:?}", stage.stage).to_lowercase()).or_default().push(took);
            }
            not_read.push(ask(&without_reader, SECTIONS[round % SECTIONS.len()]).await.1);
            lists.push(ask(&engine, LISTS[round % LISTS.len()]).await.1);
        }
    });
    let (section, list) = (median(&mut sections), median(&mut lists));
    println!("from a record's sections: p50 {section:.1} ms over {rounds} questions");
    println!("a list: p50 {list:.1} ms; a record's sections take {:.2} times that", section / list);
    let unread = median(&mut not_read);
    println!("the same without the reader: p50 {unread:.1} ms, {:.2} times a list", unread / list);
    for (stage, mut times) in stages {
        println!("  of the sections, {stage}: p50 {:.2} ms", median(&mut times));
    }
}
