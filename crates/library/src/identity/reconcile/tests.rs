use super::*;
use crate::identity::{Placement, identify};
use crate::reading::read;

fn library(files: &[(&str, &str)]) -> Reconciled {
    let identities: Vec<Identity> = files
        .iter()
        .map(|(path, text)| {
            let (source, path) = path.split_once(':').unwrap_or(("main", path));
            let placement = Placement {
                source: source.to_owned(),
                default_source: source == "main",
                path: path.to_owned(),
                ..Placement::default()
            };
            identify(&placement, &read(path, text.as_bytes()).unwrap())
        })
        .collect();
    reconcile(&identities)
}

fn ids(reconciled: &Reconciled) -> Vec<&str> {
    reconciled.documents.iter().map(|reconciled| reconciled.document.id.as_str()).collect()
}

fn at<'s>(reconciled: &'s Reconciled, id: &str) -> &'s ReconciledDocument {
    reconciled.documents.iter().find(|reconciled| reconciled.document.id.as_str() == id).unwrap()
}

const RECORD: &str = "# 1. Queue\n\n## Status\n\nAccepted\n\n## Decision\n\nx\n";

#[test]
fn of_two_records_with_one_number_the_second_carries_its_name() {
    let reconciled = library(&[
        ("0009-java-11-migration.md", RECORD),
        ("0009-disable-mapping.md", RECORD),
        ("0010-x.md", RECORD),
    ]);
    assert_eq!(ids(&reconciled), ["adr-0009-java-11-migration", "adr-0009", "adr-0010"]);
    let [collision] = reconciled.collisions.as_slice() else { panic!("{:?}", reconciled.collisions) };
    assert_eq!(
        (collision.kept_by.as_str(), collision.other.as_str()),
        ("0009-disable-mapping.md", "0009-java-11-migration.md")
    );
    assert_eq!(
        (collision.claimed.as_str(), collision.given.as_str()),
        ("adr-0009", "adr-0009-java-11-migration")
    );
}

#[test]
fn folders_that_number_alike_go_by_their_names_but_the_first() {
    let reconciled = library(&[
        ("alpha/adr/0001-x.md", RECORD),
        ("beta/adr/0001-y.md", RECORD),
        ("beta/adr/0002-z.md", RECORD),
        ("beta/notes.md", "# Notes\n\nSome notes that are not a record.\n"),
        ("gamma/2022-02-03-x/README.md", RECORD),
        ("policies/retention.md", "# Retention\n\nx\n"),
    ]);
    assert_eq!(
        ids(&reconciled),
        [
            "adr-0001",
            "beta-adr-0001",
            "beta-adr-0002",
            "beta-doc-notes",
            "gamma-adr-2022-02-03-x",
            "policy-retention"
        ],
        "all of a folder alike; folders without records are left alone"
    );
}

#[test]
fn a_folder_of_a_record_may_hold_parts_of_it() {
    let reconciled = library(&[("2022-11-09-api/naming.md", RECORD), ("2022-11-09-api/README.md", RECORD)]);
    assert_eq!(ids(&reconciled), ["adr-2022-11-09-api-naming", "adr-2022-11-09-api"]);
    assert!(reconciled.collisions.is_empty(), "parts of one record are no collision");
}

#[test]
fn one_policy_in_two_formats_and_two_folders() {
    let policy = "# Retention policy\n\nx\n";
    let reconciled = library(&[
        ("policies/old/retention.md", policy),
        ("policies/old/retention.txt", policy),
        ("policies/retention.txt", policy),
        ("policies/retention.md", policy),
    ]);
    let expected =
        ["policy-retention-old", "policy-retention-old-txt", "policy-retention-txt", "policy-retention"];
    assert_eq!(ids(&reconciled), expected, "what lies in a folder goes before what lies deeper");
    assert_eq!(reconciled.collisions.len(), 3);
}

#[test]
fn other_sources_carry_their_name() {
    let reconciled = library(&[("north:adr/0001-x.md", RECORD), ("adr/0001-y.md", RECORD)]);
    assert_eq!(ids(&reconciled), ["north-adr-0001", "adr-0001"]);
    assert!(reconciled.collisions.is_empty(), "sources do not compete");
}

fn with_status(status: &str) -> String {
    format!("# Queue\n\n## Status\n\n{status}\n\n## Decision\n\nx\n")
}

#[test]
fn superseding_is_told_on_both_sides() {
    let reconciled = library(&[
        ("0001-a.md", &with_status("Accepted")),
        ("0002-b.md", &with_status("Accepted\n\nSupersedes [1. A](0001-a.md)")),
        ("0003-c.md", &with_status("Superseded by ADR-0004")),
        ("0004-d.md", &with_status("Accepted")),
        ("0005-e.md", &with_status("Proposed\n\nSupersedes [4](0004-d.md)")),
        ("0006-f.md", &with_status("Superseded by ADR-0099")),
    ]);
    let by = |id: &str| {
        at(&reconciled, id).document.superseded_by.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((by("adr-0001"), by("adr-0003")), (vec!["adr-0002".to_owned()], vec!["adr-0004".to_owned()]));
    assert_eq!(at(&reconciled, "adr-0004").document.supersedes[0].as_str(), "adr-0003");
    assert!(by("adr-0004").is_empty(), "a proposal has replaced nothing yet");
    assert_eq!(at(&reconciled, "adr-0005").document.supersedes[0].as_str(), "adr-0004");
    let [unknown] = reconciled.unresolved.as_slice() else { panic!("{:?}", reconciled.unresolved) };
    assert_eq!((unknown.document.as_str(), unknown.written.as_str()), ("adr-0006", "ADR-0099"));
}

#[test]
fn a_number_means_the_record_of_the_same_folder() {
    let reconciled = library(&[
        ("a/adr/0001-x.md", &with_status("Accepted")),
        ("b/adr/0001-x.md", &with_status("Accepted")),
        ("b/adr/0002-y.md", &with_status("Accepted, supersedes ADR-1")),
    ]);
    assert_eq!(at(&reconciled, "b-adr-0002").document.supersedes[0].as_str(), "b-adr-0001");
    assert!(at(&reconciled, "adr-0001").document.superseded_by.is_empty());
}

fn approval(decision: &str) -> String {
    format!(
        "# Decision Approval Record: Queue\n\n## Decisions\n\n| Version | Decision | Date |\n|---|---|---|\n| 1.0 | {decision} | 2024-01-02 |\n\n## Approvers\n\n| Name | Verdict |\n|---|---|\n| Ann | approved |\n| Bob | pending |\n"
    )
}

#[test]
fn an_approval_record_lends_its_approvers_and_may_contradict() {
    for (status, decision, contradicts) in [
        ("Accepted", "accepted", false),
        ("Accepted", "proposed", true),
        ("Proposed", "accepted", true),
        ("Rejected", "accepted", true),
        ("Superseded", "accepted", false),
        ("Deprecated", "accepted", false),
    ] {
        let reconciled = library(&[("0001-a.md", &with_status(status)), ("0001D-a.md", &approval(decision))]);
        let record = &at(&reconciled, "adr-0001").document;
        assert_eq!(record.approvers, ["Ann"], "who has not decided yet is no approver");
        assert_eq!(reconciled.disagreements.len(), usize::from(contradicts), "{status} against {decision}");
        assert_eq!(record.approval_status.is_some(), contradicts);
        assert_eq!(at(&reconciled, "adr-0001d").approves.as_ref().unwrap().as_str(), "adr-0001");
    }
}

#[test]
fn an_approval_record_without_its_record_is_reported() {
    let reconciled = library(&[("0007D-a.md", &approval("accepted"))]);
    assert_eq!(reconciled.unresolved[0].relation, "approves");
}

#[test]
fn an_approval_is_told_by_its_identifier_alone_and_lends_a_policy_its_status() {
    let values = "| Name | Value |\n|---|---|\n| Version of principle | v2.0 (2025-01-02) |\n| Decision | Accepted |\n| Decision date | 2025-01-09 |\n| Approvers | Ann |\n";
    let principle = "## Statement\n\nx\n\n## Rationale\n\ny\n\n## Implications\n\nz\n";
    let reconciled = library(&[
        ("p/source.md", &format!("---\nnav_order: PCP.30\ntitle: One source\n---\n\n{principle}")),
        (
            "p/source-d.md",
            &format!("---\nnav_order: PCP.30D\ntitle: One source\n---\n\n## 1. First\n\n{values}"),
        ),
        ("policies/0007-boats.md", "---\nnav_order: POL.7\ntitle: Boats\n---\n\n# Boats\n\nx\n"),
        (
            "policies/0007D-boats.md",
            &format!("---\nnav_order: POL.7D\ntitle: Boats\n---\n\n# Boats\n\n{values}"),
        ),
    ]);
    assert_eq!(ids(&reconciled), ["pcp-0030", "pcp-0030d", "policy-0007-boats", "policy-0007d-boats"]);
    for (record, approval) in [("pcp-0030", "pcp-0030d"), ("policy-0007-boats", "policy-0007d-boats")] {
        let found = &at(&reconciled, record).document;
        assert_eq!(
            (found.status.as_deref(), found.approvers.as_slice()),
            (Some("Accepted"), &["Ann".to_owned()][..])
        );
        assert_eq!(found.date, Some(Date::constant(2025, 1, 9)), "{record}");
        let approval = at(&reconciled, approval);
        assert_eq!((approval.document.kind, approval.document.number), (Kind::Dar, None));
        assert_eq!(approval.approves.as_ref().unwrap().as_str(), record);
    }
    assert!(reconciled.unresolved.is_empty() && reconciled.collisions.is_empty());
}

#[test]
fn a_status_under_another_key_is_a_guess_that_names_the_key() {
    let text = "---\ndct:\n  isVersionOf: ready for acceptance\nrelated:\n  state: rejected\n---\n\n# Queue\n\n## Decision\n\nx\n";
    let found = identify(
        &Placement { path: "0001-a.md".to_owned(), ..Placement::default() },
        &read("0001-a.md", text.as_bytes()).unwrap(),
    );
    let status = found.provenance.iter().find(|provenance| provenance.field == "status").unwrap();
    assert_eq!(
        (status.value.as_str(), status.key.as_deref()),
        ("ready for acceptance", Some("dct.isVersionOf"))
    );
    assert!(matches!(status.how, crate::identity::How::Guessed(_)));
}
