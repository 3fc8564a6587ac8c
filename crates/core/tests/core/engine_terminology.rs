//! The vocabulary of record: IR3's SKOS-01 to SKOS-05 and its four scenarios, over a fake vocabulary.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, Holdings, Lookup, TextIn, Vocabulary, VocabularyError};
use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::{
    Action, AnswerEvent, AnswerSource, AskResponse, ConceptLink, ConceptNote, LabelMatch, RefusalReason,
};
use plumbline_telemetry::names;
use plumbline_testkit::documents::{adr, chunk, policy};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::{CIMXML, Rig, cited, vocabulary};
use plumbline_testkit::vocabulary::{FakeVocabulary, concept};

fn with(vocabulary: FakeVocabulary) -> Rig {
    Rig::with().vocabulary(vocabulary).build()
}

/// Look-ups, hits, misses, timeouts and errors of a backend, and what the cache answered.
fn counts(rig: &Rig, backend: &str) -> [u64; 6] {
    let value = |value: f64| value as u64;
    [
        value(rig.metrics.value(&names::SKOSMOS_LOOKUP_TOTAL, [backend])),
        value(rig.metrics.value(&names::SKOSMOS_HIT_TOTAL, [backend])),
        value(rig.metrics.value(&names::SKOSMOS_MISS_TOTAL, [backend])),
        value(rig.metrics.value(&names::SKOSMOS_TIMEOUT_TOTAL, [backend])),
        value(rig.metrics.value(&names::SKOSMOS_ERROR_TOTAL, [backend])),
        value(rig.metrics.value(&names::SKOSMOS_CACHE_HIT_TOTAL, ["cache"])),
    ]
}

fn abstentions(rig: &Rig, reason: &str) -> f64 {
    rig.metrics.value(&names::RAG_ABSTENTION_TOTAL, [reason])
}

#[track_caller]
fn assert_refused(response: &AskResponse, reason: RefusalReason) {
    assert_eq!((response.refused, response.refusal_reason), (true, Some(reason)), "{}", response.answer);
    assert_eq!(response.action, Action::Refuse);
    assert!(
        response.citations.is_empty() && response.definition.is_none(),
        "nothing is invented: {response:#?}"
    );
}

#[tokio::test]
async fn scenario_skosmos_match_exists() {
    let rig = with(vocabulary().backed_by("skosmos"));
    let asked = rig.ask("What is CIMXML?").await;
    let response = asked.response();
    assert_eq!(response.action, Action::Cite);
    assert_eq!(response.answer, format!("{CIMXML} [1]"), "the definition byte for byte, and its citation");
    let definition = response.definition.as_ref().unwrap();
    assert_eq!(definition.definitions, [CIMXML]);
    assert_eq!(
        (definition.concept_id.as_str(), definition.preferred_label.as_str()),
        ("vocab-cimxml", "CIMXML")
    );
    assert_eq!(cited(response), ["vocab-cimxml:0"]);
    let citation = &response.citations[0];
    assert_eq!((citation.source.as_str(), citation.document_id.as_str()), ("SKOSMOS", "vocab-cimxml"));
    assert_eq!((citation.doc_type.as_str(), citation.snippet_full.as_str()), ("Vocabulary", CIMXML));
    assert_eq!(counts(&rig, "skosmos"), [1, 1, 0, 0, 0, 0]);
    assert_eq!(asked.screen(), response.answer, "what streams is what stands in the response");
    assert_eq!(rig.record().routing.destination, "skosmos");
    assert!(!response.fallback_mode && !response.transparency.show_to_user);
}

#[tokio::test]
async fn scenario_skosmos_returns_nothing() {
    let rig = Rig::new();
    let response = rig.answer("What is FooBarBaz?").await;
    assert_refused(&response, RefusalReason::TerminologyNotFound);
    assert!(response.answer.contains("“foobarbaz” is not defined in the vocabulary"), "{}", response.answer);
    assert_eq!(counts(&rig, "embedded"), [1, 0, 1, 0, 0, 0]);
    assert_eq!(abstentions(&rig, "terminology_not_found"), 1.0);
}

#[tokio::test(start_paused = true)]
async fn scenario_skosmos_timeout() {
    let rig = with(vocabulary().backed_by("skosmos"));
    rig.vocabulary.faults.delay(Duration::from_millis(501));
    let before = tokio::time::Instant::now();
    let response = rig.answer("What is CIMXML?").await;
    assert_eq!(before.elapsed(), Duration::from_millis(300), "300 ms in all, not the server's 501");
    assert_refused(&response, RefusalReason::TerminologyTimeout);
    assert!(response.answer.contains("could not verify “cimxml”"), "{}", response.answer);
    assert!(response.answer.contains("300 ms"), "the number that failed: {}", response.answer);
    assert_eq!(counts(&rig, "skosmos"), [1, 0, 0, 1, 0, 0]);
    assert_eq!(abstentions(&rig, "terminology_timeout"), 1.0);
    assert_eq!(response.retrieval_quality.fallback_reasons, ["skosmos_timeout"]);
    assert!(response.fallback_mode);
}

#[tokio::test]
async fn scenario_ambiguous_term() {
    let rig = Rig::new();
    let response = rig.answer("What is CIM?").await;
    assert_eq!((response.action, response.refused), (Action::Clarify, false));
    let picker = response.clarification.unwrap();
    assert_eq!(picker.question, "“cim” has several meanings. Which one do you mean?");
    let details: Vec<_> = picker.options.iter().filter_map(|option| option.detail.as_deref()).collect();
    assert_eq!(
        details,
        [
            "Test vocabulary — The Common Information Model of IEC 61970.",
            "Test vocabulary — Customer information management."
        ]
    );
    assert_eq!(counts(&rig, "embedded"), [1, 1, 0, 0, 0, 0], "an ambiguous term is found");
}

#[tokio::test]
async fn skos_01_known_term() {
    let response = Rig::new().answer("Define substation").await;
    assert_eq!(response.answer, "A node of the network where voltage is transformed. [1]");
    assert_eq!(response.citations[0].source, "vocabulary.ttl", "an embedded vocabulary goes by its file");
}

#[tokio::test]
async fn skos_02_a_term_that_neither_vocabulary_nor_documents_explain_is_refused() {
    let rig = Rig::new();
    let response = rig.answer("What is a wormhole?").await;
    assert_refused(&response, RefusalReason::TerminologyNotFound);
    let labels: Vec<&str> = response.suggestions.iter().map(|suggestion| suggestion.label.as_str()).collect();
    assert_eq!(labels.len(), 4, "three nearest labels and the documents: {labels:?}");
    assert!(labels[..3].iter().all(|label| label.starts_with("Did you mean “")), "{labels:?}");
    assert_eq!(labels[3], "Search the documents for wormhole");
    assert_eq!(rig.record().routing.destination, "skosmos");
    for suggestion in response.suggestions {
        let request =
            AskRequest { query: suggestion.query, choice: suggestion.choice, ..AskRequest::default() };
        let next = rig.request(request).await;
        assert_ne!(
            next.response().refusal_reason,
            Some(RefusalReason::TerminologyNotFound),
            "every way on leads somewhere: {}",
            suggestion.label
        );
    }
}

#[tokio::test]
async fn what_the_documents_say_of_an_unknown_term_is_said_to_be_theirs() {
    let rig = Rig::new();
    for (query, remark) in [
        ("What is meant by a central broker?", "“central broker” is not in the vocabulary of record"),
        ("Wat betekent noodtoegang?", "“noodtoegang” staat niet in het begrippenkader"),
    ] {
        let response = rig.answer(query).await;
        assert_eq!(
            (response.action, response.source),
            (Action::Cite, AnswerSource::Library),
            "{response:#?}"
        );
        assert!(response.definition.is_none(), "a definition is the vocabulary's alone");
        let said = response.transparency.statement.unwrap_or_default();
        assert!(said.contains(remark), "{said}");
        assert!(!response.citations.is_empty());
    }
}

#[tokio::test]
async fn skos_03_the_test_trigger_times_out_above_every_backend() {
    for rig in [Rig::new(), with(vocabulary().backed_by("skosmos"))] {
        for query in ["Define __TEST_SKOSMOS_TIMEOUT__", "What is __TEST_SKOSMOS_TIMEOUT__?"] {
            let response = rig.answer(query).await;
            assert_refused(&response, RefusalReason::TerminologyTimeout);
            assert_eq!(response.retrieval_quality.fallback_reasons, ["skosmos_timeout"]);
        }
        assert_eq!(rig.vocabulary.calls(), 0, "no backend is asked");
        assert_eq!(abstentions(&rig, "terminology_timeout"), 2.0);
        assert_eq!(rig.metrics.snapshot().total(&names::SKOSMOS_TIMEOUT_TOTAL), 2.0);
        for _ in 0..9 {
            rig.answer("Define __TEST_SKOSMOS_TIMEOUT__").await;
        }
        assert!(rig.engine.banner().is_empty(), "a trigger does not turn the vocabulary off for others");
    }
}

#[tokio::test]
async fn skos_04_choosing_from_the_picker_answers() {
    let rig = Rig::new();
    let picker = rig.answer("What is CIM?").await.clarification.unwrap();
    let chosen = picker.options[1].clone();
    for query in [chosen.query, "What is CIM?".to_owned()] {
        let request = AskRequest { query, choice: Some(chosen.choice.clone()), ..AskRequest::default() };
        let response = rig.request(request).await.result.unwrap();
        assert_eq!(response.answer, "Customer information management. [1]");
        assert_eq!(response.definition.unwrap().term, "cim");
        assert_eq!(response.citations[0].document_id, "vocab-cim-2");
    }
}

#[tokio::test]
async fn a_choice_that_is_gone_abstains() {
    let rig = Rig::new();
    let choice = Some(Choice::Concept { uri: "https://vocabulary.example.org/gone".to_owned() });
    let asked = rig.request(AskRequest { query: "CIM".to_owned(), choice, ..AskRequest::default() }).await;
    assert_refused(asked.response(), RefusalReason::TerminologyNotFound);
}

#[tokio::test]
async fn skos_05_a_cache_hit_is_not_a_look_up() {
    let rig = with(vocabulary().backed_by("skosmos").caching());
    let first = rig.answer("What is CIMXML?").await;
    let second = rig.answer("Define  cimxml").await;
    assert_eq!(second.answer, first.answer);
    assert_eq!(counts(&rig, "skosmos"), [1, 1, 0, 0, 0, 1]);
    rig.answer("What is FooBarBaz?").await;
    rig.answer("What is FooBarBaz?").await;
    assert_eq!(counts(&rig, "skosmos"), [2, 1, 1, 0, 0, 2], "misses are cached too");
    assert_eq!(abstentions(&rig, "terminology_not_found"), 2.0, "but each of them is an abstention");
}

#[tokio::test]
async fn an_error_says_that_the_term_could_not_be_verified() {
    let rig = with(vocabulary().backed_by("skosmos"));
    rig.vocabulary.faults.fail(true);
    let response = rig.answer("What is CIMXML?").await;
    assert_refused(&response, RefusalReason::TerminologyError);
    assert!(response.answer.contains("could not verify “cimxml”"), "{}", response.answer);
    assert_eq!(response.retrieval_quality.fallback_reasons, ["skosmos_error"]);
    assert_eq!(counts(&rig, "skosmos"), [1, 0, 0, 0, 1, 0]);
    let buttons: Vec<_> = response.suggestions.iter().map(|suggestion| suggestion.label.as_str()).collect();
    assert_eq!(buttons, ["Search the documents for cimxml"]);
}

#[tokio::test]
async fn an_open_breaker_is_a_terminology_error() {
    let rig = with(vocabulary().backed_by("skosmos"));
    rig.vocabulary.faults.fail_times(5);
    for _ in 0..5 {
        rig.answer("What is CIMXML?").await;
    }
    assert_eq!(rig.vocabulary.calls(), 5);
    let response = rig.answer("What is CIMXML?").await;
    assert_refused(&response, RefusalReason::TerminologyError);
    assert_eq!(rig.vocabulary.calls(), 5, "the server is left alone");
    assert_eq!(response.retrieval_quality.fallback_reasons, ["skosmos_error", "circuit_open"]);
    assert_eq!(abstentions(&rig, "terminology_error"), 6.0);
    assert_eq!(rig.engine.banner()[0].service, "vocabulary");

    rig.clock.advance(Duration::from_secs(30));
    assert_eq!(rig.answer("What is CIMXML?").await.action, Action::Cite, "it recovers by itself");
    rig.answer("What is CIMXML?").await;
    assert!(rig.engine.banner().is_empty());
}

#[tokio::test]
async fn without_a_vocabulary_the_documents_are_asked_and_none_is_spoken_of() {
    let rig = Rig::with().ports(|ports| ports.vocabulary = None).build();
    let found = rig.answer("What is the Common Information Model?").await;
    assert_eq!((found.action, found.source), (Action::Cite, AnswerSource::Library), "{found:#?}");
    let missing = rig.answer("What is a wormhole?").await;
    assert_eq!(missing.refusal_reason, Some(RefusalReason::OffTopic));
    for response in [found, missing] {
        let told = serde_json::to_string(&response).unwrap();
        assert!(!told.contains("vocabulary of record") && !response.answer.contains("vocabulary"), "{told}");
    }
}

#[tokio::test]
async fn a_term_is_found_without_what_stands_around_it() {
    let rig = Rig::new();
    for query in [
        "What is \"substation\"?",
        "What are substations?",
        "What does the term substation mean exactly?",
        "What do we mean by a substation?",
        "Define substation in one sentence",
        "What is a substation in energy systems?",
        "What is a substation according to our vocabulary?",
        "What is a substation, as used here?",
        "Can you explain what a substation is?",
        "Wat verstaan wij onder een \"substation\"?",
        "Wat houdt substation in?",
        "Waar staat substation voor?",
        "Wat betekent substation volgens het begrippenkader?",
        "Definieer substation in één zin.",
        "Wat is een substation bij ons?",
        "substation",
        "Substation?",
    ] {
        let response = rig.answer(query).await;
        assert!(
            response.answer.starts_with("A node of the network where voltage is transformed. [1]"),
            "`{query}`: {}",
            response.answer
        );
        assert_eq!(
            (response.source, cited(&response)),
            (AnswerSource::Vocabulary, vec!["vocab-substation:0".to_owned()])
        );
        assert_eq!(response.definition.unwrap().term, "substation", "`{query}`");
    }
}

#[tokio::test]
async fn the_whole_term_comes_before_its_parts() {
    let rig = with(
        FakeVocabulary::new()
            .define("Balance in transport", "Feed-in equals take-off.")
            .define("Balance", "A sum."),
    );
    assert_eq!(rig.answer("What is balance in transport?").await.answer, "Feed-in equals take-off. [1]");
    assert_eq!(rig.answer("What is balance in trade?").await.answer, "A sum. [1]");
}

#[tokio::test]
async fn a_scheme_that_the_question_names_decides_between_homonyms() {
    let of =
        |scheme: &str, text: &str| Concept { vocabulary: scheme.to_owned(), ..concept("Zone", Some(text)) };
    let rig = with(
        FakeVocabulary::new()
            .with(of("Energy market", "A price area."))
            .with(of("Network security", "A guarded part of a network.")),
    );
    assert_eq!(rig.answer("What is a zone?").await.action, Action::Clarify, "both are meant");
    let market = rig.answer("What is a zone in the energy market?").await;
    assert_eq!(market.answer, "A price area. [1]");
}

#[tokio::test]
async fn schemes_that_say_the_same_are_one_answer() {
    let of =
        |scheme: &str| Concept { vocabulary: scheme.to_owned(), ..concept("Zone", Some("A price area.")) };
    let rig = with(FakeVocabulary::new().with(of("Market")).with(of("Trade")));
    let response = rig.answer("What is a zone?").await;
    assert_eq!(response.answer, "A price area. [1]\n\nThe same definition stands in Market and Trade.");
}

#[tokio::test]
async fn two_terms_that_are_compared_are_both_defined() {
    let rig = Rig::new();
    for query in [
        "What is the difference between a substation and a transformer?",
        "Substation versus transformer: where is the limit?",
        "Compare substations with transformers",
        "Wat is het verschil tussen substation en transformer?",
    ] {
        let response = rig.answer(query).await;
        for side in [
            "**Substation**: A node of the network where voltage is transformed. [1]",
            "**Transformer**: A device that changes voltage. [2]",
        ] {
            assert!(response.answer.contains(side), "`{query}`: {}", response.answer);
        }
        assert_eq!(cited(&response), ["vocab-substation:0", "vocab-transformer:0"]);
        assert_eq!(response.definition.unwrap().preferred_label, "Substation");
    }
    let unknown = rig.answer("What is the difference between a substation and a wormhole?").await;
    assert_ne!(unknown.source, AnswerSource::Vocabulary, "one side alone answers nothing");
}

#[tokio::test]
async fn a_concept_without_a_definition_says_so() {
    let note =
        ConceptNote { kind: "scopeNote".to_owned(), text: "Used in planning.".to_owned(), language: None };
    let rig = with(FakeVocabulary::new().with(Concept { notes: vec![note], ..concept("Feeder", None) }));
    let response = rig.answer("What is a feeder?").await;
    assert_eq!((response.action, response.refused), (Action::Cite, false));
    let expected =
        "The vocabulary holds “Feeder”, but no definition of it. What it does hold is shown below. [1]";
    assert_eq!(response.answer, format!("{expected}\n\nscopeNote: Used in planning."));
    assert!(response.definition.unwrap().definitions.is_empty(), "a scope note is no definition");
    assert_eq!(response.citations[0].snippet_full, "scopeNote: Used in planning.");
    assert_eq!(response.suggestions[0].choice, Some(Choice::SearchDocuments));
}

#[tokio::test]
async fn a_deprecated_concept_names_its_replacement() {
    let by = ConceptLink {
        label: "Switchgear".to_owned(),
        uri: "https://vocabulary.example.org/switchgear".to_owned(),
    };
    let old = Concept { deprecated: true, replaced_by: vec![by], ..concept("Breaker", Some("A switch.")) };
    let rig = with(vocabulary().with(old));
    let response = rig.answer("What is a breaker?").await;
    assert_eq!(response.answer, "A switch. [1]\n\n“Breaker” is deprecated; use “Switchgear” instead.");
    assert_eq!(response.citations[0].status.as_deref(), Some("deprecated"));
    let next = response.suggestions[0].clone();
    let request = AskRequest { query: next.query, choice: next.choice, ..AskRequest::default() };
    assert_eq!(rig.request(request).await.response().answer, "Devices that switch a circuit. [1]");
}

#[tokio::test]
async fn a_non_preferred_label_says_so() {
    let tso = Concept {
        alternative_labels: vec!["TSO".to_owned()],
        ..concept("Transmission operator", Some("Runs the transmission network."))
    };
    let rig = with(FakeVocabulary::new().with(tso));
    let response = rig.answer("What is TSO?").await;
    assert_eq!(
        response.answer,
        "Runs the transmission network. [1]\n\n“tso” is not the preferred term; that is “Transmission operator”."
    );
    assert_eq!(response.definition.unwrap().matched, LabelMatch::Alternative);
}

#[tokio::test]
async fn a_definition_in_another_language_says_so() {
    let text = "Een knooppunt in het net.".to_owned();
    let node = Concept {
        definitions: vec![TextIn { text: text.clone(), language: Some("nl".to_owned()) }],
        ..concept("Node", None)
    };
    let rig = with(FakeVocabulary::new().with(node));
    let english = rig.answer("What is a node?").await;
    assert!(english.answer.starts_with(&format!("{text} [1]")), "verbatim all the same: {}", english.answer);
    assert!(english.answer.contains("in another language (nl)"), "{}", english.answer);
    let dutch = rig.answer("Wat betekent node?").await;
    assert_eq!(dutch.answer, format!("{text} [1]"));
    assert!(english.definition.unwrap().language_fallback && !dutch.definition.unwrap().language_fallback);
}

#[tokio::test]
async fn several_definitions_are_all_cited() {
    let two =
        ["First.", "Second."].map(|text| TextIn { text: text.to_owned(), language: Some("en".to_owned()) });
    let rig =
        with(FakeVocabulary::new().with(Concept { definitions: two.to_vec(), ..concept("Pair", None) }));
    let response = rig.answer("What is a pair?").await;
    assert_eq!(response.answer, "First.\n\nSecond. [1]");
    assert_eq!(response.citations[0].snippet_full, "First.\n\nSecond.", "the record's hash covers both");
}

#[tokio::test]
async fn no_model_words_a_definition() {
    let model = plumbline_testkit::model::FakeModel::honest();
    let rig = Rig::with().model(model).planning_and_judging().build();
    let asked = rig.ask("What is CIMXML?").await;
    assert_eq!(asked.response().answer, format!("{CIMXML} [1]"));
    assert_eq!((rig.model.calls(), rig.model.inspections()), (0, 0));
    let citation = asked.events.iter().position(|event| matches!(event, AnswerEvent::Citation(_)));
    let text = asked.events.iter().position(|event| matches!(event, AnswerEvent::Delta { .. }));
    assert!(citation.is_some() && citation < text, "the citation comes before the text that cites it");
}

#[tokio::test]
async fn a_term_that_a_document_defines_itself_is_answered_with_its_row_and_nothing_else() {
    let text = "The terms of this policy.\n\n| Term | Meaning |\n|---|---|\n\
                | air lock | a machine on its own that examines a file before it goes in |\n\
                | switch box | the box with the controller of one structure |\n";
    let used = "Files go in through the air lock, which has two scanners of different makers.";
    let library = FakeLibrary::new(vec![
        chunk(&policy("security", "Security policy"), 0, &["Terms"], text),
        chunk(&adr(7, "Separate the networks"), 0, &["Consequences"], used),
    ])
    .with_all_cosines(0.05);
    let rig = Rig::with().library(library).vocabulary(vocabulary()).build();
    let response = rig.answer("What is an air lock exactly?").await;
    assert_eq!(response.action, Action::Cite, "{}", response.answer);
    assert_eq!(
        response.answer,
        "| Term | Meaning |\n|---|---|\n| air lock | a machine on its own that examines a file before it goes in [1] |"
    );
    assert_eq!(response.citations.len(), 1);
    assert_eq!(response.citations[0].section, "Terms");
}

/// One concept as two languages name it.
struct Bilingual {
    english: FakeVocabulary,
    dutch: FakeVocabulary,
}

impl Bilingual {
    fn of(&self, language: Language) -> &FakeVocabulary {
        if language == Language::NL { &self.dutch } else { &self.english }
    }
}

#[async_trait]
impl Vocabulary for Bilingual {
    async fn lookup(&self, term: &str, language: Language) -> Result<Lookup, VocabularyError> {
        self.of(language).lookup(term, language).await
    }

    async fn concept(&self, uri: &str, language: Language) -> Result<Lookup, VocabularyError> {
        self.of(language).concept(uri, language).await
    }

    async fn nearest_labels(&self, term: &str, language: Language, limit: usize) -> Vec<String> {
        self.of(language).nearest_labels(term, language, limit).await
    }

    async fn expansions(&self, text: &str, language: Language) -> Vec<String> {
        self.of(language).expansions(text, language).await
    }

    fn holdings(&self, language: Language) -> Holdings {
        self.of(language).holdings(language)
    }

    fn backend(&self) -> &'static str {
        "embedded"
    }
}

#[tokio::test]
async fn a_bare_term_is_defined_in_the_language_that_it_is_a_label_of() {
    let english = concept("normally open point", Some("Where a switch stands open."));
    let english = Concept { alternative_labels: vec!["netopening".to_owned()], ..english };
    let definition =
        TextIn { text: "Waar een schakelaar openstaat.".to_owned(), language: Some("nl".to_owned()) };
    let dutch = Concept { definitions: vec![definition], ..concept("netopening", None) };
    let vocabulary = Arc::new(Bilingual {
        english: FakeVocabulary::new().with(english),
        dutch: FakeVocabulary::new().with(dutch),
    });
    let rig = Rig::with().ports(move |ports| ports.vocabulary = Some(vocabulary)).build();
    for query in ["netopening = ?", "netopening"] {
        assert_eq!(rig.answer(query).await.answer, "Waar een schakelaar openstaat. [1]", "`{query}`");
    }
    // A question that tells its language is answered in it.
    let response = rig.answer("What is a netopening?").await;
    assert!(response.answer.starts_with("Where a switch stands open. [1]"), "{}", response.answer);
}

#[tokio::test]
async fn a_note_that_explains_the_abbreviation_is_told_with_the_definition() {
    let notes = ["CSP stands for congestion service provider.", "Introduced in 2022."];
    let note = |text: &&str| ConceptNote {
        kind: "scopeNote".to_owned(),
        text: (*text).to_owned(),
        language: Some("en".to_owned()),
    };
    let provider = Concept {
        alternative_labels: vec!["CSP".to_owned()],
        notes: notes.iter().map(note).collect(),
        ..concept("congestion manager", Some("A party that relieves the network."))
    };
    let rig = with(FakeVocabulary::new().with(provider));
    let told = rig.answer("What does CSP stand for?").await.answer;
    assert!(told.starts_with("A party that relieves the network. [1]"), "{told}");
    assert!(told.contains(notes[0]) && !told.contains(notes[1]), "only the note that speaks of it: {told}");
    let by_name = rig.answer("What is a congestion manager?").await.answer;
    assert_eq!(by_name, "A party that relieves the network. [1]");
}

#[tokio::test]
async fn the_terms_about_something_are_listed_with_their_definitions_as_citations() {
    let (high, low) =
        (concept("High voltage", Some("Above 35 kV.")), concept("Low voltage", Some("Up to 1 kV.")));
    let link =
        |concept: &Concept| ConceptLink { label: concept.preferred_label.clone(), uri: concept.uri.clone() };
    let level = Concept { narrower: vec![link(&high), link(&low)], ..concept("Voltage level", None) };
    let held = || FakeVocabulary::default().with(level.clone()).with(high.clone()).with(low.clone());
    let asked = "Which voltage levels does the vocabulary know?";
    let response = with(held()).answer(asked).await;
    assert_eq!(
        response.answer,
        "2 terms about “voltage levels” in the vocabulary:\n- High voltage [1]\n- Low voltage [2]"
    );
    assert_eq!(response.source, AnswerSource::Vocabulary);
    let definitions: Vec<&str> =
        response.citations.iter().map(|citation| citation.snippet_full.as_str()).collect();
    assert_eq!(definitions, ["Above 35 kV.", "Up to 1 kV."]);

    let broken = held();
    broken.faults.fail(true);
    let about_another = "Which current levels does the vocabulary know?";
    assert_refused(&with(broken).answer(about_another).await, RefusalReason::TerminologyError);
    let only =
        Concept { narrower: vec![link(&high)], ..concept("Voltage level", Some("A range of voltages.")) };
    let told = with(FakeVocabulary::default().with(only).with(high.clone())).answer(asked).await;
    assert_eq!(told.answer, "A range of voltages. [1]", "where it is no list, what the topic means");
    let unknown = with(held()).answer("Which terms are there about event streaming?").await;
    assert_ne!(unknown.source, AnswerSource::Vocabulary, "the documents are asked: {}", unknown.answer);
}

#[tokio::test]
async fn a_term_is_defined_however_it_is_asked_for() {
    for asked in [
        "explain cimxml to me like i'm five",
        "CIMXML definition",
        "cimxml, what was that supposed to mean again?",
    ] {
        let response = with(vocabulary()).answer(asked).await;
        assert_eq!(response.source, AnswerSource::Vocabulary, "`{asked}`: {}", response.answer);
        assert!(response.answer.starts_with(CIMXML), "`{asked}`: {}", response.answer);
    }
    let other = with(vocabulary()).answer("explain event streaming to me").await;
    assert_ne!(other.source, AnswerSource::Vocabulary, "what is no term is a question to the documents");
}
