//! Tests of where questions go.

use proptest::prelude::*;

use super::*;
use crate::request::ChatMessage;

fn ask(query: &str) -> Intent {
    ask_after(query, &[], Language::EN)
}

/// What a question asks for after this conversation.
pub(super) fn ask_after(query: &str, history: &[ChatMessage], expected: Language) -> Intent {
    classify(Question::in_conversation(query, history, expected), !history.is_empty())
}

#[test]
fn references_make_an_entity() {
    for (query, named) in [
        ("ADR-0031", &["adr-0031"][..]),
        ("What does ADR.0031 decide?", &["adr-0031"]),
        ("What does ADR-9999 decide?", &["adr-9999"]),
        ("Define the encryption requirements in ADR-0015", &["adr-0015"]),
        ("Compare ADR 7 and ADR-0021", &["adr-0007", "adr-0021"]),
        ("ADR 7 or ADR-0007?", &["adr-0007"]),
        ("What does principle 39 say?", &["pcp-0039"]),
        ("Wat staat er in ADR.12D?", &["adr-0012d"]),
    ] {
        let intent = ask(query);
        let IntentKind::Entity { references } = &intent.kind else { panic!("`{query}`: {:?}", intent.kind) };
        let ids: Vec<_> = references.iter().filter_map(Reference::id).map(String::from).collect();
        assert_eq!(
            (ids.as_slice(), intent.confidence),
            (&named.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()[..], 0.95)
        );
        assert_eq!(intent.references(), references, "`{query}`");
    }
}

#[test]
fn kinds_that_a_question_names() {
    use Kind::{Adr, Dar, Policy, Principle};
    for (query, kinds) in [
        ("Security decisions and principles", &[Adr, Principle][..]),
        ("What are the interoperability principles?", &[Principle]),
        ("What is the data retention policy?", &[Policy]),
        ("Which ADR decides on TLS?", &[Adr]),
        ("What do the approval records say?", &[Dar]),
        ("What does ADR-0012 decide?", &[]),
        ("Does ADR-0012 follow our principles?", &[Principle]),
        ("Welke besluiten gaan over beveiliging?", &[Adr]),
        ("Wat zegt het cloudbeleid?", &[Policy]),
        ("Wat zeggen de principes en het beleid?", &[Principle, Policy]),
        ("How do we ensure grid stability?", &[]),
    ] {
        assert_eq!(ask(query).question.kinds, kinds, "`{query}`");
    }
}

#[test]
fn a_fragment_gets_a_picker_only_where_nothing_places_it() {
    for query in
        ["encryption", "smart meters", "Smart meters?", "encryption at rest", "TLS 1.3", "slimme meters"]
    {
        let intent = ask(query);
        let term = terminology::term(&fold(query));
        let interpretations = vec![Interpretation::Define { term }, Interpretation::SearchDocuments];
        assert_eq!(intent.kind, IntentKind::Unclear { interpretations }, "`{query}`");
        assert!(intent.confidence < numbers().intent.picker_below, "`{query}`");
        let later =
            ask_after(query, &[ChatMessage::user("What is CIM?"), ChatMessage::assistant("…")], Language::EN);
        assert_eq!(
            (later.kind, later.confidence),
            (IntentKind::Semantic, 0.75),
            "`{query}` in a conversation"
        );
    }
    assert!(matches!(ask("policy").kind, IntentKind::Unclear { .. }), "a kind alone asks nothing yet");
    let security = ask("security principles");
    assert_eq!((security.kind, security.confidence), (IntentKind::Semantic, 0.75), "a kind places it");
    for query in ["why encryption", "use TLS", "explain encryption", "encryption of data in backups"] {
        assert_eq!((ask(query).kind, ask(query).confidence), (IntentKind::Semantic, 0.8), "`{query}`");
    }
}

#[test]
fn a_bare_number_offers_the_records_that_bear_it() {
    for (query, named) in [
        ("0012", &["ADR-0012", "PCP-0012"][..]),
        ("#39?", &["ADR-0039", "PCP-0039"]),
        ("12D", &["ADR-0012D"]),
    ] {
        let IntentKind::Unclear { interpretations } = ask(query).kind else { panic!("`{query}` is unclear") };
        let documents: Vec<_> = interpretations
            .iter()
            .filter_map(|interpretation| match interpretation {
                Interpretation::Document { reference } => Some(reference.display()),
                _ => None,
            })
            .collect();
        assert_eq!(documents, named, "`{query}`");
        assert_eq!(interpretations.last(), Some(&Interpretation::SearchDocuments), "`{query}`");
    }
}

#[test]
fn classes_are_recorded() {
    for (query, class) in [
        ("How do we ensure grid stability?", QueryClass::Procedural),
        ("How can I propose an ADR?", QueryClass::Procedural),
        ("Show me how to publish a data set", QueryClass::Procedural),
        ("What is the process for proposing an ADR?", QueryClass::Procedural),
        ("Hoe vraag ik toegang aan?", QueryClass::Procedural),
        ("How long do we keep meter data?", QueryClass::Factual),
        ("What is CIM?", QueryClass::Factual),
        ("Hoe lang bewaren we meetgegevens?", QueryClass::Factual),
    ] {
        assert_eq!(ask(query).class, class, "`{query}`");
    }
}

#[test]
fn the_language_is_the_questions_own_or_the_expected_one() {
    assert_eq!(ask_after("Wat is CIM?", &[], Language::EN).question.language, Language::NL);
    assert_eq!(ask_after("ADR-0031", &[], Language::NL).question.language, Language::NL);
}

#[test]
fn nothing_makes_it_fail() {
    let long = "What is ".repeat(12_500);
    let hostile = [
        "",
        " ",
        "?",
        "…!?",
        "\0",
        "\u{202E}ADR\u{202C}-12",
        "👩‍👩‍👧",
        "\u{1F468}\u{200D}",
        "\u{301}\u{301}",
        "what is",
        "What is ?",
        "what is \"\"",
        "list",
        "list ",
        "how many",
        "who approved",
        "ADR",
        "policy",
        "the policy",
        "und",
        "and",
        "en",
        "Define \"",
        "What is the",
        "İstanbul ADR 12",
        "ﬁle 0012-x.md",
        &long,
    ];
    for query in hostile {
        let history = [ChatMessage::user(query), ChatMessage::assistant(query)];
        for intent in [ask_after(query, &[], Language::EN), ask_after(query, &history, Language::NL)] {
            assert!((0.0..=1.0).contains(&intent.confidence));
        }
        is_terminology_query(query);
    }
    let letters = "é".repeat(50_000);
    assert_eq!(ask(&letters).kind, IntentKind::Semantic, "a wall of text is no term");
}

proptest! {
    #[test]
    fn any_question_is_classified_the_same_way_twice(query in "\\PC{0,300}", earlier in "\\PC{0,80}") {
        let history = [ChatMessage::user(earlier.as_str()), ChatMessage::assistant(query.as_str())];
        prop_assert_eq!(ask_after(&query, &history, Language::EN), ask_after(&query, &history, Language::EN));
        prop_assert_eq!(is_terminology_query(&query), is_terminology_query(&query));
        for (range, reference) in references(&query) {
            prop_assert_eq!(&query[range], reference.written);
        }
    }

    #[test]
    fn words_of_the_packs_in_any_order_are_classified(
        words in prop::collection::vec(prop::sample::select(vec![
            "what", "is", "the", "ADR", "12", "ADRs", "policy", "list", "all", "about", "who", "approved", "it",
            "and", "its", "status", "of", "en", "wat", "de", "principes", "policy-x:1", "0012-a.md", "?", ",", "\"",
            "van", "het", "beleid", "D",
        ]), 0..12),
        spaced in any::<bool>(),
    ) {
        let query = words.join(if spaced { " " } else { "" });
        let history = [ChatMessage::user("What is CIM?"), ChatMessage::assistant("See ADR-0012.")];
        for history in [&[][..], &history] {
            let intent = ask_after(&query, history, Language::EN);
            prop_assert!(intent.question.completed || intent.question.text == query);
            let unclear = matches!(intent.kind, IntentKind::Unclear { .. });
            prop_assert_eq!(unclear, intent.confidence < numbers().intent.picker_below);
        }
    }
}
