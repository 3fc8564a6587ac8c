//! Records as they are written in the wild, each in a style of its own.

use plumbline_core::domain::{Kind, Language, Standing};

use crate::identity::{How, Identity, Placement, Role, identify};
use crate::reading::read;

fn identity_at(path: &str, text: &str) -> Identity {
    let placement = Placement { path: path.to_owned(), default_source: true, ..Placement::default() };
    identify(&placement, &read(path, text.as_bytes()).unwrap())
}

/// What a reader of a list sees: id, title, status and day.
fn row(identity: &Identity) -> (&str, &str, Option<&str>, Option<String>) {
    (
        identity.base_id.as_str(),
        identity.title.as_str(),
        identity.status.as_deref(),
        identity.date.map(|date| date.to_string()),
    )
}

#[track_caller]
fn check(
    path: &str,
    text: &str,
    id: &str,
    title: &str,
    status: Option<&str>,
    date: Option<&str>,
) -> Identity {
    let identity = identity_at(path, text);
    assert_eq!(row(&identity), (id, title, status, date.map(str::to_owned)), "{identity:#?}");
    identity
}

#[test]
fn nygard_with_adr_tools() {
    let text = "# 9. Help scripts\n\nDate: 2016-02-12\n\n## Status\n\nAccepted\n\nSupercedes [8. Colours](0008-colours.md)\n\n## Context\n\nx\n\n## Decision\n\ny\n\n## Consequences\n\nz\n";
    let found = check(
        "doc/adr/0009-help-scripts.md",
        text,
        "adr-0009",
        "Help scripts",
        Some("Accepted"),
        Some("2016-02-12"),
    );
    assert_eq!((found.kind, found.role), (Kind::Adr, Role::Record));
    assert_eq!(found.supersedes[0].path.as_deref(), Some("doc/adr/0008-colours.md"));
}

#[test]
fn nygard_that_was_superseded() {
    let text = "# 4. Use markdown\n\nDate: 12/02/2016\n\n## Status\n\nSuperceded by [10. AsciiDoc formats](0010-asciidoc-formats.md)\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    let found = check(
        "0004-markdown.md",
        text,
        "adr-0004",
        "Use markdown",
        Some("Superceded by 10. AsciiDoc formats"),
        Some("2016-02-12"),
    );
    assert_eq!(found.superseded_by[0].number, Some(10));
}

#[test]
fn madr_two_with_bullets() {
    let text = "# Use Markdown\n\n* Status: accepted\n* Deciders: [Oliver](https://a.example), Anna and Jan <!-- optional -->\n* Date: 2020-11-18\n\nTechnical Story: x\n\n## Context and Problem Statement\n\nx\n\n## Considered Options\n\n* a\n\n## Decision Outcome\n\ny\n\n## Links\n\n* Supersedes [ADR-0002](0002-b.md)\n";
    let found = check(
        "docs/decisions/0007-use-markdown.md",
        text,
        "adr-0007",
        "Use Markdown",
        Some("accepted"),
        Some("2020-11-18"),
    );
    assert_eq!(found.deciders, ["Oliver", "Anna", "Jan"]);
    assert_eq!(found.supersedes.len(), 1);
}

#[test]
fn madr_three_and_four_with_front_matter() {
    let text = "---\nstatus: superseded by [ADR-0012](0012-x.md)\ndate: 2022-03-04\ndecision-makers: [Ann, Bob]\nconsulted: {list}\n---\n# Use \"neutral\" `arguments`\n\n## Context and Problem Statement\n\nx\n\n## Considered Options\n\n* a\n\n## Decision Outcome\n\ny\n";
    let found = check(
        "0014-neutral.md",
        text,
        "adr-0014",
        "Use \"neutral\" arguments",
        Some("superseded by ADR-0012"),
        Some("2022-03-04"),
    );
    assert_eq!(found.deciders, ["Ann", "Bob"]);
    assert_eq!(found.superseded_by[0].path.as_deref(), Some("0012-x.md"));
}

#[test]
fn log4brains_with_a_day_in_the_name() {
    let text = "# Use Postgres\n\n- Status: draft\n- Date: 2021-05-06\n- Tags: database, backend\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\ny\n";
    let found = check(
        "adr/20210505-use-postgres.md",
        text,
        "adr-20210505-use-postgres",
        "Use Postgres",
        Some("draft"),
        Some("2021-05-06"),
    );
    assert_eq!((found.number, found.tags), (None, vec!["database".to_owned(), "backend".to_owned()]));
}

#[test]
fn backstage_with_front_matter_and_a_prefix() {
    let text = "---\nid: adrs-adr012\ntitle: 'ADR012: Use Luxon.toLocaleString'\ndescription: x\n---\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check(
        "docs/architecture-decisions/adr012-use-luxon.md",
        text,
        "adr-0012",
        "Use Luxon.toLocaleString",
        None,
        None,
    );
}

#[test]
fn a_table_of_labels() {
    let text = "# ADR-0003: Queue\n\n| Status | Accepted |\n|---|---|\n| Date | 5 May 2021 |\n| Owner | Team Blue |\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    let found = check("adr/ADR-0003.md", text, "adr-0003", "Queue", Some("Accepted"), Some("2021-05-05"));
    assert_eq!(found.owner.as_deref(), Some("Team Blue"));
}

#[test]
fn a_table_with_a_heading_row() {
    let text = "# Queue\n\n| Status | Date | Deciders |\n|---|---|---|\n| Proposed | 2021-05-05 | Ann |\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check("adr/0003-queue.md", text, "adr-0003", "Queue", Some("Proposed"), Some("2021-05-05"));
}

#[test]
fn bold_labels() {
    let text = "# Queue\n\n**Status**: ✅ Accepted  \n**Date**: Oct 2, 2019  \n**Decision makers** Ann; Bob\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    let found =
        check("adr/0003-queue.md", text, "adr-0003", "Queue", Some("✅ Accepted"), Some("2019-10-02"));
    assert_eq!(found.deciders, ["Ann", "Bob"]);
}

#[test]
fn fields_as_in_restructured_text() {
    let text = "# Queue\n\n:status: Accepted\n:date: 2021-05-05\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check("adr/0003-queue.md", text, "adr-0003", "Queue", Some("Accepted"), Some("2021-05-05"));
}

#[test]
fn dutch_with_lines() {
    let text = "# Besluit 3: Wachtrij voor berichten\n\nStatus: aanvaard\nDatum: 3 maart 2024\nBeslissers: Jan de Vries, Fatima el Amrani en Piet\n\n## Aanleiding\n\nDe berichten komen niet aan en niemand weet waarom dat zo is.\n\n## Besluit\n\nWe gebruiken een wachtrij voor alle berichten van het systeem.\n\n## Gevolgen\n\nHet wordt beter.\n";
    let found = check(
        "besluiten/0003-wachtrij.md",
        text,
        "adr-0003",
        "Wachtrij voor berichten",
        Some("aanvaard"),
        Some("2024-03-03"),
    );
    assert_eq!(found.language, Language::NL);
    assert_eq!(found.deciders, ["Jan de Vries", "Fatima el Amrani", "Piet"]);
    assert_eq!(Standing::from_status("aanvaard"), Standing::InForce);
}

#[test]
fn a_heading_that_holds_the_status() {
    let text = "# ADR 5 - Queue\n\n## Status: Rejected\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check("5.md", text, "adr-0005", "Queue", Some("Rejected"), None);
}

#[test]
fn boxes_to_tick() {
    let text = "# Queue\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n- [ ] Superseded\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check("adr/3-queue.md", text, "adr-0003", "Queue", Some("Accepted"), None);
}

#[test]
fn a_status_with_its_day() {
    let text = "# Queue\n\n## Status\n\nAccepted on 2021-05-06 by the board\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check(
        "adr/0003-queue.md",
        text,
        "adr-0003",
        "Queue",
        Some("Accepted on 2021-05-06 by the board"),
        Some("2021-05-06"),
    );
}

#[test]
fn a_status_that_grew_over_time() {
    let text = "# Queue\n\n## Status\n\n* Proposed (2020-01-02)\n* Accepted (2020-02-03)\n* Deprecated (2023-04-05)\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check(
        "adr/0003-queue.md",
        text,
        "adr-0003",
        "Queue",
        Some("Deprecated (2023-04-05)"),
        Some("2023-04-05"),
    );
}

#[test]
fn a_comment_is_no_status() {
    let text = "# Queue\n\n## Status\n\n<!-- Accepted | Rejected -->\nProposed\n\n## Context\n\n<!-- Date: 2020-01-01 -->\nx\n\n## Decision\n\ny\n";
    check("adr/0003-queue.md", text, "adr-0003", "Queue", Some("Proposed"), None);
}

#[test]
fn a_status_in_an_example_is_not_the_records() {
    let text = "# Add a status field\n\n## Context\n\nx\n\n## Decision\n\n```\nstatus: on hold\ndate: 2020-01-01\n```\n";
    check("adr/0008-status.md", text, "adr-0008", "Add a status field", None, None);
}

#[test]
fn y_statement_in_a_folder_of_decisions() {
    let text = "# Use gRPC\n\nIn the context of service calls, facing latency, we decided for gRPC and neglected REST, to achieve speed.\n";
    check("architecture/decisions/012-use-grpc.md", text, "adr-0012", "Use gRPC", None, None);
}

#[test]
fn a_folder_per_record() {
    let text = "# Integration testing\n\n## Decision\n\nx\n\n## Rationale\n\ny\n";
    let found = check(
        "2022-02-03-integration-testing/README.md",
        text,
        "adr-2022-02-03-integration-testing",
        "Integration testing",
        None,
        Some("2022-02-03"),
    );
    let how = &found.provenance.iter().find(|provenance| provenance.field == "date").unwrap().how;
    assert!(matches!(how, How::Guessed(_)), "a day from a name is a guess: {how:?}");
}

#[test]
fn sections_of_level_one_without_a_title() {
    let text = "# Status\n\nAccepted\n\n# Context\n\nx\n\n# Decision\n\ny\n";
    check("adr/0003-message-queue.md", text, "adr-0003", "Message queue", Some("Accepted"), None);
}

#[test]
fn a_title_that_is_no_heading() {
    let text = "#46. Generalise the bus\n\nDate: 2020-06-11\n\n## Status\n\nImplemented, used for x, but not yet as\ndescribed here.\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    check(
        "0046-bus.md",
        text,
        "adr-0046",
        "Generalise the bus",
        Some("Implemented, used for x, but not yet as"),
        Some("2020-06-11"),
    );
}

#[test]
fn a_number_that_differs_from_the_title() {
    let text = "# 30. Models are hosted\n\nDate: 2024-01-27\n\n## Status\n\nAccepted\n\n## Decision\n\nx\n";
    let found =
        check("0031-models.md", text, "adr-0031", "Models are hosted", Some("Accepted"), Some("2024-01-27"));
    assert!(
        format!("{:?}", found.provenance).contains("the title says 30"),
        "the reader is told of the contradiction"
    );
}

#[test]
fn a_day_that_does_not_exist() {
    let found = identity_at(
        "adr/0001-x.md",
        "# X\n\nDate: 31-02-2024\n\n## Status\n\nAccepted\n\n## Decision\n\ny\n",
    );
    assert_eq!(found.date, None);
    let problem = &found.problems[0].0;
    assert!(problem.to_string().starts_with("date `31-02-2024` is no date ("), "{problem}");
    assert!(problem.text(Language::NL).starts_with("datum `31-02-2024` is geen datum ("), "{problem:?}");
}

#[test]
fn asciidoc_and_text_are_read_alike() {
    let text = "Queue\n\nStatus: Accepted\nDate: 2021-05-05\n\nContext\n\nx\n";
    let found = identity_at("adr/0003-queue.txt", text);
    assert_eq!((found.base_id.as_str(), found.status.as_deref()), ("adr-0003", Some("Accepted")));
}

#[test]
fn several_labels_on_one_line() {
    let text = "# Queue\n\n**Status:** Accepted **Date:** 2021-05-05 | Owner: Team Blue\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    let found = check("adr/0003-queue.md", text, "adr-0003", "Queue", Some("Accepted"), Some("2021-05-05"));
    assert_eq!(found.owner.as_deref(), Some("Team Blue"));
}

#[test]
fn a_handbook_with_people_in_front_matter() {
    let text = "---\ntitle: \"Registry ADR 004: Use Postgres\"\nstatus: implemented\ncreation-date: \"2023-10-11\"\napprovers: [ \"@ann\", \"@bob\" ]\nowners:\n  - A\n  - B\n---\n\n## Context\n\nx\n\n## Decision\n\ny\n";
    let found = check(
        "content/decisions/004_postgres.md",
        text,
        "adr-0004",
        "Use Postgres",
        Some("implemented"),
        Some("2023-10-11"),
    );
    assert_eq!(
        (found.approvers, found.owner.as_deref()),
        (vec!["@ann".to_owned(), "@bob".to_owned()], Some("A, B"))
    );
}

#[test]
fn asciidoc_with_attributes() {
    let text =
        "= ADR-005: Queue\n:status: accepted\n:revdate: 2021-05-05\n\n== Context\n\nx\n\n== Decision\n\ny\n";
    check("src/docs/adr/adr-005.adoc", text, "adr-0005", "Queue", Some("accepted"), Some("2021-05-05"));
}

#[test]
fn a_review_after_the_day_it_took_effect() {
    let text = "# Mobile device policy\n\nEffective date: January 1, 2015\nLast reviewed: 4 March 2024\nNext review: 2030-01-01\n\n## Purpose\n\nx\n";
    check("policies/mobile.md", text, "policy-mobile", "Mobile device policy", None, Some("2024-03-04"));
}

#[test]
fn a_principle_after_togaf() {
    let text =
        "# Principle 7: Data is an asset\n\n## Statement\n\nx\n\n## Rationale\n\ny\n\n## Implications\n\nz\n";
    let found = check("architecture/principle-07-data.md", text, "pcp-0007", "Data is an asset", None, None);
    assert_eq!(found.kind, Kind::Principle);
    let unnumbered = identity_at(
        "docs/principles/keep-it-simple.md",
        "---\nlayout: principle\ntitle: Keep it simple\ndate: 2025-01-08\n---\nx\n",
    );
    assert_eq!((unnumbered.base_id.as_str(), unnumbered.kind), ("pcp-keep-it-simple", Kind::Principle));
}

#[test]
fn a_principle_of_an_older_series_in_a_folder_with_its_year() {
    let plain = "# Data is shared\n\nWe share what we know.\n";
    assert_eq!(identity_at("docs/principles-2016/data.md", plain).kind, Kind::Principle);
    assert_ne!(identity_at("docs/talks-2016/data.md", plain).kind, Kind::Principle);
}

#[test]
fn a_principle_may_tell_consequences() {
    let text = "# Data is shared\n\n## Statement\n\nx\n\n## Rationale\n\ny\n\n## Consequences\n\nz\n";
    assert_eq!(identity_at("docs/old/data.md", text).kind, Kind::Principle);
}

#[test]
fn a_principle_with_dublin_core() {
    let text = "---\ndct:identifier: PCP.39\ndct:title: Versleuteling\ndct:modified: 2025-02-01\ndct:language: nl\ndct:isReplacedBy: PCP.40\nowl:versionInfo: \"2.1\"\n---\n\n# Versleuteling\n";
    let found =
        check("beginselen/versleuteling.md", text, "pcp-0039", "Versleuteling", None, Some("2025-02-01"));
    assert_eq!((found.version.as_deref(), found.language), (Some("2.1"), Language::NL));
    assert_eq!(found.superseded_by[0].number, Some(40));
}

#[test]
fn a_policy_with_document_control() {
    let text = "# Clear Desk Policy\n\n## Document control\n\n| Version | Date | Author | Change |\n|---|---|---|---|\n| 0.1 | 29/10/2020 | Ian | Draft |\n| 1.0 | 02/06/2021 | Ian | Published |\n| | | | |\n\n| Eigenaar | Jan |\n|---|---|\n| Status | Final |\n| Next review | 2030-01-01 |\n\n## Purpose\n\nx\n";
    let found = check(
        "policies/Clear Desk Policy.md",
        text,
        "policy-clear-desk-policy",
        "Clear Desk Policy",
        Some("Final"),
        Some("2021-06-02"),
    );
    assert_eq!(
        (found.kind, found.version.as_deref(), found.owner.as_deref()),
        (Kind::Policy, Some("1.0"), Some("Jan"))
    );
}

#[test]
fn a_policy_converted_from_print() {
    let text = "**Vetting and Clearance Policy**\n\nInformation Security\n\nVersion 1.0 – 2<sup>nd</sup> June 2021\n\nContents\n========\n\n[1 Purpose](#purpose)\n\nPurpose\n=======\n\nx\n";
    let found = check(
        "hmcts/vetting-and-clearance-policy.md",
        text,
        "policy-vetting-and-clearance-policy",
        "Vetting and Clearance Policy",
        None,
        Some("2021-06-02"),
    );
    assert_eq!(found.version.as_deref(), Some("1.0"));
}

#[test]
fn an_approval_record_shares_the_number_of_its_record() {
    let text = "---\nnav_order: ADR.12\ntitle: \"Decision Approval Record: Use CIM\"\n---\n\n# Decision Approval Record: Use CIM\n\nBelongs to [ADR.12](0012-use-cim.md).\n\n## Decisions\n\n| Version | Decision | Date |\n|---|---|---|\n| 1.0 | proposed | 2022-11-22 |\n| 1.1 | accepted | 2023-01-17 |\n\n## Approvers\n\n| Name | Verdict |\n|---|---|\n| A | approved |\n| B | pending |\n";
    let found = check(
        "adr/0012-approval.md",
        text,
        "adr-0012d",
        "Decision Approval Record: Use CIM",
        Some("accepted"),
        Some("2023-01-17"),
    );
    assert_eq!((found.kind, found.approvers), (Kind::Dar, vec!["A".to_owned()]));
    assert_eq!(found.approves.unwrap().path.as_deref(), Some("adr/0012-use-cim.md"));
    assert_eq!(found.approval_status.as_deref(), Some("accepted"));
}

#[test]
fn forms_and_lists_are_no_records() {
    let decision = "## Context and Problem Statement\n\n{Describe the context here}\n\n## Decision Outcome\n\n{justification of the choice}\n\n## More\n\n{more of it all}\n";
    for (path, text) in [
        ("docs/decisions/adr-template.md", format!("# {{short title}}\n\n{decision}")),
        ("docs/decisions/0000-template.md", format!("# 0. Template\n\nDate: <!-- today -->\n\n{decision}")),
        (
            "adr/new.md",
            format!(
                "# [short title of solved problem and solution]\n\n* Status: [proposed | rejected | accepted | …]\n\n{decision}"
            ),
        ),
        (
            "principles/principle.template.md",
            "---\ntitle: Principle title\ndate: 2023-12-31\n---\n\nx\n".to_owned(),
        ),
    ] {
        let found = identity_at(path, &text);
        assert_eq!((found.role, found.kind), (Role::Template, Kind::Document), "{path}: {found:#?}");
    }
    let links = "- [One](0001-one.md)\n- [Two](0002-two.md)\n- [Three](0003-three.md)\n";
    for (path, text) in [
        ("adr/README.md", format!("# Decision records\n\n{links}")),
        ("docs/adr/index.md", format!("# ADR log\n\n## Active\n\n{links}")),
        ("adr/decision-log.md", format!("# Log\n\n{links}")),
        ("SUMMARY.md", "# Summary\n\nx\n".to_owned()),
    ] {
        assert_eq!(identity_at(path, &text).role, Role::Index, "{path}");
    }
    let about = identity_at(
        "adr/0012-use-a-template-engine.md",
        "# Use a template engine\n\n## Status\n\nAccepted\n\n## Decision\n\nx\n",
    );
    assert_eq!(
        (about.role, about.kind),
        (Role::Record, Kind::Adr),
        "a decision about templates is a decision"
    );
}

#[test]
fn what_lies_beside_records_is_a_document() {
    for (path, text, id) in [
        (
            "adr/process.md",
            "# Process for new ADRs\n\n1. Write it\n    - Status = \"Proposed\"\n",
            "doc-process",
        ),
        (
            "policies/LICENSE.md",
            "MIT License\n\nPermission is hereby granted to any person.\n",
            "doc-license",
        ),
        ("docs/01-introduction.md", "# 1. Introduction\n\nThis is the handbook.\n", "doc-01-introduction"),
        (
            "adr/README.md",
            "# How we work\n\nWe write records, and we discuss them in the open every week.\n",
            "doc-adr",
        ),
    ] {
        let found = identity_at(path, text);
        assert_eq!(
            (found.kind, found.role, found.base_id.as_str()),
            (Kind::Document, Role::Other, id),
            "{path}"
        );
    }
}
