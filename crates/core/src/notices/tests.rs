use jiff::civil::date;

use super::*;
use crate::test_documents::document;

fn record(number: u32, status: &str, updated: Option<Date>) -> Document {
    let document = document(number, "Use an API gateway");
    Document { status: Some(status.to_owned()), date: updated, ..(*document).clone() }
}

const TODAY: Date = date(2026, 2, 9);

fn texts(documents: &[&Document], language: Language) -> Vec<String> {
    notices(documents, TODAY, 6, language).into_iter().map(|notice| notice.text).collect()
}

#[test]
fn a_document_is_stale_the_day_after_six_months() {
    for (updated, stale) in [
        (date(2025, 8, 8), true),
        (date(2025, 8, 9), false),
        (date(2026, 2, 9), false),
        (date(2027, 1, 1), false),
    ] {
        let found = texts(&[&record(2, "accepted", Some(updated))], Language::EN);
        assert_eq!(!found.is_empty(), stale, "updated on {updated}: {found:?}");
    }
    assert_eq!(texts(&[&record(2, "accepted", None)], Language::EN), [""; 0], "no date, no claim about age");
    let end_of_month = record(2, "accepted", Some(date(2025, 8, 31)));
    let on = |today| notices(&[&end_of_month], today, 6, Language::EN).len();
    assert_eq!((on(date(2026, 2, 28)), on(date(2026, 3, 1))), (0, 1), "there is no 31 February");
}

#[test]
fn the_notice_tells_when_and_how_long_ago() {
    let old = record(2, "accepted", Some(date(2024, 1, 10)));
    assert_eq!(
        texts(&[&old], Language::EN),
        ["ADR-0002 was last updated on 2024-01-10, more than 24 months ago. Check whether it still holds."]
    );
}

#[test]
fn standing_is_told_per_document_and_once() {
    let mut superseded = record(3, "accepted", None);
    superseded.superseded_by = vec![DocumentId::new("adr-0021").unwrap()];
    let documents = [
        &record(7, "Rejected", None),
        &superseded,
        &record(5, "proposed", None),
        &record(6, "deprecated", None),
        &superseded,
    ];
    assert_eq!(
        texts(&documents, Language::EN),
        [
            "ADR-0007 was rejected: it describes what was not decided.",
            "ADR-0003 has been superseded by ADR-0021.",
            "ADR-0005 is only proposed: it has not been decided yet.",
            "ADR-0006 is deprecated.",
        ]
    );
    assert_eq!(texts(&[&record(8, "superseded", None)], Language::NL), ["ADR-0008 is vervangen."]);
}

#[test]
fn a_record_and_its_approval_that_disagree_are_named() {
    let mut record = record(9, "accepted", None);
    record.approval_status = Some("Approved with conditions".to_owned());
    assert_eq!(
        texts(&[&record], Language::EN),
        [""; 0],
        "two words for the same standing are no disagreement"
    );
    record.approval_status = Some("Rejected by the board".to_owned());
    let found = notices(&[&record], TODAY, 6, Language::EN);
    assert_eq!(found[0].kind, NoticeKind::StatusDisagreement);
    assert!(found[0].text.contains("“accepted”") && found[0].text.contains("“Rejected by the board”"));
}
