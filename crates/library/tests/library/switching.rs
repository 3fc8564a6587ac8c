//! Another embedder: its vectors are made beside the old ones, which serve until these are complete.

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Index, Scope};
use tokio_util::sync::CancellationToken;

use crate::test_library::{TestLibrary, adr, sources};

/// Indexes until the first generation is there.
fn stop_after_one_generation(test_library: &TestLibrary) {
    let stop = CancellationToken::new();
    let mut indexer = test_library.indexer();
    let stopped = indexer.run(&stop, &|step| {
        if matches!(step, plumbline_library::IndexProgress::Committed { .. }) {
            stop.cancel();
        }
    });
    assert!(stopped.unwrap().stopped);
}

#[test]
fn vectors_of_two_embedders_never_mix_and_switching_back_needs_no_work() {
    let mut test_library = TestLibrary::new();
    for number in 1..=20 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        test_library.write(&format!("adr/{number:04}-x.md"), &text);
    }
    let first = test_library.index();
    let scope = Scope::default();
    let before = sources(&test_library.dense(&test_library.library(), "matter 7", &scope));
    test_library.fingerprint = "f2".to_owned();
    let vector = test_library.vector("matter 7");
    let unready = test_library.runtime.block_on(test_library.library().dense(&vector, &scope, 5));
    let message = unready.unwrap_err().to_string();
    assert!(message.contains("plumbline index"), "it says what to do: {message}");

    let switched = test_library.index();
    assert_eq!(switched.embedded as u64, first.chunks, "every passage gets a vector of the new embedder");
    test_library.check();
    test_library.fingerprint = "f1".to_owned();
    let back = test_library.index();
    assert_eq!(back.embedded, 0, "the old vectors are still there");
    assert_eq!(sources(&test_library.dense(&test_library.library(), "matter 7", &scope)), before);
    test_library.check();
}

#[test]
fn what_changed_meanwhile_is_made_up_for_when_switching_back() {
    let mut test_library = TestLibrary::new();
    for number in 1..=5 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        test_library.write(&format!("adr/{number:04}-x.md"), &text);
    }
    test_library.index();
    test_library.fingerprint = "f2".to_owned();
    test_library.index();
    test_library.write("adr/0006-x.md", &adr(6, "Decision 6", "We decide a new matter."));
    test_library.remove("adr/0001-x.md");
    test_library.index();
    test_library.fingerprint = "f1".to_owned();
    let stale = test_library.runtime.block_on(test_library.library().dense(
        &test_library.vector("x"),
        &Scope::default(),
        5,
    ));
    assert!(stale.is_err(), "vectors that miss a passage are not searched in silence");
    let back = test_library.index();
    let library = test_library.library();
    let new = DocumentId::new("adr-0006").unwrap();
    let passages = test_library.runtime.block_on(library.address(&[new], None, &Scope::default())).unwrap();
    assert_eq!(back.embedded, passages.len(), "only what is new lacks a vector");
    test_library.check();
}

#[test]
fn the_one_before_is_searched_whole_until_the_new_vectors_are_complete() {
    let mut test_library = TestLibrary::new();
    for number in 1..=3 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        test_library.write(&format!("adr/{number:04}-x.md"), &text);
    }
    test_library.write("policies/keep.md", "# Keep records\n\nRecords are kept for ten years.\n");
    test_library.index();
    test_library.fingerprint = "f2".to_owned();
    test_library.meanwhile = Some("f1".to_owned());
    test_library.write("adr/0004-x.md", &adr(4, "Decision 4", "We decide matter 4."));
    test_library.remove("adr/0001-x.md");

    // Stopped as soon as one generation is there: the changed records, and nothing of the others.
    stop_after_one_generation(&test_library);
    let has_vectors = |test_library: &TestLibrary| {
        test_library.runtime.block_on(test_library.library().has_vectors()).unwrap()
    };
    assert!(!has_vectors(&test_library), "the new vectors are not complete");
    test_library.fingerprint = "f1".to_owned();
    assert!(has_vectors(&test_library), "those from before are, with what changed meanwhile");
    test_library.check();
    let found = sources(&test_library.dense(&test_library.library(), "matter 4", &Scope::default()));
    assert!(found.iter().any(|source| source.starts_with("adr-0004")), "{found:?}");
    assert!(!found.iter().any(|source| source.starts_with("adr-0001")), "{found:?}");

    test_library.fingerprint = "f2".to_owned();
    test_library.index();
    assert!(has_vectors(&test_library));
    test_library.check();
}

#[test]
fn vectors_of_one_collection_alone_are_not_searched() {
    let mut test_library = TestLibrary::new();
    test_library.write("adr/0001-x.md", &adr(1, "Decision 1", "We decide matter 1."));
    test_library.write("policies/keep.md", "# Keep records\n\nRecords are kept for ten years.\n");
    test_library.index();
    let collections = test_library.runtime.block_on(test_library.library().status()).unwrap().chunks;
    assert!(collections.len() > 1, "{collections:?}");
    test_library.fingerprint = "f2".to_owned();
    stop_after_one_generation(&test_library);
    let library = test_library.library();
    assert!(!test_library.runtime.block_on(library.has_vectors()).unwrap(), "one collection has none yet");
}

#[test]
fn documents_that_came_without_vectors_are_missed() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-x.md", &adr(1, "Decision 1", "We decide matter 1."));
    test_library.index();
    test_library.write("adr/0002-x.md", &adr(2, "Decision 2", "We decide matter 2."));
    let mut indexer = test_library.indexer_without_embedder();
    indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    let library = test_library.library();
    assert!(!test_library.runtime.block_on(library.has_vectors()).unwrap(), "they lack the new record");
    let new = DocumentId::new("adr-0002").unwrap();
    let passages = test_library.runtime.block_on(library.address(&[new], None, &Scope::default())).unwrap();
    assert_eq!(test_library.index().embedded, passages.len(), "it gets its vectors with the next embedder");
    test_library.check();
}

#[test]
fn an_embedder_that_fails_loses_nothing() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-x.md", &adr(1, "Decision 1", "We decide."));
    test_library.index();
    test_library.write("adr/0002-x.md", &adr(2, "Decision 2", "We decide again."));
    test_library.embedder.faults.fail(true);
    let mut indexer = test_library.indexer();
    let failed = indexer.run(&CancellationToken::new(), &|_| {}).unwrap_err().to_string();
    assert!(failed.contains("what was indexed so far is kept"), "{failed}");
    drop(indexer);
    test_library.embedder.faults.fail(false);
    test_library.check();
    assert_eq!(test_library.index().files, 2);
    test_library.check();
}
