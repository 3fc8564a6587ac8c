//! The library follows its folders: changes, renames, deletions, stops, second writers.

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Catalogue, DocumentFilter, Scope};
use plumbline_library::{IndexOptions, IndexProgress, Indexer, ReaderOptions};
use plumbline_telemetry::SystemClock;
use tokio_util::sync::CancellationToken;

use crate::desk::{Desk, INDEX_EARLY, adr, sources};

fn ids(desk: &Desk) -> Vec<String> {
    let library = desk.library();
    let listed = desk.runtime.block_on(library.list(&DocumentFilter::default(), &Scope::default())).unwrap();
    listed.iter().map(|document| document.id.to_string()).collect()
}

#[test]
fn only_what_changed_is_embedded_again() {
    let desk = Desk::new();
    desk.write(
        "adr/0001-broker.md",
        &adr(1, "Use a broker", "Applications exchange events through one broker."),
    );
    desk.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    let first = desk.index();
    assert_eq!((first.files, first.added, first.removed), (2, 2, 0));
    assert!(first.embedded > 0);

    let still = desk.index();
    assert_eq!((still.added, still.changed, still.embedded), (0, 0, 0));
    assert_eq!(still.generation, first.generation, "nothing happened, so no generation was made");

    desk.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.4."));
    let changed = desk.index();
    assert_eq!((changed.changed, changed.embedded), (1, 1), "one passage of one file reads otherwise");
    desk.check();
    let library = desk.library();
    let found = desk.lexical(&library, "TLS 1.3", &Scope::default());
    assert!(found.iter().all(|hit| !hit.chunk.text.contains("1.3")), "the old text is gone");
}

#[test]
fn renames_and_deletions_are_followed() {
    let desk = Desk::new();
    desk.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    desk.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    desk.index();
    std::fs::rename(desk.docs().join("adr/0002-tls.md"), desk.docs().join("adr/0007-tls.md")).unwrap();
    let renamed = desk.index();
    assert_eq!(ids(&desk), ["adr-0001", "adr-0007"]);
    assert_eq!(renamed.embedded, 0, "the text has a vector already");
    desk.remove("adr/0001-broker.md");
    let removed = desk.index();
    assert_eq!((removed.removed, removed.files), (1, 1));
    assert_eq!(ids(&desk), ["adr-0007"]);
    desk.check();
}

#[test]
fn two_files_that_swap_their_numbers_never_share_one() {
    let desk = Desk::new();
    desk.write("adr/0001-a.md", &adr(1, "First", "We choose the first."));
    desk.write("adr/0002-b.md", &adr(2, "Second", "We choose the second."));
    desk.index();
    let docs = desk.docs().join("adr");
    std::fs::rename(docs.join("0001-a.md"), docs.join("x")).unwrap();
    std::fs::rename(docs.join("0002-b.md"), docs.join("0001-b.md")).unwrap();
    std::fs::rename(docs.join("x"), docs.join("0002-a.md")).unwrap();
    desk.index();
    desk.check();
    let library = desk.library();
    let first = DocumentId::new("adr-0001").unwrap();
    let first = desk.runtime.block_on(library.document(&first, &Scope::default())).unwrap().unwrap();
    assert_eq!(first.title, "Second");
}

#[test]
fn a_folder_that_is_not_there_keeps_its_documents() {
    let desk = Desk::new();
    desk.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    desk.index();
    let away = desk.docs().with_file_name("away");
    std::fs::rename(desk.docs(), &away).unwrap();
    let report = desk.indexer().run(&CancellationToken::new(), &|_| {}).unwrap();
    assert_eq!(report.absent.len(), 1, "the user is told");
    assert_eq!(ids(&desk), ["adr-0001"], "a disk that is not plugged in is no deletion");
    let mut indexer = desk.indexer();
    assert!(indexer.remove(&desk.docs()).unwrap());
    indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    assert!(ids(&desk).is_empty(), "taken out by the user, it goes");
    desk.check();
}

#[test]
fn unreadable_files_are_listed_and_stop_nothing() {
    let desk = Desk::new();
    desk.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    desk.write("adr/0002-broken.pdf", "this is no PDF");
    desk.write("adr/0003-empty.md", "");
    let report = desk.index();
    assert_eq!(report.files, 1);
    let mut skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    skipped.sort_unstable();
    assert_eq!(skipped, ["adr/0002-broken.pdf", "adr/0003-empty.md"]);
    assert!(report.skipped.iter().all(|skipped| !skipped.reason.is_empty() && !skipped.code.is_empty()));
    let again = desk.index();
    assert_eq!(again.skipped, report.skipped, "they are named each time, until they are mended");
    desk.write("adr/0003-empty.md", &adr(3, "Full now", "We fill files."));
    assert_eq!(desk.index().skipped.len(), 1);
}

#[test]
#[cfg_attr(not(unix), ignore = "links are made differently elsewhere")]
fn links_out_of_the_folder_are_not_followed() {
    let desk = Desk::new();
    desk.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    let secret = desk.docs().with_file_name("secret.md");
    std::fs::write(&secret, "# Secret\n\nNot for the library.\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, desk.docs().join("adr/0002-secret.md")).unwrap();
        std::os::unix::fs::symlink(desk.docs(), desk.docs().join("adr/round")).unwrap();
    }
    let report = desk.index();
    assert_eq!(ids(&desk), ["adr-0001"]);
    assert_eq!(report.skipped.len(), 1, "{:?}", report.skipped);
    assert_eq!(report.skipped[0].code, "link_outside");
}

#[test]
fn stopped_in_the_middle_it_keeps_what_is_done_and_goes_on_later() {
    let desk = Desk::new();
    for number in 1..=900 {
        let text = adr(number, &format!("Decision {number}"), &format!("We decide matter {number}."));
        desk.write(&format!("adr/{number:04}-x.md"), &text);
    }
    let mut indexer = desk.indexer();
    indexer.add(&[desk.docs()]).unwrap();
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
    desk.check();
    let embedded = report.embedded;
    let rest = desk.index();
    assert_eq!(rest.files, 900);
    assert!(!rest.stopped);
    assert_eq!(rest.embedded + embedded, rest.chunks as usize, "nothing was embedded twice");
    desk.check();
}

#[test]
fn a_second_writer_is_told_and_readers_go_on() {
    let desk = Desk::new();
    desk.write("adr/0001-broker.md", &adr(1, "Use a broker", "Events go through one broker."));
    desk.index();
    let library = desk.library();
    let before = sources(&desk.lexical(&library, "broker", &Scope::default()));
    let mut writer = desk.indexer();
    let options = IndexOptions {
        embedder: None,
        reader: ReaderOptions::default(),
        clock: std::sync::Arc::new(SystemClock),
    };
    let refused = Indexer::open(&desk.workspace(), options, desk.runtime.handle().clone());
    let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("is being written"), "{message}");
    assert_eq!(sources(&desk.lexical(&library, "broker", &Scope::default())), before);
    desk.write("adr/0002-broker.md", &adr(2, "Replace the broker", "The broker goes."));
    writer.run(&CancellationToken::new(), &|_| {}).unwrap();
    let after = desk.lexical(&library, "broker", &Scope::default());
    assert!(after.len() > before.len(), "an open reader sees the new generation without being told");
}

#[test]
fn the_disk_does_not_fill_with_old_generations() {
    let mut desk = Desk::new();
    desk.vector_index = INDEX_EARLY;
    let write = |round: usize| {
        for number in 1..=30 {
            let text = adr(
                number,
                &format!("Decision {number}"),
                &format!("In round {round} we decide matter {number}. {}", "It is long. ".repeat(20)),
            );
            desk.write(&format!("adr/{number:04}-x.md"), &text);
        }
    };
    write(0);
    desk.index();
    let size = |desk: &Desk| {
        let status = desk.runtime.block_on(desk.library().status()).unwrap();
        status.bytes.values().sum::<u64>()
    };
    let fresh = size(&desk);
    for round in 1..=50 {
        write(round);
        desk.index();
    }
    desk.check();
    let after = size(&desk);
    assert!(after < 3 * fresh, "{after} bytes after 50 rounds, {fresh} after the first");
}
