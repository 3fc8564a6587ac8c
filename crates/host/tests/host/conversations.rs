use plumbline_contract::{Broadcast, ConversationFormat, Feedback, FeedbackRating};
use serde_json::Value;

use crate::test_host::{TestHost, records, sample_workspace, write_record};

fn code(problem: plumbline_contract::CommandError) -> Value {
    serde_json::to_value(problem).unwrap()["code"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_found_renamed_deleted_and_restored_until_the_program_ends() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let (tls, answer, _) = test_host.ask("Which TLS version must we use?").await;
    answer.unwrap();
    let (list, answer, _) = test_host.ask("List all principles").await;
    answer.unwrap();
    test_host.host.create_conversation().await.unwrap();
    let all = test_host.host.conversations(None).await.unwrap();
    assert_eq!(
        all.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(),
        [&list, &tls],
        "latest first, no empty one"
    );
    let found = test_host.host.conversations(Some("tls VERSION".to_owned())).await.unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].excerpt.as_ref().unwrap().contains("TLS version"));
    assert_eq!(test_host.host.conversations(Some("zzz".to_owned())).await.unwrap(), []);

    test_host.host.rename_conversation(tls.clone(), " Encryption ".to_owned()).await.unwrap();
    assert_eq!(test_host.host.conversation(tls.clone()).await.unwrap().summary.title, "Encryption");
    assert_eq!(
        code(test_host.host.rename_conversation(tls.clone(), " ".to_owned()).await.unwrap_err()),
        "invalid_input"
    );

    let from = test_host.heard().len();
    test_host.host.delete_conversation(tls.clone()).await.unwrap();
    test_host.hear(from, |told| *told == Broadcast::ConversationsChanged).await;
    assert_eq!(code(test_host.host.conversation(tls.clone()).await.unwrap_err()), "not_found");
    test_host.host.restore_conversation(tls.clone()).await.unwrap();
    assert_eq!(
        test_host.host.conversation(tls.clone()).await.unwrap().history.len(),
        1,
        "with all that it held"
    );
    test_host.host.delete_conversation(tls.clone()).await.unwrap();
    test_host.host.shutdown().await;

    let again = TestHost::open(workspace.path()).await;
    assert_eq!(again.host.conversations(None).await.unwrap().len(), 1);
    assert_eq!(code(again.host.restore_conversation(tls).await.unwrap_err()), "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_with_a_code() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    let none = || "none".to_owned();
    assert_eq!(code(host.conversation(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.delete_conversation(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.give_feedback(none(), none(), None).await.unwrap_err()), "not_found");
    assert_eq!(code(host.document(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.open_document(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.passage("adr-0021:999".parse().unwrap()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.remove_folder(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.concept(none()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.delete_memory_entry("../library.toml".to_owned()).await.unwrap_err()), "not_found");
    assert_eq!(code(host.add_folder("/no/such/folder".to_owned()).await.unwrap_err()), "invalid_input");
    for address in ["javascript:alert(1)", "file:///etc/passwd", "nonsense", "https://a.example/\nx"] {
        assert_eq!(code(host.open_link(address.to_owned()).await.unwrap_err()), "invalid_input", "{address}");
    }
    host.open_link("https://example.org".to_owned()).await.unwrap();
    host.open_document("adr-0021".to_owned()).await.unwrap();
    assert_eq!(test_host.user.opened.lock().unwrap().len(), 2);
    let (answer, _) = test_host.ask_in("none", None, plumbline_contract::QuestionRequest::new("x")).await;
    assert_eq!(code(answer.unwrap_err()), "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_one_table_are_exported_under_one_head() {
    let (workspace, folder, saved) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let tiers =
        "| Tier | Restore time |\n|---|---|\n| gold | 4 hours |\n| silver | 12 hours |\n| bronze | a week |";
    std::fs::write(
        folder.path().join("backup-policy.md"),
        format!("# Backup policy\n\n## Restore times\n\n{tiers}\n"),
    )
    .unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    let (id, answer, _) = test_host.ask("How long for gold and how long for silver?").await;
    let answer = answer.unwrap().answer;
    let rows = |text: &str, row: &str| text.lines().filter(|line| line.starts_with(row)).count();
    assert!(rows(&answer, "| gold |") == 1 && rows(&answer, "| silver |") == 1, "{answer}");
    assert_eq!(rows(&answer, "| Tier | Restore time |"), 1, "{answer}");
    *test_host.user.save_in.lock().unwrap() = Some(saved.path().to_owned());
    let path = test_host.host.export_conversation(id, ConversationFormat::Markdown).await.unwrap().unwrap();
    let markdown = std::fs::read_to_string(path).unwrap();
    let table = markdown.find("| Tier | Restore time |\n|---|---|\n| gold | 4 hours").expect(&markdown);
    let below: Vec<&str> = markdown[table..].lines().take_while(|line| line.starts_with('|')).collect();
    assert!(below.iter().any(|line| line.starts_with("| silver |")), "rows follow their head: {markdown}");
    assert_eq!(rows(&markdown, "| Tier | Restore time |"), 1, "{markdown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_holds_the_sources_and_a_verdict_stays_with_its_answer() {
    let workspace = sample_workspace().await;
    let saved = tempfile::tempdir().unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    let (id, answer, _) = test_host.ask("Which broker do we use for event streaming?").await;
    let answer = answer.unwrap();
    assert_eq!(
        test_host.host.export_conversation(id.clone(), ConversationFormat::Markdown).await.unwrap(),
        None
    );
    *test_host.user.save_in.lock().unwrap() = Some(saved.path().to_owned());
    let feedback = |rating| Some(Feedback { rating, comment: Some("right away".to_owned()) });
    let turn = answer.request_id.clone();
    test_host.host.give_feedback(id.clone(), turn.clone(), feedback(FeedbackRating::Negative)).await.unwrap();
    test_host.host.give_feedback(id.clone(), turn.clone(), feedback(FeedbackRating::Positive)).await.unwrap();
    test_host.host.give_feedback(id.clone(), turn.clone(), feedback(FeedbackRating::Positive)).await.unwrap();
    let counted: f64 = test_host.host.metrics().await.unwrap().feedback.iter().map(|tally| tally.count).sum();
    assert!((counted - 2.0).abs() < 0.5, "the same rating twice is one: {counted}");

    let path =
        test_host.host.export_conversation(id.clone(), ConversationFormat::Markdown).await.unwrap().unwrap();
    assert!(path.ends_with("which-broker-do-we-use-for-event-streaming.md"), "{path}");
    let markdown = std::fs::read_to_string(path).unwrap();
    for citation in &answer.citations {
        let mark = format!("[^1-{}]", citation.number);
        assert!(markdown.matches(&mark).count() >= 2, "{mark} stands in text and notes: {markdown}");
        assert!(markdown.contains(&format!("{mark}: {}", citation.document_name)), "{markdown}");
    }
    let path = test_host
        .host
        .export_conversation(id.clone(), ConversationFormat::EvidencePack)
        .await
        .unwrap()
        .unwrap();
    let pack: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let told = &pack["turns"][0];
    assert_eq!(told["feedback"]["verdict"], "positive");
    assert_eq!(told["passages"][0]["passage"], answer.citations[0].snippet_full.as_str());
    assert_eq!(told["passages"][0]["file_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(told["model"], Value::Null);

    test_host.host.shutdown().await;
    let again = TestHost::open(workspace.path()).await;
    assert_eq!(
        again.host.conversation(id.clone()).await.unwrap().history[0].feedback,
        feedback(FeedbackRating::Positive)
    );
    again.host.give_feedback(id.clone(), turn, None).await.unwrap();
    assert_eq!(again.host.conversation(id).await.unwrap().history[0].feedback, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_source_has_changed_since_says_so() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), records());
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    let (id, answer, _) = test_host.ask("Which broker do we use for event streaming?").await;
    let cited = answer.unwrap().citations[0].document_id.clone();
    assert_eq!(test_host.host.conversation(id.clone()).await.unwrap().history[0].changed_sources, []);
    let from = test_host.heard().len();
    write_record(
        folder.path(),
        1,
        "Use Kafka for events",
        "We use NATS as the broker for all event streaming.",
    );
    test_host.indexed(from).await;
    let changed = test_host.host.conversation(id.clone()).await.unwrap().history.remove(0).changed_sources;
    assert_eq!((changed[0].document_id.as_str(), changed[0].removed), (cited.as_str(), false));
    let from = test_host.heard().len();
    std::fs::remove_file(folder.path().join("0001-use-kafka-for-events.md")).unwrap();
    test_host.indexed(from).await;
    assert!(test_host.host.conversation(id).await.unwrap().history[0].changed_sources[0].removed);
}
