//! Made-up libraries: whatever lies in them and in whatever order, ids are unique, valid and the same.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_core::domain::DocumentId;
use plumbline_library::{Identity, Placement, identify, read, reconcile};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const FOLDERS: [&str; 8] =
    ["", "adr/", "team-a/adr/", "team-b/adr/", "team b/decisions/deep/", "policies/", "principles/", "方針/"];
const NAMES: [&str; 12] = [
    "0001-a.md",
    "0001-b.md",
    "0001D-a.md",
    "0002-a.md",
    "2022-02-03-a/README.md",
    "2022-02-03-a/more.md",
    "README.md",
    "data-retention.md",
    "data-retention.txt",
    "adr-template.md",
    "決定.md",
    "ADR 7 - Ünïcode.md",
];
const TEXTS: [&str; 6] = [
    "# 1. Queue\n\n## Status\n\nAccepted\n\nSuperseded by [2](0002-a.md)\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    "# Queue\n\n* Status: proposed, supersedes ADR-1\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\ny\n",
    "# Decision Approval Record: Queue\n\n| Name | Verdict |\n|---|---|\n| A | approved |\n",
    "# Retention policy\n\nVersion 1.0\n\nx\n",
    "Just text without a heading, which is long enough to be a sentence.\n",
    "---\nnav_order: PCP.1\nsuperseded_by: PCP.9\n---\n# Principle\n",
];

/// Pieces of text that identities are read from, whole and broken.
const SCRAPS: [&str; 34] = [
    "---\n",
    "\n",
    " ",
    "# ",
    "## Status",
    "## Decision",
    "## Context",
    "Status: ",
    "**Status**",
    ": ",
    "Date: ",
    "2024-02-30",
    "2024-05-06",
    "3 maart 2024",
    "Accepted",
    "Superseded by ",
    "[ADR 5](../0005-é.md)",
    "[",
    "](",
    ")",
    "| ",
    " |",
    "\n|---|---|\n",
    "Version",
    "Name | Verdict",
    "approved",
    "<!--",
    "-->",
    "```",
    "{x y}",
    "✅ ",
    "é",
    "ADR-12",
    "> ",
];

fn made(source: &str, folder: &str, name: &str, text: &str) -> Identity {
    let path = format!("{folder}{name}");
    let placement = Placement {
        source: source.to_owned(),
        default_source: source == "main",
        path: path.clone(),
        ..Placement::default()
    };
    identify(&placement, &read(&path, text.as_bytes()).unwrap())
}

/// Documents at distinct places, and an order to give them in.
fn library() -> impl Strategy<Value = (Vec<Identity>, Vec<Index>)> {
    let place = (select(&["main", "other", "team-a"][..]), select(&FOLDERS[..]), select(&NAMES[..]));
    let documents = prop::collection::btree_map(place, select(&TEXTS[..]), 0..24);
    (documents, prop::collection::vec(any::<Index>(), 24)).prop_map(|(documents, order)| {
        let made =
            documents.into_iter().map(|((source, folder, name), text)| made(source, folder, name, text));
        (made.collect(), order)
    })
}

fn shuffled(identities: &[Identity], order: &[Index]) -> Vec<Identity> {
    let mut left = identities.to_vec();
    let mut shuffled = Vec::new();
    for index in order.iter().cycle().take(identities.len()) {
        shuffled.push(left.remove(index.index(left.len())));
    }
    shuffled
}

fn by_place(identities: &[Identity]) -> BTreeMap<(String, String), DocumentId> {
    let reconciled = reconcile(identities);
    let documents = reconciled.documents.into_iter();
    documents
        .map(|reconciled| ((reconciled.source, reconciled.document.path), reconciled.document.id))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ids_are_unique_and_valid_and_the_order_does_not_matter((identities, order) in library()) {
        let reconciled = reconcile(&identities);
        prop_assert_eq!(reconciled.documents.len(), identities.len());
        let ids: BTreeSet<&str> = reconciled.documents.iter().map(|reconciled| reconciled.document.id.as_str()).collect();
        prop_assert_eq!(ids.len(), identities.len(), "each document has an id of its own");
        for id in &ids {
            prop_assert!(DocumentId::new(*id).is_ok() && !id.starts_with('-') && !id.ends_with('-'), "`{}`", id);
        }
        let other = shuffled(&identities, &order);
        prop_assert_eq!(by_place(&identities), by_place(&other));
        let again = reconcile(&other);
        prop_assert_eq!(reconciled.collisions, again.collisions);
        prop_assert_eq!(reconciled.unresolved, again.unresolved);
        prop_assert_eq!(reconciled.disagreements, again.disagreements);
        for (identity, reconciled) in other.iter().zip(&again.documents) {
            prop_assert_eq!(&identity.placement.path, &reconciled.document.path, "the order of the input is kept");
        }
    }

    #[test]
    fn an_unrelated_file_changes_no_id((identities, _) in library(), name in "[a-z]{6,12}") {
        let before = by_place(&identities);
        let mut more = identities;
        more.push(made("main", "notes-elsewhere/", &format!("x-{name}.md"), TEXTS[4]));
        more.push(made("main", "policies/", &format!("{name}.md"), TEXTS[3]));
        let after = by_place(&more);
        for (place, id) in before {
            prop_assert_eq!(&after[&place], &id, "of {:?}", place);
        }
    }

    #[test]
    fn whatever_a_file_holds_it_has_an_identity(scraps in prop::collection::vec(select(&SCRAPS[..]), 1..60), name in select(&NAMES[..])) {
        let text = scraps.concat();
        if let Ok(document) = read(name, text.as_bytes()) {
            let placement = Placement { path: name.to_owned(), ..Placement::default() };
            let identity = identify(&placement, &document);
            prop_assert!(DocumentId::new(identity.base_id.as_str()).is_ok(), "`{}`", identity.base_id);
            prop_assert!(!identity.title.trim().is_empty(), "a document is always called something");
            prop_assert!(!identity.status.iter().any(|status| status.contains('\n') || status.is_empty()));
        }
    }

    #[test]
    fn identities_survive_being_stored((identities, _) in library()) {
        let stored = serde_json::to_string(&identities).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<Identity>>(&stored).unwrap(), identities);
    }
}
