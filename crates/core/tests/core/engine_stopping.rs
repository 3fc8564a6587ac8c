//! Stopping: the model is really stopped, and the next question works.

use std::sync::Arc;
use std::time::Duration;

use plumbline_core::error::AskError;
use plumbline_core::request::AskRequest;
use plumbline_core::response::{Action, AnswerEvent};
use plumbline_testkit::model::{FakeModel, Step, passages};
use plumbline_testkit::rig::{AskOutcome, Events, Rig, cited, screen};
use tokio_util::sync::CancellationToken;

const QUESTION: &str = "How do applications exchange events?";
const FACT: &str = "Applications exchange events through one central broker.";

/// Writes a sentence and a half, then never ends.
fn endless() -> FakeModel {
    FakeModel::with(|request| {
        let found = passages(request).into_iter().find(|passage| passage.text.contains("central broker"));
        let alias = found.map_or(1, |passage| passage.alias);
        let text = format!("{FACT} [{alias}] A publisher does not kn");
        text.split_inclusive(' ').map(|word| Step::Text(word.to_owned())).chain([Step::Hang]).collect()
    })
}

#[track_caller]
fn assert_stopped(asked: &AskOutcome) {
    assert_eq!(asked.error(), &AskError::Stopped);
    let ends = asked.events.iter().filter(|event| {
        matches!(event, AnswerEvent::Done(_) | AnswerEvent::Failed(_) | AnswerEvent::Stopped)
    });
    assert_eq!(ends.collect::<Vec<_>>(), [&AnswerEvent::Stopped]);
    assert_eq!(asked.events.last(), Some(&AnswerEvent::Stopped));
}

/// Asks and cancels after a while of the paused clock.
async fn stop_after(rig: &Rig, wait: Duration) -> AskOutcome {
    let cancel = CancellationToken::new();
    let stop = async {
        tokio::time::sleep(wait).await;
        cancel.cancel();
    };
    tokio::join!(rig.request_until(AskRequest::new(QUESTION), &cancel), stop).0
}

#[tokio::test]
async fn before_it_begins() {
    let rig = Rig::with().model(FakeModel::honest()).build();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let asked = rig.request_until(AskRequest::new(QUESTION), &cancel).await;
    assert_stopped(&asked);
    assert_eq!((rig.embedder.calls(), rig.model.calls()), (0, 0));
    assert_eq!(rig.record().action, "STOPPED");
    assert_eq!(rig.answer(QUESTION).await.action, Action::Cite, "the next question works");
}

#[tokio::test(start_paused = true)]
async fn during_the_lanes() {
    let rig = Rig::new();
    rig.library.hang_dense(true);
    let before = tokio::time::Instant::now();
    assert_stopped(&stop_after(&rig, Duration::from_millis(100)).await);
    assert_eq!(before.elapsed(), Duration::from_millis(100), "at once, not at the lane's deadline");
    rig.library.hang_dense(false);
    assert_eq!(cited(&rig.answer(QUESTION).await), ["adr-0018:0"]);
}

#[tokio::test(start_paused = true)]
async fn during_a_vocabulary_look_up() {
    let rig = Rig::new();
    rig.vocabulary.faults.hang(true);
    let cancel = CancellationToken::new();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        cancel.cancel();
    };
    let (asked, ()) = tokio::join!(rig.request_until(AskRequest::new("What is CIMXML?"), &cancel), stop);
    assert_stopped(&asked);
    rig.vocabulary.faults.hang(false);
    assert_eq!(rig.answer("What is CIMXML?").await.action, Action::Cite);
}

#[tokio::test(start_paused = true)]
async fn in_the_middle_of_a_stream() {
    let rig = Rig::with().model(endless()).build();
    let asked = stop_after(&rig, Duration::from_secs(1)).await;
    assert_stopped(&asked);
    assert_eq!((rig.model.finished(), rig.model.stopped()), (0, 1), "the model's stream is dropped");
    assert!(asked.screen().contains(FACT), "what was checked and shown may stay: {}", asked.screen());
    assert!(!asked.screen().contains("publisher"), "half a sentence was never shown");
    let record = rig.record();
    assert_eq!((record.action.as_str(), record.citations.len()), ("STOPPED", 0));
    assert!(rig.engine.banner().is_empty(), "a stop is no failure of the model");
}

#[tokio::test(start_paused = true)]
async fn many_stops_do_not_open_the_breaker() {
    let rig = Rig::with().model(endless()).build();
    for _ in 0..6 {
        assert_stopped(&stop_after(&rig, Duration::from_secs(1)).await);
    }
    assert!(rig.engine.banner().is_empty());
    assert_eq!(rig.model.stopped(), 6);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_question_stops_the_model_too() {
    let rig = Rig::with().model(endless()).build();
    let events = Events::default();
    let cancel = CancellationToken::new();
    let sink = |event| events.push(event);
    let asking = rig.engine.ask(AskRequest::new(QUESTION), &cancel, &sink);
    let gone = tokio::time::timeout(Duration::from_secs(1), asking).await;
    assert!(gone.is_err(), "the future was dropped under way");
    assert_eq!((rig.model.finished(), rig.model.stopped()), (0, 1));
    assert_eq!(events.so_far().last(), Some(&AnswerEvent::Stopped), "the window hears of it");
    assert!(screen(&events.so_far()).contains(FACT));
    assert_eq!(rig.record().action, "STOPPED", "and it is on record");
}

#[tokio::test]
async fn a_question_that_was_never_polled_leaves_no_trace() {
    let rig = Rig::new();
    let cancel = CancellationToken::new();
    drop(rig.engine.ask(AskRequest::new(QUESTION), &cancel, &|_| {}));
    assert!(rig.audit.records().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_question_that_finished_is_not_stopped_afterwards() {
    let rig = Rig::new();
    let cancel = CancellationToken::new();
    let asked = rig.request_until(AskRequest::new(QUESTION), &cancel).await;
    cancel.cancel();
    assert_eq!(asked.response().action, Action::Cite);
    assert_eq!(rig.record().action, "CITE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_questions_at_once_each_get_their_own_answer() {
    let model = FakeModel::with(|request| {
        let mut script = Vec::new();
        for passage in passages(request) {
            let sentence =
                passage.text.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
            script.push(Step::Text(format!("{sentence} [{}]. ", passage.alias)));
            script.push(Step::Wait(Duration::from_millis(3)));
        }
        script.push(Step::Done(plumbline_core::ports::ModelReply::default()));
        script
    });
    let rig = Arc::new(Rig::with().model(model).build());
    let questions = [
        (QUESTION, "adr-0018:0"),
        ("What does ADR-0012 decide?", "adr-0012:1"),
        ("What do our principles say about encrypted data?", "pcp-0039:0"),
        ("Wanneer vervallen rechten?", "policy-toegangsbeheer:0"),
        ("What is CIMXML?", "vocab-cimxml:0"),
    ];
    let tasks: Vec<_> = questions
        .into_iter()
        .map(|(question, source)| {
            let rig = Arc::clone(&rig);
            tokio::spawn(async move { (rig.ask(question).await, question, source) })
        })
        .collect();
    let mut ids = std::collections::BTreeSet::new();
    for task in tasks {
        let (asked, question, source) = task.await.unwrap();
        let response = asked.response();
        assert!(cited(response).contains(&source.to_owned()), "`{question}`: {:?}", cited(response));
        assert_eq!(asked.screen(), response.answer, "`{question}`: no other question's text on its screen");
        assert!(ids.insert(response.request_id.clone()));
        let Some(AnswerEvent::Accepted { request_id }) = asked.events.first() else { panic!("not accepted") };
        assert_eq!(request_id, &response.request_id);
    }
    assert_eq!(rig.audit.records().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn stopping_one_of_two_leaves_the_other() {
    let rig = Rig::new();
    rig.library.dense.delay(Duration::from_millis(500));
    let (stopped, whole) = tokio::join!(stop_after(&rig, Duration::from_millis(100)), rig.ask(QUESTION));
    assert_stopped(&stopped);
    assert_eq!(cited(whole.response()), ["adr-0018:0"]);
}
