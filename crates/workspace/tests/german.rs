//! A third language is a folder: German questions over German records, with a pack that only this test has.
//!
//! A binary of its own, because a program reads its languages once.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use plumbline_core::domain::{Document, DocumentId, Kind, Language};
use plumbline_core::language;
use plumbline_core::ports::{Concept, TextIn};
use plumbline_core::response::{Action, AskResponse, RefusalReason};
use plumbline_library::{Identity, Placement, Role, identify, read};
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::{Rig, cited, edit};
use plumbline_testkit::vocabulary::{FakeVocabulary, concept};
use plumbline_workspace::languages_in;

const PACKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs");

const SUBSTATION: &str = "Anlage, in der elektrische Spannung umgewandelt wird.";

fn german(document: Arc<Document>, status: &str) -> Arc<Document> {
    edit(document, |document| {
        document.language = Language::from_code("de").unwrap();
        document.status = Some(status.to_owned());
        document.owner = Some("Gruppe Netzbetrieb".to_owned());
    })
}

fn library() -> FakeLibrary {
    let broker = german(adr(1, "Nachrichten über einen Vermittler austauschen"), "angenommen");
    let logs = german(adr(2, "Protokolle begrenzt aufbewahren"), "in Kraft");
    let cloud = edit(german(adr(3, "Rechenzentrum auslagern"), "vorgeschlagen"), |document| {
        document.supersedes = vec![DocumentId::new("adr-0001").unwrap()];
    });
    FakeLibrary::new(vec![
        chunk(
            &broker,
            0,
            &["Entscheidung"],
            "Alle Anwendungen tauschen Ereignisse über einen zentralen Vermittler aus.",
        ),
        chunk(&logs, 0, &["Entscheidung"], "Protokolle werden zehn Jahre aufbewahrt."),
        chunk(&cloud, 0, &["Entscheidung"], "Die Server werden in ein fremdes Rechenzentrum verlegt."),
    ])
}

fn start() {
    language::start(Some(languages_in(Path::new(PACKS)).unwrap())).unwrap();
}

fn rig() -> Rig {
    start();
    let defined = TextIn { text: SUBSTATION.to_owned(), language: Some("de".to_owned()) };
    let substation = Concept { definitions: vec![defined], ..concept("Umspannwerk", None) };
    Rig::with().library(library()).vocabulary(FakeVocabulary::new().with(substation)).build()
}

fn ids(response: &AskResponse) -> Vec<&str> {
    response.rows.iter().map(|row| row.id.as_str()).collect()
}

#[tokio::test]
async fn a_list_is_complete_and_counted() {
    let response = rig().answer("Liste alle Entscheidungen").await;
    assert_eq!(ids(&response), ["adr-0001", "adr-0002", "adr-0003"]);
    assert!(response.answer.starts_with("3 Entscheidungen:"), "{}", response.answer);
}

#[tokio::test]
async fn a_list_is_filtered_by_the_words_of_a_status() {
    let response = rig().answer("Welche Entscheidungen sind noch vorgeschlagen?").await;
    assert_eq!(ids(&response), ["adr-0003"]);
    assert!(
        response.answer.starts_with("1 Entscheidung mit dem Status vorgeschlagen"),
        "{}",
        response.answer
    );
}

#[tokio::test]
async fn a_field_of_a_record_is_given() {
    let rig = rig();
    let status = rig.answer("Was ist der Status von ADR 2?").await;
    assert!(status.answer.contains("Der Status von ADR-0002 ist in Kraft"), "{}", status.answer);
    let owner = rig.answer("Wem gehört die Entscheidung Nummer 1?").await;
    assert!(owner.answer.contains("ADR-0001 gehört Gruppe Netzbetrieb"), "{}", owner.answer);
}

#[tokio::test]
async fn a_term_is_defined_word_for_word() {
    let response = rig().answer("Was ist ein Umspannwerk?").await;
    assert_eq!(response.action, Action::Cite);
    assert!(response.answer.contains(SUBSTATION), "{}", response.answer);
    assert!(!response.answer.contains("anderen Sprache"), "{}", response.answer);
}

#[tokio::test]
async fn a_question_to_the_documents_is_answered_with_their_words() {
    let response = rig().answer("Wie lange werden Protokolle aufbewahrt?").await;
    assert_eq!(response.action, Action::Cite, "{}", response.answer);
    assert!(response.answer.contains("zehn Jahre"), "{}", response.answer);
    assert_eq!(cited(&response)[0], "adr-0002:0");
}

#[tokio::test]
async fn what_is_not_there_is_refused_in_german() {
    let rig = rig();
    let record = rig.answer("Was steht in ADR 99?").await;
    assert_eq!(record.refusal_reason, Some(RefusalReason::EntityNotFound));
    assert!(record.answer.contains("ADR-0099 gibt es in der Bibliothek nicht"), "{}", record.answer);
    let term = rig.answer("Was ist ein Kugelfisch?").await;
    assert_eq!(term.refusal_reason, Some(RefusalReason::TerminologyNotFound));
    assert!(term.answer.contains("ist in dem Vokabular nicht definiert"), "{}", term.answer);
}

fn identity(path: &str, text: &str) -> Identity {
    start();
    let placement = Placement { path: path.to_owned(), default_source: true, ..Placement::default() };
    identify(&placement, &read(path, text.as_bytes()).unwrap())
}

#[test]
fn a_record_says_what_it_is_in_german() {
    let text = "# Architekturentscheidung Nr. 7: Ereignisse über einen Vermittler\n\n\
        Fassung 1.2, 3. März 2024\n\n\
        Entscheider: Anna und Bernd\n\n\
        Eigentümer: k. a.\n\n\
        Das ist abgelöst durch ADR 9.\n\n\
        ## Zustand\n\nAngenommen\n\n\
        ## Freigabe\n\n| Wer | Urteil |\n|---|---|\n| Anna | ja |\n| Bernd | nicht genehmigt |\n\n\
        ## Kontext\n\nx\n\n## Entscheidung\n\ny\n\n\
        ## Verwandte Einträge\n\n- Ersetzt durch Eintrag 12\n";
    let read = identity("entscheidungen/vermittler.md", text);
    assert_eq!((read.kind, read.role, read.number), (Kind::Adr, Role::Record, Some(7)), "{read:#?}");
    assert_eq!(read.title, "Ereignisse über einen Vermittler");
    assert_eq!((read.status.as_deref(), read.version.as_deref()), (Some("Angenommen"), Some("1.2")));
    assert_eq!(read.date.map(|date| date.to_string()).as_deref(), Some("2024-03-03"));
    assert_eq!((read.deciders, read.approvers), (vec!["Anna".into(), "Bernd".into()], vec!["Anna".into()]));
    assert_eq!(read.owner, None, "a blank is no owner");
    let successors: Vec<_> = read.superseded_by.iter().map(|successor| successor.number).collect();
    assert_eq!(successors, [Some(9), Some(12)]);
}

#[test]
fn names_of_files_and_folders_tell_the_kind_in_german() {
    let of = |path: &str, text: &str| {
        let read = identity(path, text);
        (read.kind, read.role)
    };
    assert_eq!(of("netzrichtlinie.md", "# Zugang\n\nText.\n"), (Kind::Policy, Role::Record));
    assert_eq!(of("grundsätze/offen.md", "# Offene Normen\n\nText.\n"), (Kind::Principle, Role::Record));
    assert_eq!(of("vorlage-kurz.md", "# Titel\n\nText.\n"), (Kind::Document, Role::Template));
    assert_eq!(of("entscheidungen/lizenz.md", "# Lizenz\n\nText.\n"), (Kind::Document, Role::Other));
    let decided = "# Vermittler\n\nWir haben entschieden, Ereignisse auszutauschen.\n";
    assert_eq!(of("0004-vermittler.md", decided), (Kind::Adr, Role::Record));
}
