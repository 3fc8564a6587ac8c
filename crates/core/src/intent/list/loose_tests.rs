//! Tests of lists in wordings that no grammar foresees.

use super::list_if_worded;
use crate::domain::{Language, Standing};
use crate::intent::IntentKind;
use crate::intent::prepared::Prepared;
use crate::intent::tests::ask_after;

#[test]
fn what_is_ruled_out_together_is_ruled_out() {
    let asked = ask_after("ADRs of 2025, so not the proposed or rejected ones", &[], Language::EN);
    let list = match asked.kind {
        IntentKind::List(query) => Some(query),
        _ => asked.list_if_known.map(|known| known.query),
    };
    let filter = list.map(|list| list.filter).unwrap_or_default();
    assert_eq!(filter.excluded, [Standing::Proposed, Standing::Rejected]);
    assert!(filter.standings.is_empty());
}

#[test]
fn all_that_is_said_of_something_is_a_list_of_who_says_it() {
    for (query, topic) in [
        ("Where does Kubernetes come up in our decisions?", "Kubernetes"),
        ("Waar komt Kubernetes ter sprake in onze besluiten?", "Kubernetes"),
        ("What do we have in writing about exit plans? I want every place.", "exit plans"),
        ("Anything we have on requesting catalogs (paging, filtering)?", "requesting catalogs"),
        ("Op welke plekken hebben we het over het mandaat van de klant?", "mandaat van de klant"),
        ("wat hebben we zoal over swagger", "swagger"),
        ("Where do our decisions take accessibility into account?", "accessibility"),
        ("I need every place where key rotation pops up.", "key rotation"),
        ("Where do the principles refer to suppliers?", "suppliers"),
        ("Waar in onze besluiten en principes komt toegankelijkheid aan bod?", "toegankelijkheid"),
        ("Waar houden we rekening met leveranciers?", "leveranciers"),
    ] {
        let known = ask_after(query, &[], Language::EN).list_if_known;
        assert_eq!(known.and_then(|known| known.topic).as_deref(), Some(topic), "`{query}`");
    }
    for query in [
        "Where do we store backups?",
        "What have we decided?",
        "Waar staat het archief?",
        "Alles over back-ups: hoe vaak, waar liggen ze, hoe lang bewaren?",
        "Anything we have on exit plans and who signs them?",
    ] {
        let known = ask_after(query, &[], Language::EN).list_if_known;
        assert_eq!(known.and_then(|known| known.topic), None, "`{query}`");
    }
}

#[test]
fn a_topic_that_only_points_back_is_the_sentence_before() {
    let worded = |query: &str| {
        list_if_worded(&Prepared::read(query, Language::EN), Language::EN.pack()).expect("a list")
    };
    let asked = worded("Colleagues keep asking about pigeons. Give me an overview of the decisions on that.");
    assert_eq!(asked.query.filter.about, None, "“that” is no topic");
    assert!(asked.topic.is_some_and(|topic| topic.contains("pigeons")));
    let own = worded("Colleagues keep asking about pigeons. Give me an overview of the decisions on gulls.");
    assert_eq!(own.query.filter.about.as_deref(), Some("gulls"));
}
