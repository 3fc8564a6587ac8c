//! Tests of references to documents in a text.

use super::*;
use crate::domain::DocumentId;

/// What a text refers to, in short: `ADR-0012`, or kind and name where there is no number.
fn read(text: &str) -> Vec<String> {
    let short = |reference: &Reference| match reference.number {
        Some(_) if reference.kind != Kind::Document => reference.display(),
        _ => format!("{} {}", reference.kind.as_str(), reference.name.as_deref().unwrap_or("?")),
    };
    references(text).iter().map(|(_, reference)| short(reference)).collect()
}

#[test]
fn every_spelling_is_read() {
    for (text, expected, reason) in [
        ("ADR-0012", &["ADR-0012"][..], "the display form"),
        ("ADR.12", &["ADR-0012"], "the nav_order"),
        ("adr 12", &["ADR-0012"], "as typed in a hurry"),
        ("ADR0012", &["ADR-0012"], "no separator"),
        ("ADR number 12", &["ADR-0012"], "in words"),
        ("ADR nummer 12", &["ADR-0012"], "in Dutch words"),
        ("ADR nr. 12", &["ADR-0012"], "abbreviated"),
        ("ADR #12", &["ADR-0012"], "with a hash"),
        ("ADR_12", &["ADR-0012"], "underscore"),
        ("ＡＤＲ‑００１２", &["ADR-0012"], "full width and a hard hyphen, from a PDF"),
        ("A\u{200B}DR-12", &["ADR-0012"], "a hidden character"),
        ("(ADR-12), see", &["ADR-0012"], "in brackets"),
        ("ADR-12's consequences", &["ADR-0012"], "possessive"),
        ("architecture decision 12", &["ADR-0012"], "spelled out"),
        ("architectuurbesluit 12", &["ADR-0012"], "spelled out in Dutch"),
        ("ADR.12D", &["ADR-0012D"], "approval record by nav_order"),
        ("ADR-0012D", &["ADR-0012D"], "approval record"),
        ("DAR 12", &["ADR-0012D"], "approval record by its kind"),
        ("the approval record of ADR 12", &["ADR-0012D"], "approval record in words"),
        ("decision approval record for ADR-12", &["ADR-0012D"], "its full name"),
        ("ADR 12's approval record", &["ADR-0012D"], "possessive"),
        ("het goedkeuringsverslag van ADR 12", &["ADR-0012D"], "in Dutch"),
        ("PCP-39", &["PCP-0039"], "principle"),
        ("PCP.39", &["PCP-0039"], "principle by nav_order"),
        ("PCP 39", &["PCP-0039"], "principle with a space"),
        ("PCP.39D", &["DAR pcp-0039d"], "approval record of a principle"),
        ("the approval record of principle 39", &["DAR pcp-0039d"], "the same in words"),
        ("het goedkeuringsverslag van principe 39", &["DAR pcp-0039d"], "the same in Dutch"),
        ("the 42nd ADR", &["ADR-0042"], "an ordinal"),
        ("our 3rd principle", &["PCP-0003"], "an ordinal of a principle"),
        ("het 42e besluit", &["ADR-0042"], "a Dutch ordinal"),
        ("besluit nummer 26", &["ADR-0026"], "a decision in Dutch"),
        ("decision 12", &["ADR-0012"], "a decision"),
        ("record 12", &["ADR-0012"], "a record"),
        ("the TLS decision (nr. 12 I think)", &["ADR-0012"], "a number in brackets"),
        ("het principe over versleuteling (#39)", &["PCP-0039"], "of the kind that is named"),
        ("principle 39", &["PCP-0039"], "in words"),
        ("principe 39", &["PCP-0039"], "in Dutch words"),
        ("ADRs 7 and 21", &["ADR-0007", "ADR-0021"], "plural"),
        ("ADR 7, 8 and 21", &["ADR-0007", "ADR-0008", "ADR-0021"], "a row of numbers"),
        ("ADR's 7 en 21", &["ADR-0007", "ADR-0021"], "Dutch plural"),
        ("ADR 7/8", &["ADR-0007", "ADR-0008"], "slash"),
        ("ADR-7 versus 21", &["ADR-0007", "ADR-0021"], "comparison"),
        ("principles 12, 14", &["PCP-0012", "PCP-0014"], "principles in a row"),
        ("approval records of ADR 7 and 21", &["ADR-0007D", "ADR-0021D"], "the kind carries over"),
        ("ADR-0012 and PCP.39", &["ADR-0012", "PCP-0039"], "two kinds"),
        ("ADR 99999", &["ADR-99999"], "five digits"),
        ("[adr-0012:3]", &["ADR-0012"], "an answer's marker"),
        ("as [policy-data-retention:2] says", &["Policy data-retention"], "a policy's marker"),
        ("policy-data-retention", &["Policy data-retention"], "an id alone"),
        ("0012-use-cim.md", &["Document 0012-use-cim"], "a number alone may be a principle's too"),
        ("adr/0012-use-cim.md", &["ADR-0012"], "the folder tells"),
        ("principles/0039-encryption.md", &["PCP-0039"], "the folder tells"),
        ("0012D-x.md", &["ADR-0012D"], "only approval records carry a D"),
        ("ADR-0012-use-cim.pdf", &["ADR-0012"], "the name tells"),
        ("data-retention.docx", &["Document data-retention"], "a file"),
        ("policies/data-retention.docx", &["Policy data-retention"], "a policy's file"),
        ("2022-03-14-minutes.md", &["Document 2022-03-14-minutes"], "a date is no number"),
    ] {
        assert_eq!(read(text), expected, "`{text}`: {reason}");
    }
}

#[test]
fn what_only_looks_like_a_reference_is_none() {
    for text in [
        "What is IEC 61970?",
        "TLS 1.3",
        "page 12",
        "2022-03-14",
        "version 12",
        "ADRIAN 12",
        "quadr 12",
        "adrs",
        "ADR",
        "ADR 123456",
        "principle",
        "the principle. 39 stations follow",
        "policy-based access",
        "policy 12",
        "Node.js",
        "someone@example.md",
        "CIM17",
        "step (nr. 3) of the manual",
        "the 3rd station",
        "12",
        "",
    ] {
        assert_eq!(read(text), [""; 0], "`{text}`");
    }
}

#[test]
fn a_number_that_counts_something_else_is_left_alone() {
    for text in [
        "ADR 12 and 3 principles",
        "ADR 12 and 30 days",
        "ADR 12, 4 uur",
        "ADR 12 and 1.3",
        "ADR 12 and 95 %",
        "ADR 12 or 2022-03-14",
        "ADR 12 and 5 others",
        "ADR 12 in 2024",
        "ADR 12 and TLS 1.3",
    ] {
        assert_eq!(read(text), ["ADR-0012"], "`{text}`");
    }
}

#[test]
fn references_keep_their_place_and_their_spelling() {
    let text = "Does  ADR‑00１2, 21 or “adr/0007-x.md” apply?";
    let found: Vec<_> =
        references(text).into_iter().map(|(range, r)| (text[range].to_owned(), r.written)).collect();
    let written: Vec<_> = found.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(written, ["ADR‑00１2", "21", "adr/0007-x.md"]);
    assert!(found.iter().all(|(place, written)| place == written), "{found:?}");
}

#[test]
fn ids_are_those_of_the_catalogue() {
    for (text, id) in [
        ("ADR 12", Some("adr-0012")),
        ("ADR.12D", Some("adr-0012d")),
        ("PCP.39", Some("pcp-0039")),
        ("PCP.39D", Some("pcp-0039d")),
        ("[policy-data-retention:0]", Some("policy-data-retention")),
        ("policies/data-retention.md", Some("policy-data-retention")),
        ("0012-use-cim.md", None),
    ] {
        let id_of = |(_, reference): &(_, Reference)| reference.id();
        let found = references(text).first().and_then(id_of);
        assert_eq!(found.as_ref().map(DocumentId::as_str), id, "`{text}`");
    }
}
