//! Tests of questions that need the ones before them.

use super::super::tests::ask_after;
use super::super::{Intent, IntentKind, QueryClass};
use super::*;
use crate::domain::FactField;

fn after(said: &[&str], query: &str) -> Intent {
    let message = |(turn, text): (usize, &&str)| match turn % 2 {
        0 => ChatMessage::user(*text),
        _ => ChatMessage::assistant(*text),
    };
    ask_after(query, &said.iter().enumerate().map(message).collect::<Vec<_>>(), Language::EN)
}

#[test]
fn a_follow_up_gains_the_record_that_was_named() {
    let said = ["What does ADR-0012 decide?", "CIM is the canonical model, see also ADR-0013."];
    for (query, resolved) in [
        ("and its consequences?", "ADR-0012's consequences?"),
        ("What are its consequences?", "What are ADR-0012's consequences?"),
        ("why?", "why (ADR-0012)?"),
        ("And why?", "why (ADR-0012)?"),
        ("what about the alternatives?", "the alternatives of ADR-0012?"),
        ("who approved it?", "who approved ADR-0012?"),
        ("does it apply to SCADA?", "does ADR-0012 apply to SCADA?"),
        ("how is that enforced?", "how is ADR-0012 enforced?"),
        ("geldt dat ook voor OT?", "geldt ADR-0012 ook voor OT?"),
        (
            "wat zijn de gevolgen daarvan voor leveranciers?",
            "wat zijn de gevolgen van ADR-0012 voor leveranciers?",
        ),
        ("Who approved that decision?", "Who approved ADR-0012?"),
        ("Who approved?", "Who approved ADR-0012?"),
        ("and in Dutch?", "in Dutch (ADR-0012)?"),
        ("and for OT?", "for OT (ADR-0012)?"),
        ("is it still valid?", "is ADR-0012 still valid?"),
        ("What is the status?", "What is the status of ADR-0012?"),
        ("tell me more", "more (ADR-0012)?"),
        ("Thanks, and the context?", "the context of ADR-0012?"),
        ("en de gevolgen?", "de gevolgen van ADR-0012?"),
        ("wie heeft dat goedgekeurd?", "wie heeft ADR-0012 goedgekeurd?"),
        ("en voor OT?", "voor OT (ADR-0012)?"),
        ("Waarom?", "Waarom (ADR-0012)?"),
        ("Is het nog geldig?", "Is ADR-0012 nog geldig?"),
        ("Wat zijn de gevolgen ervan?", "Wat zijn de gevolgen van ADR-0012?"),
        ("Hoe zit het met de alternatieven?", "de alternatieven van ADR-0012?"),
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, resolved, "`{query}`");
        assert!(intent.question.completed && intent.class == QueryClass::Clarification, "`{query}`");
        assert_eq!(intent.references().len(), 1, "`{query}` is about one record: {:?}", intent.references());
    }
}

#[test]
fn a_resolved_follow_up_is_routed_as_what_it_became() {
    let said = ["What does ADR-0012 decide?", "…"];
    for (query, field) in [
        ("who approved it?", FactField::Approvers),
        ("and the status?", FactField::Status),
        ("when was it approved?", FactField::Date),
        ("who owns it?", FactField::Owner),
        ("what replaced it?", FactField::SupersededBy),
        ("and which record replaces it?", FactField::SupersededBy),
        ("and who decided that?", FactField::Deciders),
        ("and who decided?", FactField::Deciders),
        ("en wie hebben dat besloten?", FactField::Deciders),
        ("En wat was de datum daarvan?", FactField::Date),
        ("wie heeft dat goedgekeurd?", FactField::Approvers),
        ("geldt het nog?", FactField::Status),
    ] {
        let kind = after(&said, query).kind;
        assert!(matches!(&kind, IntentKind::Fact(query) if query.fields == [field]), "`{query}`: {kind:?}");
    }
    assert!(matches!(after(&said, "and its consequences?").kind, IntentKind::Entity { .. }));
    let cited = ["Which broker did we choose?", "We are going with queues. [0019-broker.md]"];
    for (query, field) in
        [("en wie hebben dat besloten?", FactField::Deciders), ("and what was its date?", FactField::Date)]
    {
        let kind = after(&cited, query).kind;
        assert!(
            matches!(&kind, IntentKind::Fact(query) if query.fields == [field]),
            "`{query}` is about the file that was cited: {kind:?}"
        );
    }
}

#[test]
fn the_record_is_found_through_other_follow_ups_but_not_past_a_change_of_subject() {
    let chain = ["What does ADR-0012 decide?", "…", "and its consequences?", "…"];
    assert_eq!(after(&chain, "who approved it?").question.text, "who approved ADR-0012?");
    let changed = ["What does ADR-0012 decide?", "…", "How long do we keep SCADA values?", "13 months."];
    assert_eq!(after(&changed, "why?").question.text, "why (keep SCADA values)?");
}

#[test]
fn failing_the_user_the_last_answer_names_the_record() {
    let one = ["Which encryption do we use?", "AES-256 [adr-0015:2]. Keys are rotated [adr-0015:3]."];
    assert_eq!(after(&one, "and the alternatives?").question.text, "the alternatives of ADR-0015?");
    let several = ["Which encryption do we use?", "AES-256 [ADR-0015], TLS 1.3 [ADR-0021]."];
    assert_eq!(
        after(&several, "who approved it?").question.text,
        "who approved ADR-0015?",
        "it is the first"
    );
    assert_eq!(
        after(&several, "and for OT?").question.text,
        "for OT (encryption use)?",
        "no one record is meant"
    );
}

#[test]
fn several_records_are_meant_by_they() {
    let said = ["Compare ADR 7 and ADR 21", "…"];
    assert_eq!(after(&said, "and their status?").question.text, "ADR-0007, ADR-0021's status?");
    assert_eq!(after(&said, "why?").question.text, "why (ADR-0007, ADR-0021)?");
    assert_eq!(after(&said, "who approved it?").question.text, "who approved ADR-0021?", "it is the last");
    let listed = ["List all ADRs about security", "ADR-0007, ADR-0008 and ADR-0009"];
    assert_eq!(after(&listed, "who approved them?").references().len(), 3);
    assert_eq!(after(&listed, "and the principles?").question.text, "the principles (security)?");
}

#[test]
fn a_policy_that_an_answer_cites_is_known_by_its_id() {
    let said = ["How long do we keep smart meter data?", "Three years [policy-data-retention:2]."];
    for (query, resolved) in [
        ("and monthly readings?", "monthly readings (data retention policy)?"),
        ("who owns that policy?", "who owns data retention policy?"),
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, resolved);
        let ids: Vec<_> = intent.references().iter().filter_map(Reference::id).map(String::from).collect();
        assert_eq!(ids, ["policy-data-retention"], "`{query}`");
    }
    assert!(matches!(
        after(&said, "who owns that policy?").kind,
        IntentKind::Fact(query) if query.fields == [FactField::Owner]
    ));
}

#[test]
fn a_policy_that_was_named_is_what_it_stands_for() {
    let intent = after(&["What is the data retention policy?", "…"], "who owns it?");
    assert_eq!(intent.question.text, "who owns data retention policy?");
    assert!(
        matches!(&intent.kind, IntentKind::Fact(query) if query.fields == [FactField::Owner]
            && query.references[0].name.as_deref() == Some("data-retention")),
        "{:?}",
        intent.kind
    );
}

#[test]
fn a_bare_term_after_a_question_for_a_meaning_asks_for_its_meaning() {
    for (query, term) in [("and CGMES?", "cgmes"), ("What about CIMXML?", "cimxml"), ("En CGMES?", "cgmes")] {
        let kind = after(&["What is CIM?", "…"], query).kind;
        assert_eq!(kind, IntentKind::Terminology { term: term.to_owned() }, "`{query}`");
    }
}

#[test]
fn a_question_of_its_own_is_never_changed() {
    let said = ["What does ADR-0012 decide?", "…"];
    for query in [
        "What is CIM?",
        "What is IT?",
        "And what is CIM?",
        "How do we ensure grid stability?",
        "Why is it necessary to encrypt backups?",
        "ok thanks",
        "Which principles apply to cloud?",
        "And which ADRs are accepted?",
        "And what does ADR-0021 decide?",
        "and ADR 21?",
        "List all ADRs",
        "Is it allowed to use TLS 1.2 on OT devices?",
        "Who owns the data retention policy?",
        "What is the retention period for smart meter data?",
        "smart meters",
        "Thanks!",
        "Hoe lang bewaren we meetgegevens?",
        "Wat is het verschil tussen CIM en CGMES?",
        "Toon alle principes",
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, query);
        assert!(!intent.question.completed, "`{query}`");
    }
    for query in ["And what is CGMES?", "En wat betekent CGMES?"] {
        let kind = IntentKind::Terminology { term: "cgmes".to_owned() };
        assert_eq!(after(&said, query).kind, kind, "`{query}` is routed without what leads it in");
    }
}

#[test]
fn without_a_conversation_nothing_is_resolved() {
    for query in ["and its consequences?", "why?", "who approved it?", "en de gevolgen?"] {
        let intent = after(&[], query);
        assert_eq!((intent.question.text.as_str(), intent.question.completed), (query, false));
    }
}
