//! Bad input: a clear error or a clean refusal, never a panic.

use plumbline_core::error::ErrorCode;
use plumbline_core::request::{AskRequest, ChatMessage, Choice};
use plumbline_core::response::AnswerEvent;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::{AskOutcome, Rig, cited};
use proptest::prelude::*;

#[track_caller]
fn assert_one_end(asked: &AskOutcome) {
    let last = |event: &AnswerEvent| {
        matches!(event, AnswerEvent::Done(_) | AnswerEvent::Failed(_) | AnswerEvent::Stopped)
    };
    assert_eq!(asked.events.iter().filter(|event| last(event)).count(), 1, "{:#?}", asked.events);
    assert!(asked.events.last().is_some_and(last), "and it is the last event");
    assert!(matches!(asked.events.first(), Some(AnswerEvent::Accepted { .. })));
    match (&asked.result, asked.events.last()) {
        (Ok(response), Some(AnswerEvent::Done(done))) => assert_eq!(response, done.as_ref()),
        (Err(error), Some(AnswerEvent::Failed(report))) => assert_eq!(&error.report(), report),
        (result, event) => panic!("{result:?} ended in {event:?}"),
    }
}

#[tokio::test]
async fn nothing_to_read_is_an_error_with_its_code() {
    let rig = Rig::new();
    for query in [
        "",
        " \t\r\n ",
        "?",
        "…!?—",
        "\0",
        "\0\u{1}\u{2}\u{7f}",
        "\u{202E}\u{202C}\u{200F}\u{2066}",
        "\u{200B}\u{FEFF}",
        "👩‍👩‍👧🎉",
        "\u{301}\u{301}",
    ] {
        let asked = rig.ask(query).await;
        assert_eq!(asked.error().code(), ErrorCode::EmptyQuestion, "{query:?}");
        assert_one_end(&asked);
    }
    assert_eq!(rig.embedder.calls(), 0, "nothing was searched");
}

#[tokio::test]
async fn a_hundred_kilobytes_are_too_long_and_not_kept() {
    let rig = Rig::new();
    let long = "How do applications exchange events? ".repeat(2800);
    let asked = rig.ask(&long).await;
    assert_eq!(asked.error().code(), ErrorCode::QuestionTooLong);
    assert!(asked.error().to_string().contains("8000"), "{}", asked.error());
    assert_one_end(&asked);
    let record = rig.record();
    assert_eq!(record.query.unwrap().chars().count(), 8000, "its beginning is on record");
    assert_eq!(record.query_sha256, plumbline_telemetry::sha256_hex(&long), "and its hash");
    let fits = "é".repeat(8000);
    assert!(rig.ask(&fits).await.result.is_ok(), "8000 characters, not bytes");
}

#[tokio::test]
async fn what_cannot_be_seen_changes_nothing() {
    let rig = Rig::new();
    let plain = rig.answer("Which devices may use TLS 1.2?").await;
    for query in [
        "\u{202E}Which devices may use TLS 1.2?\u{202C}",
        "Which de\u{200B}vices may use TLS 1.\u{200D}2?",
        "\0Which devices may\u{1} use TLS 1.2?\0",
        "\u{FEFF}  Which devices may use TLS 1.2?\n\n",
    ] {
        let response = rig.answer(query).await;
        assert_eq!(cited(&response), cited(&plain), "{query:?}");
        assert_eq!(response.answer, plain.answer, "{query:?}");
    }
    let mut questions = rig.embedder.texts();
    questions.retain(|text| text.contains("devices may use TLS 1.2?"));
    assert_eq!(questions, vec!["Which devices may use TLS 1.2?"; 5], "no trace of it reaches the embedder");
}

#[tokio::test]
async fn hostile_questions_end_cleanly() {
    let rig = Rig::with().model(FakeModel::honest()).planning_and_judging().build();
    for query in [
        "What is [1]?",
        "What is </passage 1>?",
        "Define \"\"",
        "What is ?",
        "ADR-99999999999999999999",
        "ADR-0",
        "List",
        "who approved",
        "'; DROP TABLE documents; --",
        "../../etc/passwd.md",
        "{{question}} {{passages}}",
        "What is %s %n \\x00?",
        "NO_ANSWER",
        "NaN",
        "ｗｈａｔ　ｉｓ　ＣＩＭ？",
        "İstanbul ADR 12",
        "مرحبا بالعالم",
        "電力系統",
    ] {
        let asked = rig.ask(query).await;
        assert_one_end(&asked);
    }
}

#[tokio::test]
async fn hostile_choices_end_cleanly() {
    let rig = Rig::new();
    for choice in [
        Choice::Document { id: String::new() },
        Choice::Document { id: "../adr-0012".to_owned() },
        Choice::Concept { uri: String::new() },
        Choice::Define { term: String::new() },
        Choice::Define { term: "\0".to_owned() },
        Choice::SearchDocuments,
    ] {
        for query in ["What does ADR-0012 decide?", "x"] {
            let asked =
                rig.request(AskRequest { choice: Some(choice.clone()), ..AskRequest::new(query) }).await;
            assert_one_end(&asked);
            assert!(asked.result.is_ok(), "{choice:?}: {:?}", asked.result);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_question_ends_in_exactly_one_final_event(
        query in prop_oneof![any::<String>(), "\\PC{0,80}", "(what is|who approved|list|wat is) \\PC{0,20}\\?"],
        said in any::<String>(),
        with_history in any::<bool>(),
        with_model in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let rig = if with_model {
                Rig::with().model(FakeModel::honest()).planning_and_judging().build()
            } else {
                Rig::new()
            };
            let chat_history = if with_history {
                vec![ChatMessage::user(said.clone()), ChatMessage::assistant(said)]
            } else {
                Vec::new()
            };
            let asked = rig.request(AskRequest { chat_history, ..AskRequest::new(query) }).await;
            assert_one_end(&asked);
            assert_eq!(rig.audit.records().len(), 1);
        });
    }

    #[test]
    fn whatever_a_model_writes_the_screen_is_the_answer(text in "(\\PC{0,40}(\\[[0-9]{1,2}\\]|\\. |\n|\n\n)){0,6}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let rig = Rig::with().model(FakeModel::replying(&text)).build();
            let asked = rig.ask("How do applications exchange events?").await;
            assert_one_end(&asked);
            let response = asked.response();
            if response.refused {
                assert!(asked.screen().is_empty() || asked.screen() == response.answer);
            } else {
                assert_eq!(asked.screen(), response.answer);
            }
        });
    }
}
