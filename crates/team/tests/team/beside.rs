//! What travels beside documents: curated memory, and the files of vocabularies.

use std::path::PathBuf;
use std::sync::Arc;

use plumbline_core::ports::{CuratedMemory, Embedder, Scope};
use plumbline_library::{EntryStatus, TeamMemory, followed_vocabularies, memory_folders};
use plumbline_team::{OwnVocabulary, PublishReport, Publishing, TeamError, publish};
use plumbline_testkit::embedder::FakeEmbedder;

use crate::support::{Desk, RUNTIME, Shared, publishing, record};

const TERMS: &str = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<urn:a> a skos:Concept ; skos:prefLabel \"dike\"@en .\n";

/// A team with three open records, one for the board and one for legal.
fn team() -> Desk {
    let desk = Desk::new();
    desk.write("library.toml", "[library]\nname = \"team\"\nmemory = \"memory\"\n[[source]]\nname = \"docs\"\npath = \".\"\ndefault = true\n");
    desk.write_records(1..=3, "We settle matter");
    for (number, tag) in [(4, "board"), (5, "legal")] {
        let text = format!("---\naccess_tags: [{tag}]\n---\n\n{}", record(number, "We settle matter"));
        desk.write(&format!("adr/{number:04}-matter.md"), &text);
    }
    entry(&desk, "open", "What became of matter 2?", &["adr-0002"]);
    entry(&desk, "board", "What does the board think of matter 4?", &["adr-0001", "adr-0004"]);
    entry(&desk, "mixed", "What do board and legal think?", &["adr-0004", "adr-0005"]);
    desk.index();
    desk
}

fn entry(desk: &Desk, name: &str, title: &str, ids: &[&str]) {
    let text = format!(
        "---\nkind: note\ntitle: \"{title}\"\nreferences: [{}]\n---\n\nSaid in {name}.\n",
        ids.join(", ")
    );
    desk.write(&format!("memory/{name}.md"), &text);
}

fn memory(desk: &Desk) -> Vec<EntryStatus> {
    let folders = memory_folders(&desk.workspace()).unwrap();
    RUNTIME.block_on(desk.library().memory(&folders)).unwrap().0
}

fn pointers(desk: &Desk) -> Vec<(String, Vec<String>)> {
    let told = |status: EntryStatus| {
        (status.entry.title, status.entry.pointers.into_iter().map(|pointer| pointer.id).collect())
    };
    memory(desk).into_iter().map(told).collect()
}

fn noted(desk: &Desk, scope: &Scope) -> Vec<String> {
    let library = Arc::new(desk.library());
    RUNTIME.block_on(async {
        let embedder: Arc<dyn Embedder> = Arc::new(FakeEmbedder::new());
        let vector = embedder.embed(&["matter".to_owned()]).await.unwrap().remove(0);
        let folders = memory_folders(&desk.workspace()).unwrap();
        let (memory, _) = TeamMemory::open(&folders, library, embedder).await.unwrap();
        let notes = memory.notes(&vector, -1.0, scope).await.unwrap();
        notes.into_iter().map(|note| note.text).collect()
    })
}

#[test]
fn curated_memory_goes_with_what_it_points_at() {
    let (publisher, reader, shared) = (team(), Desk::new(), Shared::new());
    reader.write_records(1..=2, "I settle matter");
    reader.index();
    let report = publisher.publish(&shared.remote()).unwrap();
    assert_eq!(
        (report.entries, report.entries_left_out),
        (2, 1),
        "one would tell the board of what is legal's"
    );
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(
        pointers(&reader),
        [
            (
                "What does the board think of matter 4?".to_owned(),
                vec!["docs-2-adr-0001".to_owned(), "docs-2-adr-0004".to_owned()]
            ),
            ("What became of matter 2?".to_owned(), vec!["docs-2-adr-0002".to_owned()]),
        ],
        "ids are those that the documents have here"
    );
    let everybody =
        memory(&reader).into_iter().all(|status| status.entry.library.is_some() && status.retired.is_none());
    assert!(everybody, "they say whose they are, and are in use");

    // Whoever may not see a document is not told what was noted of it, here or at the publisher's.
    let board = Scope { user_tags: vec!["board".to_owned()], ..Scope::default() };
    for desk in [&reader, &publisher] {
        assert_eq!(noted(desk, &Scope::default()), ["Said in open."]);
        assert!(noted(desk, &board).contains(&"Said in board.".to_owned()));
        assert!(!noted(desk, &board).contains(&"Said in mixed.".to_owned()));
    }

    // What a curator takes back is gone, and what no longer holds is not passed on.
    std::fs::remove_file(publisher.docs().join("memory/board.md")).unwrap();
    publisher.write_records(2..=2, "We unsettle matter");
    publisher.index();
    assert_eq!(publisher.publish(&shared.remote()).unwrap().entries, 0);
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(pointers(&reader), []);
    // The curator looks at it again.
    entry(&publisher, "open", "What became of matter 2 in the end?", &["adr-0002"]);
    publisher.index();
    let report = publisher.publish(&shared.remote()).unwrap();
    assert_eq!((report.entries, report.new, report.added), (1, true, 0), "memory alone makes a generation");
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(pointers(&reader).len(), 1);
    assert_eq!(reader.publish(&Shared::new().remote()).unwrap().entries, 0, "it is the team's to publish");
}

fn published(desk: &Desk, shared: &Shared, files: &[OwnVocabulary]) -> Result<PublishReport, TeamError> {
    let library = desk.library();
    RUNTIME.block_on(async {
        let export = library.export().await?;
        publish(&shared.remote(), &export, &Publishing { vocabularies: files, ..publishing(false) }).await
    })
}

fn vocabularies(desk: &Desk) -> Vec<(String, String)> {
    let files = followed_vocabularies(&desk.workspace()).unwrap();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| (name(&file.path), std::fs::read_to_string(&file.path).unwrap())).collect()
}

#[test]
fn vocabularies_travel_as_they_are_and_the_last_good_ones_stay() {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    // Everything is for the board, and the terms are for everybody.
    publisher
        .write("adr/0001-x.md", "---\naccess_tags: [board]\n---\n\n# 1. Pumps\n\n## Decision\n\nWe pump.\n");
    publisher.write("terms/water.ttl", TERMS);
    publisher.index_folder(&publisher.docs().join("adr"));
    let file = OwnVocabulary { vocabulary: 0, path: publisher.docs().join("terms/water.ttl") };
    let report = published(&publisher, &shared, std::slice::from_ref(&file)).unwrap();
    assert_eq!((report.vocabularies, report.shelves), (1, 2));
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(vocabularies(&reader), [("water.ttl".to_owned(), TERMS.to_owned())]);
    let again = published(&publisher, &shared, std::slice::from_ref(&file)).unwrap();
    assert!(!again.new && again.files_sent == 0, "it is not sent again");
    assert!(reader.subscribe(&shared.remote()).unwrap().is_none(), "nor pulled");

    // One that is lost here comes again.
    let lying = followed_vocabularies(&reader.workspace()).unwrap().remove(0).path;
    std::fs::remove_file(&lying).unwrap();
    assert_eq!(vocabularies(&reader), []);
    reader.subscribe(&shared.remote()).unwrap();
    assert!(lying.is_file());

    let changed = TERMS.replace("dike", "levee");
    publisher.write("terms/water.ttl", &changed);
    published(&publisher, &shared, std::slice::from_ref(&file)).unwrap();
    let name = shared.files().into_iter().filter(|name| name.contains("/vocabularies/"));
    for name in name {
        let text = std::fs::read_to_string(shared.path(&name)).unwrap();
        std::fs::write(shared.path(&name), text.replace("levee", "leveE")).unwrap();
    }
    let problem = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(
        matches!(&problem, TeamError::Broken { name, .. } if name.contains("/vocabularies/")),
        "{problem}"
    );
    assert_eq!(vocabularies(&reader)[0].1, TERMS, "the last good one stays");
    let mend = Publishing { vocabularies: std::slice::from_ref(&file), ..publishing(true) };
    let library = publisher.library();
    RUNTIME.block_on(async { publish(&shared.remote(), &library.export().await?, &mend).await }).unwrap();
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(vocabularies(&reader), [("water.ttl".to_owned(), changed)]);
    assert!(!lying.exists(), "and the one before is gone");

    let address = shared.address().to_string();
    reader.indexer().unfollow(&address).unwrap();
    assert_eq!(vocabularies(&reader), []);
}
