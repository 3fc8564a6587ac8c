//! Real decision records, against a list of what they say. The records lie beside the repository and may be absent.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_core::domain::{Kind, Standing};
use plumbline_library::{Identity, Reconciled, Role, reconcile};
use plumbline_testkit::shared_data;
use serde_json::Value;

use crate::support::{bare_source, identities, markdown_identities};

struct Corpus {
    identities: Vec<Identity>,
    reconciled: Reconciled,
}

fn corpus(folder: &Path) -> Corpus {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let identities = identities(&bare_source(folder, &name), "default");
    let reconciled = reconcile(&identities);
    Corpus { identities, reconciled }
}

/// A title as both sides may write it: without a number, in plain letters.
fn plain_title(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| c.is_ascii_digit());
    title
        .trim_start_matches(['.', ' '])
        .replace('`', "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// A status by what it means, and by its words where that is not known.
fn meaning(status: &str) -> String {
    match Standing::from_status(status) {
        Standing::Unknown => status.trim().to_lowercase(),
        standing => format!("{standing:?}"),
    }
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
}

impl Score {
    fn count(&mut self, right: bool, miss: impl FnOnce() -> String) {
        if right { self.right += 1 } else { self.wrong.push(miss()) }
    }

    fn share(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong.len()) as f64
    }
}

#[test]
fn real_records_are_read_as_they_were_meant() {
    let wanted = ["corpora/adr_metadata_truth.jsonl", "corpora/adr"].map(shared_data::path_or_skip);
    let [Some(truth), Some(root)] = wanted else { return };
    let corpora: BTreeMap<String, Corpus> = std::fs::read_dir(root)
        .unwrap()
        .map(|folder| folder.unwrap().path())
        .map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), corpus(&folder)))
        .collect();
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for line in std::fs::read_to_string(truth).unwrap().lines() {
        let truth: Value = serde_json::from_str(line).unwrap();
        let file = truth["file"].as_str().unwrap();
        let (name, path) = file.strip_prefix("adr/").and_then(|file| file.split_once('/')).unwrap();
        let corpus = &corpora[name];
        let at = corpus.identities.iter().position(|identity| identity.placement.path == path).expect(file);
        let document = &corpus.reconciled.documents[at].document;
        assert_eq!(
            (document.kind, corpus.reconciled.documents[at].role),
            (Kind::Adr, Role::Record),
            "{file}"
        );
        // Ids are made of letters, digits and hyphens.
        let id = &truth["id"].as_str().unwrap().replace('_', "-").to_lowercase();
        let bare = document.id.as_str().strip_prefix("adr-").unwrap_or_default();
        // Where several files claim one id, all but one carry more behind it.
        let shared = bare.strip_prefix(id.as_str()).is_some_and(|more| more.starts_with('-'));
        let claimed =
            corpus.identities.iter().filter(|other| other.base_id == corpus.identities[at].base_id).count();
        scores
            .entry("id")
            .or_default()
            .count(bare == *id || (shared && claimed > 1), || format!("{file}: {bare} for {id}"));
        if let Some(title) = truth["title"].as_str() {
            let right = plain_title(&document.title) == plain_title(title);
            scores
                .entry("title")
                .or_default()
                .count(right, || format!("{file}: `{}` for `{title}`", document.title));
        }
        if let Some(status) = truth["status"].as_str() {
            let found = document.status.as_deref().unwrap_or("nothing");
            let right = meaning(found) == meaning(status);
            scores.entry("status").or_default().count(right, || format!("{file}: `{found}` for `{status}`"));
            let verbatim = found.trim().eq_ignore_ascii_case(status.trim());
            scores
                .entry("status, word for word")
                .or_default()
                .count(verbatim, || format!("{file}: `{found}` for `{status}`"));
        }
        if let Some(date) = truth["date"].as_str() {
            let found = document.date.map_or("nothing".to_owned(), |date| date.to_string());
            scores.entry("date").or_default().count(found == date, || format!("{file}: {found} for {date}"));
        }
    }
    for (field, score) in &scores {
        println!("{field}: {:.1} % of {}", 100.0 * score.share(), score.right + score.wrong.len());
        score.wrong.iter().for_each(|miss| println!("  {miss}"));
    }
    for (field, least) in [("id", 0.99), ("title", 0.99), ("status", 0.97), ("date", 0.97)] {
        assert!(scores[field].share() >= least, "{field} must be right in {least} of the records");
    }
}

#[test]
fn six_repositories_in_one_folder_have_ids_of_their_own() {
    let Some(root) = shared_data::path_or_skip("corpora/adr") else { return };
    let alone: BTreeMap<String, Vec<String>> = std::fs::read_dir(&root)
        .unwrap()
        .map(|folder| folder.unwrap().path())
        .map(|folder| {
            let ids = corpus(&folder)
                .reconciled
                .documents
                .into_iter()
                .map(|reconciled| reconciled.document.id.to_string());
            (folder.file_name().unwrap().to_string_lossy().into_owned(), ids.collect())
        })
        .collect();
    let together = corpus(&root).reconciled;
    let mut ids: Vec<&str> =
        together.documents.iter().map(|reconciled| reconciled.document.id.as_str()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "every document has an id of its own");
    for (at, (folder, own)) in alone.iter().enumerate() {
        for id in own.iter().filter(|id| id.starts_with("adr-")) {
            let expected = if at == 0 { id.clone() } else { format!("{folder}-{id}") };
            assert!(
                ids.binary_search(&expected.as_str()).is_ok(),
                "`{expected}`, as {folder} says of itself"
            );
        }
    }
}

#[test]
fn principles_and_policies_of_others_are_told_from_what_lies_beside_them() {
    for folder in ["corpora/principles", "corpora/policies"] {
        let Some(root) = shared_data::path_or_skip(folder) else { return };
        for path in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for identity in markdown_identities(&bare_source(&path, "others"), "default") {
                let place = identity.placement.path.to_lowercase();
                *counts.entry(format!("{:?} {:?}", identity.kind, identity.role)).or_default() += 1;
                if place.contains("template") {
                    assert_eq!(identity.kind, Kind::Document, "{place} is a form, or a page about forms");
                } else if place.contains("/principles/") {
                    assert_eq!((identity.kind, identity.role), (Kind::Principle, Role::Record), "{place}");
                } else if place.ends_with("-policy.md") {
                    assert_eq!((identity.kind, identity.role), (Kind::Policy, Role::Record), "{place}");
                }
            }
            println!("{}: {counts:?}", path.display());
        }
    }
}
