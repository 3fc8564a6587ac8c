//! The library follows its folders: changes, renames, deletions, stops, second writers.

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Catalogue, DocumentFilter, Scope};
use plumbline_library::{IndexOptions, IndexProgress, Indexer, ReaderOptions};
use plumbline_telemetry::SystemClock;
use tokio_util::sync::CancellationToken;

use crate::test_library::{INDEX_EARLY, TestLibrary, adr, sources};

fn ids(test_library: &TestLibrary) -> Vec<String> {
    let library = test_library.library();
    let listed =
        test_library.runtime.block_on(library.list(&DocumentFilter::default(), &Scope::default())).unwrap();
    listed.iter().map(|document| document.id.to_string()).collect()
}

#[test]
fn only_what_changed_is_embedded_again() {
    let test_library = TestLibrary::new();
    test_library.write(
        "adr/0001-broker.md",
        &adr(1, "Use a broker", "Applications exchange events through one broker."),
    );
    test_library.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    let first = test_library.index();
    assert_eq!((first.files, first.added, first.removed), (2, 2, 0));
    assert!(first.embedded > 0);

    let still = test_library.index();
    assert_eq!((still.added, still.changed, still.embedded), (0, 0, 0));
    assert_eq!(still.generation, first.generation, "nothing happened, so no generation was made");

    test_library.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.4."));
    let changed = test_library.index();
    assert_eq!((changed.changed, changed.embedded), (1, 1), "one passage of one file reads otherwise");
    test_library.check();
    let library = test_library.library();
    let found = test_library.lexical(&library, "TLS 1.3", &Scope::default());
    assert!(found.iter().all(|hit| !hit.chunk.text.contains("1.3")), "the old text is gone");
}

#[test]
fn renames_and_deletions_are_followed() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    test_library.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    test_library.index();
    std::fs::rename(test_library.docs().join("adr/0002-tls.md"), test_library.docs().join("adr/0007-tls.md"))
        .unwrap();
    let renamed = test_library.index();
    assert_eq!(ids(&test_library), ["adr-0001", "adr-0007"]);
    assert_eq!(renamed.embedded, 0, "the text has a vector already");
    test_library.remove("adr/0001-broker.md");
    let removed = test_library.index();
    assert_eq!((removed.removed, removed.files), (1, 1));
    assert_eq!(ids(&test_library), ["adr-0007"]);
    test_library.check();
}

#[test]
fn two_files_that_swap_their_numbers_never_share_one() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-a.md", &adr(1, "First", "We choose the first."));
    test_library.write("adr/0002-b.md", &adr(2, "Second", "We choose the second."));
    test_library.index();
    let docs = test_library.docs().join("adr");
    std::fs::rename(docs.join("0001-a.md"), docs.join("x")).unwrap();
    std::fs::rename(docs.join("0002-b.md"), docs.join("0001-b.md")).unwrap();
    std::fs::rename(docs.join("x"), docs.join("0002-a.md")).unwrap();
    test_library.index();
    test_library.check();
    let library = test_library.library();
    let first = DocumentId::new("adr-0001").unwrap();
    let first = test_library.runtime.block_on(library.document(&first, &Scope::default())).unwrap().unwrap();
    assert_eq!(first.title, "Second");
}

#[test]
fn a_folder_that_is_not_there_keeps_its_documents() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    test_library.index();
    let away = test_library.docs().with_file_name("away");
    std::fs::rename(test_library.docs(), &away).unwrap();
    let report = test_library.indexer().run(&CancellationToken::new(), &|_| {}).unwrap();
    assert_eq!(report.absent.len(), 1, "the user is told");
    assert_eq!(ids(&test_library), ["adr-0001"], "a disk that is not plugged in is no deletion");
    let mut indexer = test_library.indexer();
    assert!(indexer.remove(&test_library.docs()).unwrap());
    indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    assert!(ids(&test_library).is_empty(), "taken out by the user, it goes");
    test_library.check();
}

#[test]
fn unreadable_files_are_listed_and_stop_nothing() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    test_library.write("adr/0002-broken.pdf", "this is no PDF");
    test_library.write("adr/0003-empty.md", "");
    let report = test_library.index();
    assert_eq!(report.files, 1);
    let mut skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    skipped.sort_unstable();
    assert_eq!(skipped, ["adr/0002-broken.pdf", "adr/0003-empty.md"]);
    assert!(report.skipped.iter().all(|skipped| !skipped.reason.is_empty() && !skipped.code.is_empty()));
    let again = test_library.index();
    assert_eq!(again.skipped, report.skipped, "they are named each time, until they are mended");
    test_library.write("adr/0003-empty.md", &adr(3, "Full now", "We fill files."));
    assert_eq!(test_library.index().skipped.len(), 1);
}

#[test]
#[cfg_attr(not(unix), ignore = "links are made differently elsewhere")]
fn links_out_of_the_folder_are_not_followed() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    let secret = test_library.docs().with_file_name("secret.md");
    std::fs::write(&secret, "# Secret\n\nNot for the library.\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, test_library.docs().join("adr/0002-secret.md")).unwrap();
        std::os::unix::fs::symlink(test_library.docs(), test_library.docs().join("adr/round")).unwrap();
    }
    let report = test_library.index();
    assert_eq!(ids(&test_library), ["adr-0001"]);
    assert_eq!(report.skipped.len(), 1, "{:?}", report.skipped);
    assert_eq!(report.skipped[0].code, "link_outside");
}

#[test]
fn stopped_in_the_middle_it_keeps_what_is_done_and_goes_on_later() {
    let test_library = TestLibrary::new();
    for number in 1..=900 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        test_library.write(&format!("adr/{number:04}-x.md"), &text);
    }
    let mut indexer = test_library.indexer();
    indexer.add(&[test_library.docs()]).unwrap();
    let stop = CancellationToken::new();
    let report = indexer
        .run(&stop, &|progress| {
            if matches!(progress, IndexProgress::Committed { .. }) {
                stop.cancel();
            }
        })
        .unwrap();
    drop(indexer);
    assert!(report.stopped && report.files > 0 && report.files < 900, "{} files", report.files);
    test_library.check();
    let embedded = report.embedded;
    let rest = test_library.index();
    assert_eq!(rest.files, 900);
    assert!(!rest.stopped);
    assert_eq!(rest.embedded + embedded, rest.chunks as usize, "nothing was embedded twice");
    test_library.check();
}

#[test]
fn a_second_writer_is_told_and_readers_go_on() {
    let test_library = TestLibrary::new();
    test_library.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    test_library.index();
    let library = test_library.library();
    let before = sources(&test_library.lexical(&library, "broker", &Scope::default()));
    let mut writer = test_library.indexer();
    let options = IndexOptions {
        embedder: None,
        meanwhile: None,
        reader: ReaderOptions::default(),
        clock: std::sync::Arc::new(SystemClock),
    };
    let refused = Indexer::open(&test_library.workspace(), options, test_library.runtime.handle().clone());
    let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("is being written"), "{message}");
    assert_eq!(sources(&test_library.lexical(&library, "broker", &Scope::default())), before);
    test_library.write("adr/0002-broker.md", &adr(2, "Replace the broker", "The broker goes."));
    writer.run(&CancellationToken::new(), &|_| {}).unwrap();
    let after = test_library.lexical(&library, "broker", &Scope::default());
    assert!(after.len() > before.len(), "an open reader sees the new generation without being told");
}

#[test]
fn the_disk_does_not_fill_with_old_generations() {
    let mut test_library = TestLibrary::new();
    test_library.vector_index = INDEX_EARLY;
    let write = |round: usize| {
        for number in 1..=30 {
            let text = adr(
                number,
                &format!("Decision {number}"),
                &format!("In round {round} we decide matter {number}. {}", "It is long. ".repeat(20)),
            );
            test_library.write(&format!("adr/{number:04}-x.md"), &text);
        }
    };
    write(0);
    test_library.index();
    let size = |test_library: &TestLibrary| {
        let status = test_library.runtime.block_on(test_library.library().status()).unwrap();
        status.bytes.values().sum::<u64>()
    };
    let fresh = size(&test_library);
    for round in 1..=50 {
        write(round);
        test_library.index();
    }
    test_library.check();
    let after = size(&test_library);
    assert!(after < 3 * fresh, "{after} bytes after 50 rounds, {fresh} after the first");
}
