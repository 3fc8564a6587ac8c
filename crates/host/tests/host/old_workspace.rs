//! A workspace in the shape of version 0.1.0 opens with all that is in it. Responses and audit records of the fixture are that
//! version's own output; settings, thresholds, counters and the database's rows, kept as SQL, were put together by hand in its shape.
//! It stays so, whatever keys and fields are called today.

use std::path::Path;

use plumbline_contract::{FeedbackRating, SettingOrigin, Tally, Theme, TurnOutcome};
use plumbline_core::domain::Language;
use plumbline_core::response::Action;
use plumbline_telemetry::AuditLog;
use plumbline_testkit::folders::copy;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::test_host::TestHost;

fn old_workspace() -> TempDir {
    let workspace = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/workspace-0.1.0"), workspace.path());
    let sql = std::fs::read_to_string(workspace.path().join("history.sql")).unwrap();
    let database = Connection::open(workspace.path().join("history.sqlite")).unwrap();
    database.execute_batch(&sql).unwrap();
    workspace
}

#[tokio::test(flavor = "multi_thread")]
async fn its_conversations_and_feedback_are_read() {
    let workspace = old_workspace();
    let test_host = TestHost::open(workspace.path()).await;
    let [summary] = test_host.host.conversations(None).await.unwrap().try_into().unwrap();
    assert_eq!((summary.title.as_str(), summary.turns), ("How do applications exchange events?", 5));
    let found = test_host.host.conversations(Some("central broker".to_owned())).await.unwrap();
    assert_eq!(found.len(), 1, "answers of the old version are searched");

    let turns = test_host.host.conversation(summary.id).await.unwrap().history;
    let [cited, refused, stopped, failed, interrupted] = turns.as_slice() else { panic!("{turns:#?}") };
    let TurnOutcome::Answered { response } = &cited.outcome else { panic!("{cited:#?}") };
    assert_eq!((response.action, response.citations.len()), (Action::Cite, 2));
    assert!(response.answer.ends_with("through one central broker. [2]"), "{}", response.answer);
    assert!(!response.stages.is_empty() && response.confidence.is_some(), "nothing of a response is lost");
    let feedback = cited.feedback.as_ref().unwrap();
    assert_eq!(
        (feedback.rating, feedback.comment.as_deref()),
        (FeedbackRating::Positive, Some("Short and right."))
    );
    assert!(cited.changed_sources[0].removed, "what was cited is not in this library");

    let TurnOutcome::Answered { response } = &refused.outcome else { panic!("{refused:#?}") };
    assert_eq!((response.action, response.refusal_reason.is_some()), (Action::Refuse, true));
    assert_eq!(refused.feedback.as_ref().map(|one| one.rating), Some(FeedbackRating::Negative));
    assert!(refused.choice.is_some(), "what the user picked is kept with the question");
    assert_eq!(stopped.outcome, TurnOutcome::Stopped { text: "Applications exchange".to_owned() });
    let TurnOutcome::Failed { error } = &failed.outcome else { panic!("{failed:#?}") };
    assert_eq!(error.message, "the model `llama3.2` did not answer within 30 s", "as it was written");
    assert_eq!(interrupted.outcome, TurnOutcome::Interrupted);
}

#[tokio::test(flavor = "multi_thread")]
async fn its_settings_and_thresholds_hold() {
    let workspace = old_workspace();
    let test_host = TestHost::open(workspace.path()).await;
    let report = test_host.host.settings().await.unwrap();
    // As the window gets them, so that a name which changes here is found.
    let settings = serde_json::to_value(&report.settings).unwrap();
    let expected = [
        ("/general/language", serde_json::json!("nl")),
        ("/general/privacy", serde_json::json!(true)),
        ("/models/seed", serde_json::json!(7)),
        ("/models/allow/mistral-nemo/context_window", serde_json::json!(16384)),
        ("/retrieval/total_chunks", serde_json::json!(4)),
        ("/retrieval/lane_deadline_ms", serde_json::json!(3000)),
        ("/retrieval/confidence_threshold", serde_json::json!(55)),
        ("/vocabulary/timeout_ms", serde_json::json!(500)),
        ("/limits/stale_after_months", serde_json::json!(12)),
    ];
    for (place, value) in expected {
        let found = settings.pointer(place).unwrap_or_else(|| panic!("{place} is gone: {settings:#}"));
        assert!(
            found == &value || found.as_f64().is_some_and(|n| Some(n) == value.as_f64()),
            "{place}: {found}"
        );
    }
    assert!(settings.pointer("/models/allow/deepseek-r1:32b").is_none(), "it was taken off the list");
    assert_eq!(report.origins.get("grounding.min_content_share"), Some(&SettingOrigin::File));
    assert_eq!(report.settings.general.language, Language::NL);

    let rows = test_host.host.thresholds().await.unwrap();
    let row = rows.iter().find(|row| row.name == "ADR_Local").unwrap();
    assert!((row.values.single_hit - 0.61).abs() < 1e-6, "{row:?}");
    assert_eq!(test_host.host.preferences().await.unwrap().theme, Theme::Light);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_counted_and_recorded_goes_on() {
    let workspace = old_workspace();
    let test_host = TestHost::open(workspace.path()).await;
    let metrics = test_host.host.metrics().await.unwrap();
    let tally =
        |tallies: &[Tally], label: &str| tallies.iter().find(|one| one.label == label).map(|one| one.count);
    assert_eq!(tally(&metrics.answers, "CITE"), Some(2.0));
    assert_eq!(tally(&metrics.feedback, "positive"), Some(1.0));
    test_host.host.shutdown().await;
    let audit = AuditLog::open(workspace.path().join("audit")).unwrap().read_all().unwrap();
    assert_eq!((audit.records.len(), audit.unreadable), (2, 0), "old records are records still");
}
