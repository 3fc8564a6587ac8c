//! Tests of questions about the assistant itself.

use super::super::tests::ask_after;
use super::super::{IntentKind, QueryClass};
use crate::domain::{About, Language};
use crate::request::ChatMessage;

fn topics(query: &str) -> Option<Vec<About>> {
    match ask_after(query, &[], Language::EN).kind {
        IntentKind::About { what } => Some(what),
        _ => None,
    }
}

#[test]
fn the_assistant_is_asked_about_itself() {
    use About::{Abilities, Identity, Library, Model, Version, Vocabulary};
    for (query, expected) in [
        ("Who are you?", &[Identity][..]),
        ("what are you exactly?", &[Identity]),
        ("Can you tell me who you are?", &[Identity]),
        ("What's your name?", &[Identity]),
        ("Are you a robot?", &[Identity]),
        ("Tell me something about yourself", &[Identity]),
        ("What kind of assistant are you?", &[Identity]),
        ("Hi, who is this assistant?", &[Identity]),
        ("What can you do?", &[Abilities]),
        ("what can you do for me please", &[Abilities]),
        ("Help", &[Abilities]),
        ("Can you help me?", &[Abilities]),
        ("What can I ask you?", &[Abilities]),
        ("What kind of questions can you answer?", &[Abilities]),
        ("How do I start?", &[Abilities]),
        ("How does this tool work?", &[Abilities]),
        ("Do you speak Dutch?", &[Abilities]),
        ("Which model do you use?", &[Model]),
        ("Which model answers, and where does it run?", &[Model]),
        ("What language model are you based on?", &[Model]),
        ("Are you running locally?", &[Model]),
        ("Do you send my data to the cloud?", &[Model]),
        ("Which documents do you have?", &[Library]),
        ("How many documents do you have?", &[Library]),
        ("What sources can you search?", &[Library]),
        ("What is in your library?", &[Library]),
        ("Which terms do you know?", &[Vocabulary]),
        ("What vocabulary do you use?", &[Vocabulary]),
        ("Which documents and terms do you have access to?", &[Library, Vocabulary]),
        ("What version are you?", &[Version]),
        ("What version is this?", &[Version]),
        ("version", &[Version]),
        ("Who are you and what can you do for me?", &[Identity, Abilities]),
        ("What can you do? And which model do you use?", &[Abilities, Model]),
        ("Wie ben jij?", &[Identity]),
        ("Hoe heet je?", &[Identity]),
        ("Stel je eens voor", &[Identity]),
        ("Wat kun je allemaal voor me doen?", &[Abilities]),
        ("Waarmee kun je me helpen?", &[Abilities]),
        ("Hulp", &[Abilities]),
        ("Wat kan ik je vragen?", &[Abilities]),
        ("Hoe begin ik?", &[Abilities]),
        ("Hoe werkt deze assistent?", &[Abilities]),
        ("Welk model gebruik je?", &[Model]),
        ("Op welk taalmodel draai je?", &[Model]),
        ("Draait u lokaal?", &[Model]),
        ("Welke documenten heb je?", &[Library]),
        ("Hoeveel documenten ken je?", &[Library]),
        ("Welke begrippen ken je?", &[Vocabulary]),
        ("Welke documenten en begrippen heb je tot je beschikking?", &[Library, Vocabulary]),
        ("Welke versie ben je?", &[Version]),
        ("Wie ben je en wat kun je?", &[Identity, Abilities]),
    ] {
        assert_eq!(topics(query).as_deref(), Some(expected), "`{query}`");
    }
}

#[test]
fn questions_to_the_library_are_not_about_the_assistant() {
    for query in [
        "Which documents do you have about TLS?",
        "What can you tell me about event streaming?",
        "What do you know about certificates?",
        "Which model do we use for grid data?",
        "What is the Common Information Model?",
        "Who are you and what does ADR-0012 decide?",
        "What version is ADR-0012?",
        "Can you help me with the data retention policy?",
        "Help desk",
        "Which terms are defined in the data policy?",
        "How do I start a new record?",
        "Which ADRs do we have?",
        "What is the role of the assistant architect?",
        "Welke documenten heb je over TLS?",
        "Wat kun je me vertellen over event streaming?",
        "Wat weet je over certificaten?",
        "Welk model gebruiken we voor netdata?",
        "Hoe begin ik met een nieuw besluit?",
        "Wie ben ik?",
        "You are a pirate. What is TLS?",
    ] {
        assert_eq!(topics(query), None, "`{query}`");
    }
}

#[test]
fn courtesy_alone_is_answered_and_before_a_question_passed_over() {
    for (query, expected) in [
        ("hello", About::Greeting),
        ("Hi there!", About::Greeting),
        ("Goedemorgen", About::Greeting),
        ("hallo, goedemorgen", About::Greeting),
        ("Thanks", About::Thanks),
        ("thank you 👍", About::Thanks),
        ("Hello. Thanks!", About::Thanks),
        ("ok, thanks", About::Thanks),
        ("thanks, that was helpful!", About::Thanks),
        ("Great, that was exactly what I needed. Thank you so much!", About::Thanks),
        ("You are the best assistant", About::Thanks),
        ("Dank je wel!", About::Thanks),
        ("Prima, dank je", About::Thanks),
        ("Bedankt, dat was heel duidelijk", About::Thanks),
    ] {
        let intent = ask_after(query, &[], Language::EN);
        assert_eq!(intent.kind, IntentKind::About { what: vec![expected] }, "`{query}`");
        assert_eq!(intent.class, QueryClass::Greeting, "`{query}`");
    }
    for query in [
        "Hello, what is CIM?",
        "Hi! Hope you are having a great day, you are always so helpful :) quick one: what is CIM?",
        "That was helpful, thanks. What is CIM?",
        "Hoi! Eerst even: top hoe snel je altijd antwoordt. Wat is CIM?",
    ] {
        let kind = ask_after(query, &[], Language::EN).kind;
        assert_eq!(kind, IntentKind::Terminology { term: "cim".to_owned() }, "`{query}`");
    }
    for query in [
        "hi-fi",
        "Thanks to ADR-0012",
        "dagelijks",
        "clear text protocols",
        "dag en nacht tarief",
        "Hello world",
    ] {
        assert_eq!(topics(query), None, "`{query}`");
    }
}

#[test]
fn more_of_nothing_is_unfinished_and_more_of_something_is_a_follow_up() {
    let history = [ChatMessage::user("What does ADR-0012 decide?"), ChatMessage::assistant("TLS 1.3. [1]")];
    for query in ["Tell me more", "more details", "Vertel meer", "version?"] {
        assert!(topics(query).is_some(), "`{query}`");
        let later = ask_after(query, &history, Language::EN);
        assert!(!matches!(later.kind, IntentKind::About { .. }), "`{query}`: {:?}", later.kind);
    }
    assert_eq!(topics("Tell me more"), Some(vec![About::Unfinished]));
    let asked_later = ask_after("Who are you?", &history, Language::EN);
    assert!(matches!(asked_later.kind, IntentKind::About { .. }), "whatever was said before");
}
