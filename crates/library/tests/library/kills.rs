//! The indexer is killed at random instants over a changing folder. After each the stores agree, the last complete generation
//! is searchable, and at the end nothing is lost or doubled.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use plumbline_core::domain::{CosineScale, EmbedderFamily};
use plumbline_core::ports::{Catalogue, DocumentFilter, Scope};
use plumbline_library::{EmbedderKey, IndexOptions, Indexer, Library, ReaderOptions};
use plumbline_telemetry::SystemClock;
use plumbline_testkit::embedder::FakeEmbedder;
use plumbline_testkit::prng::Prng;
use tokio_util::sync::CancellationToken;

use crate::test_library::{INDEX_EARLY, TestLibrary, adr};

const WORKSPACE: &str = "PLUMBLINE_KILL_WORKSPACE";
const FOLDER: &str = "PLUMBLINE_KILL_FOLDER";
const KILLS: usize = 100;
const FILES: usize = 60;

/// Not a test of its own: the process that `killed_at_any_instant…` starts and kills.
#[test]
#[ignore = "the process that is killed"]
fn child_indexer() {
    let (Some(workspace), Some(folder)) = (std::env::var_os(WORKSPACE), std::env::var_os(FOLDER)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let key = EmbedderKey {
        family: EmbedderFamily::Local,
        fingerprint: "f1".to_owned(),
        scale: CosineScale::PLAIN,
    };
    let options = IndexOptions {
        embedder: Some((Arc::new(FakeEmbedder::new()), key)),
        meanwhile: None,
        reader: ReaderOptions::default(),
        clock: Arc::new(SystemClock),
    };
    let mut indexer = Indexer::open(&PathBuf::from(workspace), options, runtime.handle().clone()).unwrap();
    indexer.index_vectors_by(INDEX_EARLY);
    indexer.add(&[PathBuf::from(folder)]).unwrap();
    indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
}

fn spawn(test_library: &TestLibrary) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::child_indexer", "--ignored"])
        .env(WORKSPACE, test_library.workspace())
        .env(FOLDER, test_library.docs())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What the folder holds: the text of each record by its id.
type Folder = BTreeMap<String, String>;

fn change(test_library: &TestLibrary, chance: &mut Prng, folder: &mut Folder, round: usize) {
    for _ in 0..4 {
        let number = chance.below(FILES) as u32 + 1;
        let (id, path) = (format!("adr-{number:04}"), format!("adr/{number:04}-x.md"));
        if chance.chance(25) && folder.remove(&id).is_some() {
            test_library.remove(&path);
            continue;
        }
        let text = format!("In round {round} we decide matter {number}.");
        test_library.write(&path, &adr(number, &format!("Decision {number}"), &text));
        folder.insert(id, text);
    }
}

fn held(test_library: &TestLibrary, library: &Library) -> Vec<String> {
    let listed =
        test_library.runtime.block_on(library.list(&DocumentFilter::default(), &Scope::default())).unwrap();
    listed.iter().map(|document| document.id.to_string()).collect()
}

#[test]
fn killed_at_any_instant_no_complete_generation_is_lost() {
    let mut test_library = TestLibrary::new();
    test_library.vector_index = INDEX_EARLY;
    let mut chance = Prng::new(2026);
    let mut folder = Folder::new();
    for round in 0..FILES {
        change(&test_library, &mut chance, &mut folder, round);
    }
    test_library.index();
    // How long an undisturbed run takes sets the span in which kills fall, on a slow machine as on a fast one.
    let began = std::time::Instant::now();
    change(&test_library, &mut chance, &mut folder, 0);
    assert!(spawn(&test_library).wait().unwrap().success(), "undisturbed, the indexer gets through");
    let span = began.elapsed();
    let (mut generation, mut early) = (0, 0);
    for kill in 0..KILLS {
        change(&test_library, &mut chance, &mut folder, kill + 1000);
        let mut child = spawn(&test_library);
        std::thread::sleep(span.mul_f64(chance.below(1000) as f64 / 1000.0));
        let killed = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        early += usize::from(killed);
        let library = test_library.library();
        test_library
            .runtime
            .block_on(library.check())
            .unwrap_or_else(|error| panic!("after kill {kill}: {error}"));
        let status = test_library.runtime.block_on(library.status()).unwrap();
        assert!(status.generation >= generation, "kill {kill} took generation {generation} back");
        generation = status.generation;
        let found = test_library.dense(&library, "matter", &Scope::default());
        assert!(
            !found.is_empty() || held(&test_library, &library).is_empty(),
            "kill {kill}: nothing is found"
        );
    }
    assert!(early > KILLS / 4, "only {early} of {KILLS} kills met a running indexer");
    test_library.index();
    test_library.check();
    let library = test_library.library();
    let expected: Vec<String> = folder.keys().cloned().collect();
    assert_eq!(held(&test_library, &library), expected, "nothing is lost, nothing is doubled");
    for (id, text) in &folder {
        let number = id.trim_start_matches("adr-").trim_start_matches('0');
        let found = test_library.lexical(&library, &format!("matter {number}"), &Scope::default());
        assert!(
            found.iter().any(|hit| hit.chunk.document.id.as_str() == id && hit.chunk.text.contains(text)),
            "{id} holds its last text"
        );
    }
}
