//! Another embedder: its vectors are made beside the old ones, which serve until these are complete.

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Index, Scope};
use tokio_util::sync::CancellationToken;

use crate::desk::{Desk, adr, sources};

#[test]
fn vectors_of_two_embedders_never_mix_and_switching_back_needs_no_work() {
    let mut desk = Desk::new();
    for number in 1..=20 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        desk.write(&format!("adr/{number:04}-x.md"), &text);
    }
    let first = desk.index();
    let scope = Scope::default();
    let before = sources(&desk.dense(&desk.library(), "matter 7", &scope));
    desk.fingerprint = "f2".to_owned();
    let vector = desk.vector("matter 7");
    let unready = desk.runtime.block_on(desk.library().dense(&vector, &scope, 5));
    let message = unready.unwrap_err().to_string();
    assert!(message.contains("plumbline index"), "it says what to do: {message}");

    let switched = desk.index();
    assert_eq!(switched.embedded as u64, first.chunks, "every passage gets a vector of the new embedder");
    desk.check();
    desk.fingerprint = "f1".to_owned();
    let back = desk.index();
    assert_eq!(back.embedded, 0, "the old vectors are still there");
    assert_eq!(sources(&desk.dense(&desk.library(), "matter 7", &scope)), before);
    desk.check();
}

#[test]
fn what_changed_meanwhile_is_made_up_for_when_switching_back() {
    let mut desk = Desk::new();
    for number in 1..=5 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        desk.write(&format!("adr/{number:04}-x.md"), &text);
    }
    desk.index();
    desk.fingerprint = "f2".to_owned();
    desk.index();
    desk.write("adr/0006-x.md", &adr(6, "Decision 6", "We decide a new matter."));
    desk.remove("adr/0001-x.md");
    desk.index();
    desk.fingerprint = "f1".to_owned();
    let stale = desk.runtime.block_on(desk.library().dense(&desk.vector("x"), &Scope::default(), 5));
    assert!(stale.is_err(), "vectors that miss a passage are not searched in silence");
    let back = desk.index();
    let library = desk.library();
    let new = DocumentId::new("adr-0006").unwrap();
    let passages = desk.runtime.block_on(library.address(&[new], None, &Scope::default())).unwrap();
    assert_eq!(back.embedded, passages.len(), "only what is new lacks a vector");
    desk.check();
}

#[test]
fn an_embedder_that_fails_loses_nothing() {
    let desk = Desk::new();
    desk.write("adr/0001-x.md", &adr(1, "Decision 1", "We decide."));
    desk.index();
    desk.write("adr/0002-x.md", &adr(2, "Decision 2", "We decide again."));
    desk.embedder.faults.fail(true);
    let mut indexer = desk.indexer();
    let failed = indexer.run(&CancellationToken::new(), &|_| {}).unwrap_err().to_string();
    assert!(failed.contains("what was indexed so far is kept"), "{failed}");
    drop(indexer);
    desk.embedder.faults.fail(false);
    desk.check();
    assert_eq!(desk.index().files, 2);
    desk.check();
}
