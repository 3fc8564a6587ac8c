use plumbline_core::domain::Language;

use super::*;
use crate::reading::read as read_file;

fn approvals(text: &str) -> Approvals {
    read(&Outline::of(&read_file("0001D-x.md", text.as_bytes()).unwrap()))
}

fn block(heading: &str, version: &str, decision: &str, date: &str) -> String {
    format!(
        "## {heading}\n\n| Name | Value |\n|---|---|\n| Version of ADR | {version} |\n| Decision | {decision} |\n| Decision date | {date} |\n| Driver (Decision owner) | Ann |\n\n**Approvers**\n\n| Name | Email | Role | Comments |\n|---|---|---|---|\n| {heading} | a@b.example | x | |\n| | | | |\n\n"
    )
}

#[test]
fn the_newest_comes_first_wherever_it_stands() {
    let old = block("One", "v1.9.0 (2024-01-02)", "Accepted", "2024-02-01");
    let new = block("Two", "v1.10.0 (2024-05-02)", "Rejected", "2024-06-01");
    for text in [format!("{new}{old}"), format!("{old}{new}")] {
        let found = approvals(&text);
        let [first, second] = found.all.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (first.version.as_deref(), first.decision.as_deref()),
            (Some("v1.10.0"), Some("Rejected"))
        );
        assert_eq!(
            (first.approvers.as_slice(), first.driver.as_deref()),
            (&["Two".to_owned()][..], Some("Ann"))
        );
        assert!(first.approved_by().is_empty(), "nobody approved what was rejected");
        assert_eq!(
            (second.date, second.approved_by()),
            (Some(Date::constant(2024, 2, 1)), &["One".to_owned()][..])
        );
        assert!(found.problems.is_empty(), "{:?}", found.problems);
    }
    let undated = format!(
        "{}{}",
        block("1. One", "v1.9.0", "Accepted", ""),
        block("2. Two", "v1.10.0", "Accepted", "")
    );
    assert_eq!(approvals(&undated).all[0].heading, "2. Two", "without days the version decides");
}

#[test]
fn people_who_are_informed_approve_nothing() {
    let text = block("One", "v1", "Accepted", "2024-02-01")
        + "**Informed**\n\n| Name | Email |\n|---|---|\n| Bob | b@b.example |\n";
    assert_eq!(approvals(&text).all[0].approvers, ["One"]);
}

#[test]
fn what_is_not_understood_is_said() {
    let found = approvals(&block("One", "v1", "Perhaps", "soon"));
    let told = |language| found.problems.iter().map(|problem| problem.text(language)).collect::<Vec<_>>();
    let english = ["date `soon` is no date (`One`)", "`Perhaps` is no known decision (`One`)"];
    assert_eq!(told(Language::EN), english);
    let dutch = ["datum `soon` is geen datum (`One`)", "`Perhaps` is geen bekend besluit (`One`)"];
    assert_eq!(told(Language::NL), dutch);
    let empty = approvals("## One\n\n| Name | Value |\n|---|---|\n| Version of ADR | |\n| Decision | |\n");
    assert!(empty.all.is_empty(), "a form that nobody filled in approves nothing");
    assert_eq!(empty.problems.len(), 2);
}

#[test]
fn labelled_lines_serve_as_well_as_a_table() {
    let found = approvals(
        "## 1. Goedkeuring\n\n- Versie van besluit: v2.0\n- Besluit: goedgekeurd\n- Besluitdatum: 3 maart 2025\n- Goedkeurders: Ann, Bob\n",
    );
    let [only] = found.all.as_slice() else { panic!("{found:?}") };
    assert_eq!((only.version.as_deref(), only.decision.as_deref()), (Some("v2.0"), Some("goedgekeurd")));
    assert_eq!((only.date, only.approvers.len()), (Some(Date::constant(2025, 3, 3)), 2));
}

#[test]
fn a_row_may_be_an_approval_and_a_cell_its_people() {
    let found = approvals(
        "## Approvals\n\n| Version | Decision | Decision date | Approvers |\n|---|---|---|---|\n| 1.0 | accepted | 2023-01-02 | Ann |\n| 1.1 | accepted | 2024-01-02 | Ann, Bob |\n",
    );
    assert_eq!((found.all.len(), found.all[0].approvers.len()), (2, 2));
    assert_eq!(found.all[0].version.as_deref(), Some("1.1"));
    let dutch = approvals(
        "### Goedkeuring 1\n\n| Onderdeel | Waarde |\n|---|---|\n| Versie van principe | 2.0 |\n| Besluit | Geaccepteerd |\n| Datum besluit | 03-02-2025 |\n| Goedgekeurd door | Ann, Bob |\n",
    );
    assert_eq!((dutch.all[0].approvers.len(), dutch.all[0].date), (2, Some(Date::constant(2025, 2, 3))));
}
