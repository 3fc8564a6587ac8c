//! The sample library, against its front matter read in another way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use plumbline_core::domain::{Document, Kind, Language};
use plumbline_library::{How, Identity, LibraryManifest, Reconciled, ReconciledDocument, reconcile};

use crate::support::identities;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// Reading printed pages takes its time, so it is done once.
static SAMPLE: LazyLock<Vec<Identity>> = LazyLock::new(|| {
    let manifest = LibraryManifest::read(&root().join("library.toml")).unwrap();
    identities(&manifest.sources[0], &manifest.tenant)
});

fn reconciled() -> Reconciled {
    reconcile(&SAMPLE)
}

/// Front matter by a reader of its own, so that a mistake of the product's is not shared: lists are joined by commas.
fn front_matter(path: &str) -> BTreeMap<String, String> {
    // The text of a DOCX or PDF policy lies beside it in Markdown.
    let file = Path::new(path);
    let written = match file.extension().unwrap().to_str().unwrap() {
        "md" => root().join(path),
        _ => root().join("sources").join(path).with_extension("md"),
    };
    let text = std::fs::read_to_string(written).unwrap();
    let front = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
    let mut fields: BTreeMap<String, String> = BTreeMap::new();
    let mut last = String::new();
    for line in front.lines() {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            let list = fields.entry(last.clone()).or_default();
            if !list.is_empty() {
                list.push_str(", ");
            }
            list.push_str(item.trim());
        } else if let Some((name, value)) = line.split_once(':') {
            last = name.to_owned();
            fields.insert(last.clone(), value.trim().trim_matches(['"', '[', ']']).to_owned());
        }
    }
    fields
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The names in a record's table of verdicts that are followed by an approval.
fn approvers_of(number: u32) -> Vec<String> {
    let name = format!("{number:04}D-");
    let file = std::fs::read_dir(root().join("adr")).unwrap().map(|entry| entry.unwrap().path());
    let file =
        file.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(&name)).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let table = text.split("| Name | Role | Verdict |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        cells[2].starts_with("approved").then(|| cells[0].to_owned())
    })
    .collect()
}

#[test]
fn every_document_is_what_its_front_matter_says() {
    let reconciled = reconciled();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for ReconciledDocument { document, listed, access_tags, .. } in &reconciled.documents {
        let path = document.path.as_str();
        let front = front_matter(path);
        let says = |key: &str| front.get(key).map(String::as_str);
        *counts.entry(document.kind).or_default() += 1;
        assert!(listed, "{path}");
        let id = match says("nav_order") {
            Some(order) => {
                let (kind, number) = order.split_once('.').unwrap();
                let digits = number.trim_end_matches('D');
                assert_eq!(document.number.unwrap().to_string(), digits, "{path}");
                format!(
                    "{}-{digits:0>4}{}",
                    kind.to_lowercase(),
                    if number.ends_with('D') { "d" } else { "" }
                )
            }
            None => says("identifier").unwrap().to_owned(),
        };
        assert_eq!(document.id.as_str(), id, "{path}");
        assert_eq!(Some(document.title.as_str()), says("title"), "{path}");
        assert_eq!(document.date.map(|date| date.to_string()).as_deref(), says("date"), "{path}");
        assert_eq!(document.version.as_deref(), says("version"), "{path}");
        assert_eq!(document.owner.as_deref(), says("owner").or(says("driver")), "{path}");
        assert_eq!(joined(&document.tags), says("tags").unwrap(), "{path}");
        assert_eq!(joined(&document.deciders), says("deciders").unwrap_or_default(), "{path}");
        assert_eq!(joined(access_tags), says("access_tags").unwrap_or_default(), "{path}");
        if document.kind != Kind::Dar {
            assert_eq!(document.status.as_deref(), says("status"), "{path}");
        }
        if let Some(language) = says("language") {
            assert_eq!(Some(document.language), Language::from_code(language), "{path}");
        }
        let other = |key: &str| {
            says(key).map_or(String::new(), |other| format!("adr-{:0>4}", &other["ADR.".len()..]))
        };
        assert_eq!(joined(&document.supersedes), other("supersedes"), "{path}");
        assert_eq!(joined(&document.superseded_by), other("superseded_by"), "{path}");
    }
    let expected = [(Kind::Adr, 30), (Kind::Dar, 30), (Kind::Principle, 20), (Kind::Policy, 10)];
    assert_eq!(counts, BTreeMap::from(expected), "all that the sample's README counts, and nothing else");
    assert!(reconciled.collisions.is_empty(), "{:?}", reconciled.collisions);
    assert!(reconciled.unresolved.is_empty(), "{:?}", reconciled.unresolved);
}

#[test]
fn records_have_the_approvers_of_their_approval_records() {
    let reconciled = reconciled();
    let kind =
        |kind: Kind| reconciled.documents.iter().filter(move |reconciled| reconciled.document.kind == kind);
    for ReconciledDocument { document, .. } in kind(Kind::Adr) {
        assert_eq!(document.approvers, approvers_of(document.number.unwrap()), "{}", document.path);
    }
    for approval in kind(Kind::Dar) {
        let record = format!("adr-{:04}", approval.document.number.unwrap());
        assert_eq!(approval.approves.as_ref().unwrap().as_str(), record);
        assert_eq!(approval.document.collection.as_str(), "ADR", "approval records live with the records");
    }
}

#[test]
fn one_record_contradicts_its_approval_record() {
    let reconciled = reconciled();
    let [only] = reconciled.disagreements.as_slice() else { panic!("{:?}", reconciled.disagreements) };
    assert_eq!((only.record.as_str(), only.status.as_str()), ("adr-0031", "accepted"));
    assert_eq!((only.approval_record.as_str(), only.approval_status.as_str()), ("adr-0031d", "proposed"));
    let says_otherwise = |document: &&Document| document.approval_status.is_some();
    let marked: Vec<_> =
        reconciled.documents.iter().map(|reconciled| &reconciled.document).filter(says_otherwise).collect();
    assert_eq!(marked.len(), 1, "a superseded record with an approval is no contradiction");
}

#[test]
fn nothing_in_the_sample_is_guessed_but_what_files_leave_open() {
    for identity in SAMPLE.iter() {
        assert!(identity.problems.is_empty(), "{}: {:?}", identity.placement.path, identity.problems);
        let guessed = |field: &str| {
            identity
                .provenance
                .iter()
                .any(|provenance| provenance.field == field && matches!(provenance.how, How::Guessed(_)))
        };
        for field in ["kind", "number", "status", "date", "owner"] {
            assert!(!guessed(field), "{field} of {}: {:?}", identity.placement.path, identity.provenance);
        }
    }
}
