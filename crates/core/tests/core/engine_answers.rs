//! Entity and semantic questions without a language model: verbatim extracts, or a refusal that helps.

use plumbline_core::domain::Kind;
use plumbline_core::request::{AskRequest, ChatMessage, Choice};
use plumbline_core::response::{Action, AskResponse, NoticeKind, RefusalReason};
use plumbline_core::settings::Settings;
use plumbline_telemetry::names;
use plumbline_testkit::documents::{adr, chunk, policy, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::reranker::FakeReranker;
use plumbline_testkit::rig::{Rig, chunks, cited, edit, library};

const EVENTS: &str = "How do applications exchange events?";

/// Every sentence of an extractive answer, without its citation.
fn sentences(answer: &str) -> Vec<&str> {
    answer
        .split("\n\n")
        .map(|block| block.rsplit_once(" [").map_or(block, |(sentence, _)| sentence))
        .collect()
}

#[track_caller]
fn assert_verbatim(response: &AskResponse) {
    assert!(!response.citations.is_empty(), "no citation: {}", response.answer);
    for sentence in sentences(&response.answer) {
        let held = response.citations.iter().any(|citation| citation.snippet_full.contains(sentence));
        assert!(held, "`{sentence}` is in no cited passage");
    }
    for number in 1..=response.citations.len() {
        assert!(response.answer.contains(&format!("[{number}]")), "citation {number} stands in the answer");
        assert_eq!(response.citations[number - 1].number, number);
    }
}

/// The response as a user could compare two: without its id and times.
fn comparable(response: &AskResponse) -> String {
    let mut response = response.clone();
    response.request_id.clear();
    response.generation_time_ms = 0.0;
    for stage in &mut response.stages {
        stage.ms = 0.0;
    }
    serde_json::to_string(&response).unwrap()
}

#[tokio::test]
async fn extracts_are_verbatim_cited_and_no_degradation() {
    let rig = Rig::new();
    let asked = rig.ask(EVENTS).await;
    let response = asked.response();
    assert_eq!((response.action, response.refused, response.grounded), (Action::Cite, false, true));
    let paragraph = "Applications exchange events through one central broker. A publisher does not know its subscribers. [1]";
    assert_eq!(response.answer, paragraph);
    assert_verbatim(response);
    assert_eq!(response.model_used, None);
    let statement = response.transparency.statement.as_deref().unwrap();
    assert!(statement.contains("no language model took part"), "{statement}");
    let quality = &response.retrieval_quality;
    assert!(
        !quality.fallback_active && !quality.degraded && !response.fallback_mode,
        "it is the default mode"
    );
    let confidence = response.confidence.unwrap();
    assert_eq!(confidence.overall, confidence.adjusted, "no penalty");
    assert_eq!(asked.screen(), response.answer);
    assert!(!asked.replaced());
    for stage in ["planner", "budget", "generation", "judge", "rerank", "rewrites", "curated"] {
        assert!(asked.stage(stage).starts_with("skipped: no "), "{stage}: {}", asked.stage(stage));
    }
    for stage in ["intent", "embedding", "dense", "lexical", "filters", "gates", "audit", "confidence"] {
        assert_eq!(asked.stage(stage), "ok", "{stage}");
    }
    assert_eq!(rig.metrics.snapshot().total(&names::CITATION_KEPT_TOTAL), 1.0);
}

#[tokio::test]
async fn a_named_record_is_answered_from_its_own_passages() {
    let rig = Rig::new();
    let asked = rig.ask("What are the consequences of ADR-0012?").await;
    let response = asked.response();
    assert_eq!(cited(response), ["adr-0012:2"], "the part that is asked for");
    assert_verbatim(response);
    assert_eq!(asked.stage("dense"), "skipped: the question names a record");
    let decided = rig.answer("What does ADR-0012 decide?").await;
    assert_eq!(cited(&decided), ["adr-0012:1"]);
    assert!(decided.warnings.is_empty(), "the section `Decision` answers “decide”: {:?}", decided.warnings);
    assert_eq!(rig.audit.records()[0].routing.reference.as_deref(), Some("ADR-0012"));
    let bare = rig.answer("adr 12").await;
    assert!(cited(&bare).iter().all(|source| source.starts_with("adr-0012:")), "{:?}", cited(&bare));
}

#[tokio::test]
async fn a_record_that_is_unknown_beside_one_that_is_known_is_said() {
    let response = Rig::new().answer("What do ADR-0012 and ADR-0099 decide?").await;
    assert_eq!(response.action, Action::Cite);
    assert!(
        response.warnings.iter().any(|warning| warning.contains("There is no ADR-0099")),
        "{:?}",
        response.warnings
    );
}

#[tokio::test]
async fn who_names_a_record_is_shown_it_however_unsure_the_answer_is() {
    let rig = Rig::new();
    for question in ["Contrast ADR-0012 with ADR-0007", "What does ADR-0012 say about unicorns?"] {
        let response = rig.answer(question).await;
        assert_eq!(response.action, Action::Route, "`{question}`: {}", response.answer);
        assert!(cited(&response).contains(&"adr-0012:1".to_owned()), "`{question}`: {:?}", cited(&response));
        assert!(!response.warnings.is_empty(), "`{question}`: what the record does not mention is said");
    }
}

#[tokio::test]
async fn the_same_question_gets_the_same_response_byte_for_byte() {
    let questions = [
        EVENTS,
        "What does ADR-0012 decide?",
        "Which devices use TLS 1.2?",
        "Wanneer vervallen rechten?",
        "What is FooBarBaz?",
        "How is quantum teleportation billed?",
        "List all documents",
    ];
    let rig = Rig::new();
    let mut backwards = chunks();
    backwards.reverse();
    let other = Rig::with().library(FakeLibrary::new(backwards)).build();
    for question in questions {
        let first = comparable(&rig.answer(question).await);
        for _ in 0..4 {
            assert_eq!(comparable(&rig.answer(question).await), first, "`{question}`");
        }
        assert_eq!(
            comparable(&other.answer(question).await),
            first,
            "`{question}` over chunks indexed backwards"
        );
    }
    assert_eq!(rig.audit.records().len(), questions.len() * 5);
}

#[tokio::test]
async fn equal_scores_are_ordered_by_chunk_id() {
    let rig = Rig::with().edit_library(|library| library.with_all_cosines(0.7)).build();
    let first = rig.answer("Which formats and standards do applications prefer?").await;
    let again = rig.answer("Which formats and standards do applications prefer?").await;
    assert_eq!(comparable(&first), comparable(&again));
    let records = rig.audit.records();
    let order = |at: usize| -> Vec<String> {
        records[at].retrieval.candidates.iter().map(|candidate| candidate.source_id.clone()).collect()
    };
    assert_eq!(order(0), order(1));
}

#[tokio::test]
async fn a_named_kind_keeps_its_place() {
    let tls = |number| adr(number, "TLS");
    let mut all: Vec<_> = (20..28)
        .map(|number| {
            let text = format!("Gateway {number} terminates encrypted traffic for zone {number}.");
            chunk(&tls(number), 0, &["Decision"], &text)
        })
        .collect();
    let principle = principle(50, "Privacy");
    all.push(chunk(
        &principle,
        0,
        &["Statement"],
        "Traffic is encrypted wherever people can be recognised in it.",
    ));
    let library = FakeLibrary::new(all).with_all_cosines(0.8).with_cosine("pcp-0050:0", 0.5);
    let rig = Rig::with().library(library).build();
    let kinds = |rig: &Rig| -> Vec<String> {
        let record = rig.audit.records().pop().unwrap();
        let kept = record.retrieval.candidates.into_iter().filter(|candidate| candidate.outcome == "kept");
        kept.map(|candidate| candidate.source_id).collect()
    };
    rig.answer("How is encrypted traffic terminated at the gateway?").await;
    assert!(
        !kinds(&rig).contains(&"pcp-0050:0".to_owned()),
        "it is not among the best five: {:?}",
        kinds(&rig)
    );
    let response = rig.answer("Which decision or principle treats encrypted traffic at the gateway?").await;
    assert!(
        kinds(&rig).contains(&"pcp-0050:0".to_owned()),
        "a named kind keeps one place: {:?}",
        kinds(&rig)
    );
    assert_eq!(kinds(&rig).len(), 5);
    assert_eq!(response.context_chunks_used, 5);
}

#[tokio::test]
async fn at_most_so_many_passages_are_used() {
    let rig = Rig::with().edit_library(|library| library.with_all_cosines(0.7)).build();
    for most in [1, 3, 5] {
        let request = AskRequest { max_context_chunks: Some(most), ..AskRequest::new(EVENTS) };
        let asked = rig.request(request).await;
        assert!(asked.response().context_chunks_used <= most, "{most}");
        let record = rig.audit.records().pop().unwrap();
        let kept = record.retrieval.candidates.iter().filter(|candidate| candidate.outcome == "kept").count();
        assert!(kept <= most, "{kept} of at most {most}");
    }
    for hostile in [0, usize::MAX] {
        let request = AskRequest { max_context_chunks: Some(hostile), ..AskRequest::new(EVENTS) };
        assert!(rig.request(request).await.result.is_ok(), "{hostile}");
    }
}

#[tokio::test]
async fn off_topic_only_where_no_content_word_is_known() {
    let rig = Rig::new();
    let response = rig.answer("How is quantum teleportation billed?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::OffTopic));
    assert!(response.nearest.is_empty(), "nothing is near");
    let response = rig.answer("How is quantum teleportation of certificates billed?").await;
    assert!(
        matches!(response.refusal_reason, Some(RefusalReason::NoResults | RefusalReason::LowConfidence)),
        "one word is known: {:?}",
        response.refusal_reason
    );
    assert!(!response.nearest.is_empty() && !response.suggestions.is_empty(), "{response:#?}");
}

#[tokio::test]
async fn a_follow_up_is_completed_from_the_conversation() {
    let rig = Rig::new();
    let history = vec![
        ChatMessage::user("What does ADR-0012 decide?"),
        ChatMessage::assistant("All connections between applications use TLS 1.3. [1]"),
    ];
    let request = AskRequest { chat_history: history, ..AskRequest::new("And its consequences?") };
    let asked = rig.request(request).await;
    assert_eq!(cited(asked.response()), ["adr-0012:2"]);
    assert_eq!(rig.record().routing.class, "clarification");
}

#[tokio::test]
async fn a_question_that_looks_like_one_for_a_meaning_offers_the_vocabulary() {
    let rig = Rig::new();
    let response = rig.answer("What is the data retention policy?").await;
    assert_eq!(response.action, Action::Cite);
    assert_eq!(response.citations[0].doc_type, Kind::Policy);
    let offer = response.suggestions.last().unwrap();
    assert_eq!(offer.choice, Some(Choice::Define { term: "data retention".to_owned() }));
    let without = Rig::with().ports(|ports| ports.vocabulary = None).build();
    let response = without.answer("What is the data retention policy?").await;
    assert!(response.suggestions.is_empty(), "no button that leads nowhere");
}

#[tokio::test]
async fn an_empty_library_says_that_it_is_empty() {
    let rig = Rig::with().library(FakeLibrary::new(Vec::new())).build();
    let response = rig.answer(EVENTS).await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::NoResults));
    assert!(response.answer.contains("The library is empty"), "{}", response.answer);
    assert!(rig.record().retrieval.no_context);
    assert_eq!(rig.answer("List all ADRs").await.answer, "The library holds 0 decision records.");
}

#[tokio::test]
async fn asking_within_a_collection_that_holds_nothing_does_not_call_the_library_empty() {
    let rig = Rig::new();
    let collections = vec![plumbline_core::domain::Collection::new("Document")];
    let asked = rig.request(AskRequest { collections, ..AskRequest::new(EVENTS) }).await;
    let answer = &asked.response().answer;
    assert!(!answer.contains("empty") && answer.contains("the other documents"), "{answer}");
    let collections = vec![plumbline_core::domain::Collection::from(Kind::Adr)];
    let asked = rig.request(AskRequest { collections, ..AskRequest::new(EVENTS) }).await;
    assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    assert_eq!(rig.audit.records().pop().unwrap().routing.route.as_str(), "direct", "one collection");
}

#[tokio::test]
async fn an_unclear_fragment_asks_back_where_the_vocabulary_cannot_tell() {
    let rig = Rig::new();
    rig.vocabulary.faults.fail_times(1);
    let response = rig.answer("transformer").await;
    assert_eq!((response.action, response.refused), (Action::Clarify, false));
    let options = response.clarification.unwrap().options;
    let labels: Vec<_> = options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Look up transformer in the vocabulary", "Search the documents for transformer"]);
    let mut actions = Vec::new();
    for option in options {
        let request =
            AskRequest { query: option.query, choice: Some(option.choice), ..AskRequest::default() };
        let asked = rig.request(request).await;
        actions.push((asked.response().action, asked.stage("dense")));
    }
    assert_eq!(actions[0], (Action::Cite, "absent".to_owned()), "the definition");
    assert_eq!(actions[1].1, "ok", "the documents");

    let defined = rig.answer("transformer").await;
    assert_eq!(defined.answer, "A device that changes voltage. [1]", "a known term is defined at once");
    let buttons: Vec<_> = defined.suggestions.iter().map(|suggestion| suggestion.label.as_str()).collect();
    assert_eq!(buttons, ["Search the documents for transformer"]);

    let history = vec![ChatMessage::user(EVENTS), ChatMessage::assistant("Through one central broker. [1]")];
    let asked = rig.request(AskRequest { chat_history: history, ..AskRequest::new("encryption") }).await;
    assert_ne!(asked.response().action, Action::Clarify, "a conversation places it");
}

#[tokio::test]
async fn without_a_vocabulary_there_is_nothing_to_choose_for_a_fragment() {
    let rig = Rig::with().ports(|ports| ports.vocabulary = None).build();
    let asked = rig.ask("encrypted data").await;
    assert_eq!(asked.stage("dense"), "ok", "one way is no choice");
    assert_ne!(asked.response().action, Action::Clarify);
}

#[tokio::test]
async fn a_bare_number_offers_the_records_that_exist_and_each_answers() {
    let rig = Rig::new();
    let options = rig.answer("12").await.clarification.unwrap().options;
    let labels: Vec<_> = options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(
        labels,
        ["ADR-0012: Require TLS 1.3", "Search the documents for 12"],
        "there is no principle 12 to offer"
    );
    let option = options[0].clone();
    let request = AskRequest { query: option.query, choice: Some(option.choice), ..AskRequest::default() };
    assert_eq!(rig.request(request).await.response().action, Action::Cite);
}

#[tokio::test]
async fn words_that_the_evidence_lacks_are_a_warning() {
    let response = Rig::new().answer("How do applications exchange events with satellites?").await;
    assert_eq!(response.action, Action::Cite);
    assert!(
        response.warnings.iter().any(|warning| warning.contains("“satellites”")),
        "{:?}",
        response.warnings
    );
}

#[tokio::test]
async fn age_and_standing_stand_beside_the_answer() {
    let rig = Rig::new();
    let proposed = rig.answer(EVENTS).await;
    assert_eq!(proposed.notices[0].kind, NoticeKind::Proposed);
    assert!(proposed.transparency.statement.unwrap().contains("ADR-0018 is only proposed"));
    let superseded = rig.answer("What does ADR-0007 decide?").await;
    assert!(superseded.notices.iter().any(|notice| notice.kind == NoticeKind::Superseded));
    assert!(superseded.transparency.statement.unwrap().contains("superseded by ADR-0012"));
    assert!(
        superseded.notices.iter().all(|notice| notice.kind != NoticeKind::Stale),
        "three months are no age"
    );

    let later =
        Rig::with().edit_library(|library| library.as_of(jiff::civil::Date::constant(2026, 12, 1))).build();
    let stale = later.answer("What does ADR-0012 decide?").await;
    let notice = &stale.notices[0];
    assert_eq!(notice.kind, NoticeKind::Stale, "the library's own day counts, not the clock's");
    assert!(notice.text.contains("2026-03-01"), "{}", notice.text);
    assert_eq!(stale.citations[0].date.as_deref(), Some("2026-03-01"));
}

#[tokio::test]
async fn low_confidence_shows_the_evidence_and_its_owner() {
    let rig = Rig::with().settings(|settings| settings.retrieval.confidence_threshold = 100).build();
    let asked = rig.ask("Which TLS version do connections between applications use?").await;
    let response = asked.response();
    assert_eq!((response.action, response.refused), (Action::Route, false));
    let confidence = response.confidence.unwrap();
    assert!((41..100).contains(&confidence.adjusted), "{confidence:?}");
    let owner = response.route_to.as_ref().unwrap();
    assert_eq!((owner.tag.as_str(), owner.owner_email.as_deref()), ("security", Some("sander@example.org")));
    assert!(response.answer.contains("Sander Kuipers (sander@example.org)"));
    for citation in &response.citations {
        assert!(response.answer.contains(&citation.snippet_full), "whole passages, word for word");
    }
    assert_eq!(asked.screen(), response.answer);
    assert_eq!(rig.metrics.value(&names::RAG_ANSWER_TOTAL, ["ROUTE"]), 1.0);
}

#[tokio::test]
async fn before_refusing_it_reads_the_passages_that_were_too_far_away_sentence_by_sentence() {
    let crowd =
        "Turbines hum quietly. Lanterns glow in harbours. Orchards ripen slowly. Ferries depart at noon.";
    let said = "Borrowed badges expire at midnight.";
    let ask = async |notes: String| {
        let others = (1..10).map(|number| chunk(&adr(number, "Title"), 0, &[], &format!("Filler {number}.")));
        let notes = chunk(&adr(60, "Visitors"), 0, &["Notes"], &notes);
        let library = FakeLibrary::new(others.chain([notes]).collect()).with_all_cosines(0.3);
        Rig::with().library(library).build().answer("When do borrowed badges of guests expire?").await
    };
    let response = ask(format!("{crowd} {said} {crowd}")).await;
    assert_eq!(cited(&response), ["adr-0060:0"], "{}", response.answer);
    assert!(response.answer.contains(said), "{}", response.answer);
    let response = ask(format!("{crowd} {crowd}")).await;
    assert!(response.refused, "nothing is taken back that does not say it: {}", response.answer);
}

#[tokio::test]
async fn our_policy_on_something_unknown_is_missing_and_not_off_topic() {
    let rig = Rig::new();
    let missing = rig.answer("What is our policy on unicorns?").await;
    assert!(
        matches!(missing.refusal_reason, Some(RefusalReason::NoResults | RefusalReason::LowConfidence)),
        "{missing:?}"
    );
    let off_topic = rig.answer("Unicorns?").await;
    assert_eq!(off_topic.refusal_reason, Some(RefusalReason::OffTopic));
    let lists = off_topic.suggestions.iter().map(|suggestion| suggestion.query.as_str()).collect::<Vec<_>>();
    assert_eq!(lists, ["List all decision records", "List all principles", "List all policies"]);
    for list in lists {
        assert!(!rig.answer(list).await.rows.is_empty(), "`{list}` is a way on");
    }
}

#[tokio::test]
async fn very_low_confidence_refuses_with_the_number() {
    let strict = |settings: &mut Settings| {
        settings.retrieval.abstain_at = 99;
        settings.retrieval.confidence_threshold = 100;
    };
    let rig = Rig::with().settings(strict).build();
    let response = rig.answer("Which TLS version do connections between applications use?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::LowConfidence));
    let reached = response.confidence.unwrap().adjusted;
    assert!(
        response.answer.contains(&format!("Confidence came to {reached} of 100; more than 99 is needed")),
        "{}",
        response.answer
    );
    assert!(response.citations.is_empty() && response.route_to.is_none());
    assert!(!response.nearest.is_empty(), "what came near is shown, not cited");
}

#[tokio::test]
async fn a_dutch_question_over_dutch_documents_is_answered_in_dutch() {
    let response = Rig::new().answer("Wanneer vervallen rechten?").await;
    assert!(
        response.answer.contains("Rechten vervallen twaalf maanden na de laatste controle. [1]"),
        "{}",
        response.answer
    );
    assert!(response.transparency.statement.unwrap().starts_with("Dit antwoord bestaat uit zinnen"));
}

#[tokio::test]
async fn a_question_in_another_language_than_its_evidence_is_judged_by_meaning() {
    let same: &[&[&str]] = &[
        &["emergency", "noodtoegang"],
        &["lasts", "duurt"],
        &["hours", "uur"],
        &["four", "vier"],
        &["assessed", "beoordeeld"],
    ];
    let rig = Rig::with()
        .edit_library(|library| library.with_synonyms(same))
        .embedder(plumbline_testkit::embedder::FakeEmbedder::new().with_synonyms(same))
        .build();
    let response = rig.answer("Is an emergency that lasts four hours assessed afterwards?").await;
    assert_eq!(response.action, Action::Cite, "{}", response.answer);
    assert_eq!(response.answer, "Noodtoegang duurt hoogstens vier uur en wordt achteraf beoordeeld. [1]");
    assert!(
        response.warnings.is_empty(),
        "words of another language are not missed: {:?}",
        response.warnings
    );
}

#[tokio::test]
async fn a_reranker_decides_the_order() {
    let favourite = "We prefer open standards over private formats. A deviation needs a written motivation.";
    let reranker = FakeReranker::scoring(move |_, text| if text == favourite { 0.9 } else { 0.1 });
    let rig = Rig::with().reranker(reranker).build();
    let asked = rig.ask("Why do private formats need converters?").await;
    assert_eq!(asked.stage("rerank"), "ok");
    assert_eq!(rig.record().retrieval.candidates[0].source_id, "pcp-0041:0");

    rig.reranker.as_ref().unwrap().faults.fail(true);
    let asked = rig.ask("Why do private formats need converters?").await;
    assert!(asked.stage("rerank").starts_with("failed:"));
    assert!(asked.response().fallback_mode, "and it is said: {:?}", asked.response().retrieval_quality);
    assert_eq!(asked.response().retrieval_quality.fallback_reasons, ["rerank_off"]);
}

#[tokio::test]
async fn a_passage_that_vanishes_between_search_and_answer_is_not_cited() {
    let ghost =
        chunk(&adr(77, "Ghost"), 0, &["Decision"], "Satellites exchange telemetry with ground stations.");
    let with_ghost = FakeLibrary::new(vec![ghost]);
    let rig = Rig::with().ports(move |ports| ports.index = std::sync::Arc::new(with_ghost)).build();
    let asked = rig.ask("How do satellites exchange telemetry with ground stations?").await;
    assert_eq!(asked.response().refusal_reason, Some(RefusalReason::Unsupported));
    assert!(asked.response().citations.is_empty() && asked.response().nearest.is_empty());
    assert!(asked.stage("audit").starts_with("failed:"));
}

#[tokio::test]
async fn test_technical_agent_handles_no_context() {
    let rig = Rig::new();
    let response = rig.answer("My office chair is weird").await;
    assert!(response.refused && response.citations.is_empty());
    assert!(response.answer.to_lowercase().contains("found nothing"), "{}", response.answer);
    assert!(rig.record().retrieval.no_context);
    assert_eq!(rig.metrics.snapshot().rates().no_context, Some(1.0));
}

#[tokio::test]
async fn test_sources_always_present() {
    let rig = Rig::new();
    for question in [
        EVENTS,
        "What does ADR-0012 decide?",
        "Wanneer vervallen rechten?",
        "What is CIMXML?",
        "Who approved ADR-0010?",
        "What do our principles say about encrypted data?",
        "Which TLS version do connections between applications use?",
    ] {
        let response = rig.answer(question).await;
        assert!(matches!(response.action, Action::Cite | Action::Route), "`{question}`");
        assert!(
            !response.citations.is_empty() && response.answer.contains("[1]"),
            "`{question}`: {}",
            response.answer
        );
        for citation in &response.citations {
            assert!(!citation.snippet_full.is_empty() && !citation.section.is_empty(), "`{question}`");
        }
    }
    assert_eq!(rig.metrics.snapshot().rates().answers_with_sources, Some(1.0));
}

#[tokio::test]
async fn test_weak_query_asks_for_clarification() {
    let rig = Rig::with().edit_library(|library| library.with_all_cosines(0.34)).build();
    let response = rig.answer("My network and its devices act strangely").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::LowConfidence));
    let question = response.clarification.unwrap().question;
    assert!(question.contains("one or two details"), "{question}");
    assert!(response.answer.contains("at least 0.60 is needed"), "{}", response.answer);
    assert_eq!(rig.metrics.value(&names::GATE_REFUSAL_TOTAL, ["answerability"]), 1.0);
}

#[tokio::test]
async fn test_strong_query_provides_sources() {
    let zone = |number: u32, text: &str| chunk(&adr(number, "Red alarm light"), 0, &["Decision"], text);
    let library = FakeLibrary::new(vec![
        zone(60, "A red alarm light means that the station lost power."),
        zone(61, "When the alarm light blinks red, the duty engineer calls the control room."),
        zone(62, "A blinking red light is logged with its station."),
    ])
    .with_all_cosines(0.7);
    let rig = Rig::with().library(library).build();
    let response = rig.answer("Who is called when the red alarm light blinks?").await;
    assert_eq!(response.action, Action::Cite);
    assert!(response.answer.contains("alarm light"), "{}", response.answer);
    assert_eq!(response.context_chunks_used, 3);
    assert!(response.citations.iter().all(|citation| citation.relevance_score > 0.6));
    assert_verbatim(&response);
}

#[tokio::test]
async fn test_generate_no_context() {
    let library = library().with_all_cosines(0.1);
    let rig = Rig::with().library(library).model(plumbline_testkit::model::FakeModel::honest()).build();
    let response = rig.answer("Why is the printer jammed every Monday?").await;
    assert!(response.refused, "{}", response.answer);
    assert_eq!(rig.model.calls(), 0, "no model is asked without evidence");
}

#[tokio::test]
async fn a_document_that_nobody_owns_goes_to_the_board() {
    let note = edit(policy("parking", "Parking"), |document| document.tags = Vec::new());
    let text = "Visitors park their cars behind the northern gate.";
    let parking = chunk(&note, 0, &["Rules"], text);
    let library = FakeLibrary::new(chunks().into_iter().chain([parking]).collect())
        .with_cosine("policy-parking:0", 0.62);
    let rig = Rig::with()
        .library(library)
        .settings(|settings| settings.retrieval.confidence_threshold = 100)
        .build();
    let response = rig.answer("Where may visitors with trailers park?").await;
    assert_eq!(response.action, Action::Route, "{:?}", response.confidence);
    let target = response.route_to.unwrap();
    assert_eq!((target.fallback, target.owner_email.as_deref()), (true, Some("board@example.org")));
}
