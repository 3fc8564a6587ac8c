use super::*;
use crate::domain::Language;
use crate::domain::Years;
use crate::intent::{IntentKind, Question, classify};

fn asked(text: &str) -> Option<GraphQuery> {
    match classify(Question::read(text, Language::EN), false).kind {
        IntentKind::Graph(query) => Some(query),
        _ => None,
    }
}

#[test]
fn what_is_asked_of_a_record_is_known_with_its_direction() {
    use GraphAsk::{Between, From, Impact, To};
    for (text, asks, first) in [
        ("What replaced ADR-7, and why?", To, Some(RelationKind::Supersedes)),
        ("which decisions depend on ADR-12?", To, Some(RelationKind::DependsOn)),
        ("What does ADR 12 build on?", From, Some(RelationKind::DependsOn)),
        ("What would be affected if we dropped ADR 21?", Impact, Some(RelationKind::DependsOn)),
        ("Which records amend ADR-23?", To, Some(RelationKind::Amends)),
        ("Which decisions conflict with ADR-5?", To, Some(RelationKind::ConflictsWith)),
        ("Which documents mention ADR-9?", To, None),
        ("How are ADR 13 and ADR 12 related?", Between, None),
        ("Waardoor is ADR 5 vervangen, en waarom?", To, Some(RelationKind::Supersedes)),
        ("Welke besluiten hangen af van ADR-12?", To, Some(RelationKind::DependsOn)),
        ("Waar steunt ADR 12 op?", From, Some(RelationKind::DependsOn)),
        ("Wat raakt het als we ADR 21 schrappen?", Impact, Some(RelationKind::DependsOn)),
        ("Hoe hangen ADR 13 en ADR 12 samen?", Between, None),
        (
            "ADR 6 was replaced at some point - by what, and what were the reasons?",
            To,
            Some(RelationKind::Supersedes),
        ),
        ("ADR 6 is no longer valid, I think. Which one replaced it?", To, Some(RelationKind::Supersedes)),
        ("Which decisions put principle 18 into practice?", To, Some(RelationKind::Implements)),
        ("Which decisions does ADR 10 influence?", To, Some(RelationKind::DependsOn)),
        ("anything that builds on ADR 57?", To, Some(RelationKind::DependsOn)),
        (
            "ADR 48 geldt niet meer geloof ik. welke adr is ervoor in de plaats gekomen en waarom?",
            To,
            Some(RelationKind::Supersedes),
        ),
        ("Welke besluiten brengen principe 18 in praktijk?", To, Some(RelationKind::Implements)),
        (
            "op welke besluiten heeft ADR 10 invloed, ofwel: welke besluiten zijn erop gebaseerd?",
            To,
            Some(RelationKind::DependsOn),
        ),
    ] {
        let query = asked(text).unwrap_or_else(|| panic!("`{text}` is a question to the graph"));
        assert_eq!((query.asks, query.relations.first().copied()), (asks, first), "of `{text}`");
    }
}

#[test]
fn a_thing_or_kinds_of_record_may_be_asked_of() {
    let topic = |text: &str| asked(text).map(|query| (query.asks, query.topic));
    let is = |asks, topic: &str| Some((asks, Some(topic.to_owned())));
    assert_eq!(topic("What would be affected if we dropped TLS 1.2?"), is(GraphAsk::Impact, "TLS 1.2"));
    assert_eq!(topic("Wat wordt er geraakt als we TLS 1.2 afschaffen?"), is(GraphAsk::Impact, "TLS 1.2"));
    assert_eq!(topic("Show our decisions about encryption over time"), is(GraphAsk::History, "encryption"));
    assert_eq!(topic("De besluiten over TLS door de jaren heen"), is(GraphAsk::History, "TLS"));
    for text in [
        "show me how our decisions on congestion evolved over the years",
        "laat zien hoe onze besluiten over congestion door de jaren heen zijn veranderd",
    ] {
        assert_eq!(topic(text), is(GraphAsk::History, "congestion"), "of `{text}`");
    }
    for text in [
        "How has our stance on congestion changed until now?",
        "What happened to congestion over the years?",
        "Our view on congestion has changed over the years. How so?",
        "Onze kijk op congestion is in de loop der jaren veranderd. Hoe dan?",
    ] {
        assert_eq!(topic(text), is(GraphAsk::History, "congestion"), "of `{text}`");
    }
    for text in ["How did congestion evolve in 2025?", "Hoe heeft congestion zich ontwikkeld in 2025?"] {
        let query = asked(text).unwrap_or_else(|| panic!("`{text}` is a question to the graph"));
        let expected = (Some("congestion".to_owned()), Some(Years::only(2025)));
        assert_eq!((query.topic, query.years), expected, "of `{text}`");
    }
    assert_eq!(asked("What happened to congestion?"), None, "nothing says that time is meant");
    for text in ["Which principles have no decision?", "Welke principes hebben nog geen besluit?"] {
        let query = asked(text).unwrap_or_else(|| panic!("`{text}` is a question to the graph"));
        assert_eq!((query.kinds, query.lacked), (vec![Kind::Principle], vec![Kind::Adr]), "of `{text}`");
    }
}

#[test]
fn what_asks_for_more_or_for_something_else_goes_to_the_documents() {
    for text in [
        "Which ciphers does ADR-21 require?",
        "What are the consequences of ADR-9?",
        "Which decisions about storage depend on the cost model described in ADR-12?",
        "What is the status of ADR-12?",
        "What does ADR-12 say about retention?",
        "Which decisions have a principle behind them?",
        "Wat zijn de gevolgen van ADR-9?",
    ] {
        assert_eq!(asked(text), None, "of `{text}`");
    }
}

#[test]
fn what_no_grammar_knows_is_told_by_how_it_is_worded() {
    use GraphAsk::{Between, From, Impact, To};
    for (text, asks) in [
        ("I keep hearing ADR 4 is history. Which record took its place?", To),
        ("Which older record did ADR-18 push aside?", From),
        ("What other decisions would we have to look at again once ADR 12 goes?", Impact),
        ("zou je me kunnen zeggen hoe ADR 3 en ADR 9 met elkaar te maken hebben", Between),
    ] {
        assert_eq!(asked(text).map(|query| query.asks), Some(asks), "of `{text}`");
    }
    for text in [
        "Which alternatives did ADR 3 look at?",
        "Summarise what ADR 3 replaced and why in three bullets",
        "Wat staat er in ADR 12 over back-ups?",
        "What must a supplier do under ADR 3?",
    ] {
        assert_eq!(asked(text), None, "of `{text}`");
    }
}

#[test]
fn it_says_what_its_training_says() {
    crate::intent::learned::assert_as_trained(FILE);
}
