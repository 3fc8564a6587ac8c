use std::time::Duration;

use plumbline_contract::{AnswerEvent, QuestionRequest, TurnOutcome};
use plumbline_core::request::Choice;
use plumbline_core::response::Action;
use plumbline_testkit::folders::copy;
use plumbline_testkit::model::Step;
use plumbline_testkit::ollama_server::{OllamaServer, World};

use crate::test_host::{TestHost, sample_workspace};

const QUESTION: &str = "Which broker do we use for event streaming?";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_streams_and_is_on_disk_before_it_is_reported_done() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let (id, answer, events) = test_host.ask(QUESTION).await;
    let answer = answer.unwrap();
    assert_eq!(answer.action, Action::Cite);
    assert!(matches!(&events[0], AnswerEvent::Accepted { request_id } if *request_id == answer.request_id));
    assert!(matches!(events.last(), Some(AnswerEvent::Done(done)) if **done == answer));
    let text: String = events
        .iter()
        .filter_map(|event| if let AnswerEvent::Delta { text } = event { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(text, answer.answer, "what streamed is what stands");

    // As a kill at this very moment would leave it.
    let left = tempfile::tempdir().unwrap();
    copy(workspace.path(), left.path());
    let other = TestHost::open(left.path()).await;
    let kept = other.host.conversation(id.clone()).await.unwrap();
    assert_eq!(kept.summary.title, QUESTION);
    let TurnOutcome::Answered { response } = &kept.history[0].outcome else { panic!("it was answered") };
    // Numbers lose their last digit on the way through JSON; what was said and on what does not.
    assert_eq!((&response.answer, &response.citations), (&answer.answer, &answer.citations));
    assert_eq!(kept.history[0].changed_sources, []);
    let cited = other.host.document(answer.citations[0].document_id.clone()).await.unwrap();
    assert_eq!(cited.cited_in[0].conversation_id, id);
    assert!(!cited.passages.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_knows_the_conversation_and_a_question_asked_anew_replaces_the_old_one() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let (id, first, _) = test_host.ask("What does ADR-0021 decide about TLS?").await;
    let first = first.unwrap();
    let (second, _) =
        test_host.ask_in(&id, None, QuestionRequest::new("And what are its consequences?")).await;
    let second = second.unwrap();
    assert!(
        second.citations.iter().any(|one| one.document_id == "adr-0021"),
        "“its” is ADR-0021: {second:#?}"
    );
    let again = QuestionRequest { choice: Some(Choice::SearchDocuments), ..QuestionRequest::new(QUESTION) };
    let (third, _) = test_host.ask_in(&id, Some(&first.request_id), again).await;
    third.unwrap();
    let kept = test_host.host.conversation(id.clone()).await.unwrap();
    let questions: Vec<&str> = kept.history.iter().map(|turn| turn.question.as_str()).collect();
    assert_eq!(questions, [QUESTION], "it and all after it made way");
    assert_eq!(kept.history[0].choice, Some(Choice::SearchDocuments));
    let (gone, _) = test_host.ask_in(&id, Some(&first.request_id), QuestionRequest::new("x")).await;
    assert_eq!(serde_json::to_value(gone.unwrap_err()).unwrap()["code"], "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_stopped_half_way_is_kept_as_stopped() {
    let workspace = sample_workspace().await;
    let server =
        OllamaServer::with(World::default().writing(|_| {
            vec![Step::Text("Events".to_owned()), Step::Wait(Duration::from_secs(60)), Step::Hang]
        }))
        .await;
    let test_host = TestHost::open_with(
        workspace.path(),
        &[("OLLAMA_BASE_URL", server.address()), ("CHAT_MODEL", "llama3.2")],
    )
    .await;
    assert!(test_host.host.app_state().await.unwrap().answers_with_model);
    let id = test_host.host.create_conversation().await.unwrap().id;
    let (sender, mut taken) = tokio::sync::mpsc::unbounded_channel();
    let (host, conversation) = (test_host.host.clone(), id.clone());
    let asking = tokio::spawn(async move {
        let sink =
            move |batch: Vec<AnswerEvent>| batch.into_iter().for_each(|event| sender.send(event).unwrap());
        host.ask(conversation, None, QuestionRequest::new(QUESTION), sink).await
    });
    let Some(AnswerEvent::Accepted { request_id }) = taken.recv().await else { panic!("it is taken first") };
    assert!(server.was_asked("/api/chat", 1).await);
    test_host.host.stop(request_id.clone()).await.unwrap();
    let problem = asking.await.unwrap().unwrap_err();
    assert_eq!(serde_json::to_value(&problem).unwrap()["code"], "stopped");
    let mut last = None;
    while let Ok(event) = taken.try_recv() {
        last = Some(event);
    }
    assert_eq!(last, Some(AnswerEvent::Stopped));
    let kept = test_host.host.conversation(id).await.unwrap();
    assert!(matches!(kept.history[0].outcome, TurnOutcome::Stopped { .. }));
    assert_eq!(kept.history[0].id, request_id);
    assert!(server.all_closed().await, "the model is not left writing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_writes_the_answer_and_a_service_that_fails_shows_in_the_banner_by_itself() {
    let workspace = sample_workspace().await;
    let server = OllamaServer::start().await;
    let environment = [
        ("OLLAMA_BASE_URL", server.address()),
        ("CHAT_MODEL", "llama3.2"),
        ("PLUMBLINE_BREAKER_FAILURE_THRESHOLD", "1"),
        ("PLUMBLINE_BREAKER_TIMEOUT_SECONDS", "1"),
    ];
    let test_host = TestHost::open_with(workspace.path(), &environment).await;
    let (_, answer, _) = test_host.ask(QUESTION).await;
    assert_eq!(answer.unwrap().model_used.as_deref(), Some("llama3.2"));
    server
        .answer("/api/chat", plumbline_testkit::ollama_server::json(500, &serde_json::json!({"error": "x"})));
    let from = test_host.heard().len();
    let (_, answer, _) = test_host.ask(QUESTION).await;
    assert_eq!(answer.unwrap().model_used, None, "the documents' own words stand in");
    let off = |told: &plumbline_contract::Broadcast| matches!(told, plumbline_contract::Broadcast::Banner { items } if items.iter().any(|item| item.service == "generation"));
    test_host.hear(from, off).await;
    assert_eq!(test_host.host.banner().await.unwrap()[0].service, "generation");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_the_program_died_over_is_shown_as_interrupted() {
    let workspace = sample_workspace().await;
    let server =
        OllamaServer::with(World::default().writing(|_| vec![Step::Text("E".to_owned()), Step::Hang])).await;
    let environment = [("OLLAMA_BASE_URL", server.address()), ("CHAT_MODEL", "llama3.2")];
    let test_host = TestHost::open_with(workspace.path(), &environment).await;
    let id = test_host.host.create_conversation().await.unwrap().id;
    let (host, conversation) = (test_host.host.clone(), id.clone());
    let asking =
        tokio::spawn(
            async move { host.ask(conversation, None, QuestionRequest::new(QUESTION), |_| {}).await },
        );
    assert!(server.was_asked("/api/chat", 1).await);
    assert_eq!(
        test_host.host.conversation(id.clone()).await.unwrap().history,
        [],
        "it is still being answered"
    );
    let left = tempfile::tempdir().unwrap();
    copy(workspace.path(), left.path());
    let other = TestHost::open(left.path()).await;
    let kept = other.host.conversation(id.clone()).await.unwrap();
    assert_eq!(kept.history[0].outcome, TurnOutcome::Interrupted);
    assert_eq!(kept.history[0].question, QUESTION);

    test_host.host.shutdown().await;
    assert!(asking.await.unwrap().is_err(), "the end of the program stops what is being answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_is_told_in_the_language_of_the_user() {
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::open_with(workspace.path(), &[("PLUMBLINE_GENERAL_LANGUAGE", "nl")]).await;
    let (_, answer, events) = test_host.ask("   ").await;
    let told = "de vraag is leeg: typ een vraag van minstens één woord";
    assert_eq!(answer.unwrap_err().message, told);
    assert!(
        matches!(events.last(), Some(AnswerEvent::Failed(report)) if report.message == told),
        "the window hears it in the same words: {events:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_fails_with_is_told_in_the_language_of_the_user() {
    let workspace = tempfile::tempdir().unwrap();
    for (language, told) in [("en", "connection refused"), ("nl", "verbinding geweigerd")] {
        let variables = [("PLUMBLINE_GENERAL_LANGUAGE", language)];
        let test_host = TestHost::open_with(workspace.path(), &variables).await;
        let problem = test_host.host.pull_model("qwen3:8b".to_owned(), |_| {}).await.unwrap_err();
        assert_eq!(problem.message, told);
        test_host.host.shutdown().await;
    }
}
