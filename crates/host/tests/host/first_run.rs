use plumbline_contract::{Broadcast, Indexing, Startup};
use plumbline_core::response::Action;

use crate::test_host::TestHost;

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_program_explains_itself_and_answers_from_the_sample_library() {
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::new(workspace.path(), &[]);
    let state = test_host.host.app_state().await.unwrap();
    assert!(matches!(state.startup, Startup::Starting { .. }), "it answers before it has started");
    let problem = test_host.host.library().await.unwrap_err();
    assert_eq!(serde_json::to_value(&problem).unwrap()["code"], "starting");

    test_host.host.start().await;
    let steps = test_host.heard().into_iter().filter(
        |told| matches!(told, Broadcast::State { state } if matches!(state.startup, Startup::Starting { .. })),
    );
    assert!(steps.count() >= 2, "the window sees how far the start is");
    let state = test_host.host.app_state().await.unwrap();
    assert_eq!(state.startup, Startup::Ready);
    assert!(state.first_run && !state.sample_library);
    let (_, answer, _) = test_host.ask("Which TLS version must we use?").await;
    let answer = answer.unwrap();
    assert!(
        answer.refused && answer.answer.contains("sample library"),
        "it says what to do: {}",
        answer.answer
    );

    let folder = test_host.host.open_sample_library().await.unwrap();
    assert!(folder.sample && folder.present && folder.name.contains("Lichtveld"));
    test_host.indexed(0).await;
    let state = test_host.host.app_state().await.unwrap();
    assert!(!state.first_run && state.sample_library);
    let phases: Vec<Indexing> = test_host
        .heard()
        .into_iter()
        .filter_map(|told| if let Broadcast::Indexing { indexing } = told { Some(indexing) } else { None })
        .collect();
    assert!(phases.iter().any(|phase| matches!(phase, Indexing::Reading { .. })));
    assert!(phases.iter().any(|phase| matches!(phase, Indexing::Writing { rate, .. } if *rate > 0.0)));

    let library = test_host.host.library().await.unwrap();
    let documents = test_host.host.documents().await.unwrap();
    assert_eq!(library.folders[0].documents as usize, documents.len());
    assert!(library.folders[0].watched && library.folders[0].checked_at.is_some());
    assert!(library.last_run.is_some_and(|run| run.added > 40 && run.embedded > 200));
    assert!(library.collections.iter().map(|one| one.collection.as_str()).eq(["ADR", "Principle", "Policy"]));
    assert!(!documents.iter().any(|row| row.path.contains("incident-response")), "it wants an access tag");
    assert!(
        test_host.host.findings().await.unwrap().iter().all(|one| !one.path.contains("incident-response"))
    );

    let (_, answer, _) = test_host.ask("Which TLS version must we use?").await;
    let answer = answer.unwrap();
    assert_eq!(answer.action, Action::Cite);
    let passage = test_host.host.passage(answer.citations[0].source_id.clone()).await.unwrap();
    assert_eq!(
        passage.passage.text, answer.citations[0].snippet_full,
        "the passage is the one that was cited"
    );
    assert!(passage.before.is_some() || passage.after.is_some());

    let drawn = test_host.host.metrics().await.unwrap().samples;
    test_host.host.shutdown().await;
    let again = TestHost::open(workspace.path()).await;
    assert!(!again.host.app_state().await.unwrap().first_run);
    let metrics = again.host.metrics().await.unwrap();
    let asked: f64 = metrics.requests.iter().map(|tally| tally.count).sum();
    assert!((asked - 2.0).abs() < 0.5, "what was counted survives: {asked}");
    assert!(metrics.index.passages > 200 && metrics.latency.is_some());
    assert_eq!(metrics.samples, drawn, "the curves survive");
    assert!(!drawn.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_that_cannot_be_opened_says_why_and_what_to_do() {
    let workspace = tempfile::tempdir().unwrap();
    std::fs::write(workspace.path().join("settings.toml"), "[general]\nlanguage = \"de\"\n").unwrap();
    let test_host = TestHost::new(workspace.path(), &[]);
    test_host.host.start().await;
    let Startup::Failed { message } = test_host.host.app_state().await.unwrap().startup else {
        panic!("it must fail")
    };
    assert!(message.contains("general.language") && message.contains("de"), "{message}");
    assert!(test_host.host.library().await.unwrap_err().message.contains("general.language"));
    test_host.host.preferences().await.unwrap();
    test_host.host.shutdown().await;
}
