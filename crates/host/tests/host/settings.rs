use plumbline_contract::{
    Broadcast, Preferences, SettingChange, SettingOrigin, Theme, ThresholdChange, TokenPlace,
};
use plumbline_core::domain::Language;
use plumbline_testkit::dutch::assert_dutch;

use crate::test_host::{TestHost, sample_workspace};

fn change(key: &str, value: Option<&str>) -> SettingChange {
    SettingChange { key: key.to_owned(), value: value.map(str::to_owned) }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_hold_at_once_and_after_a_restart() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let report = test_host.host.settings().await.unwrap();
    assert_eq!(report.origins.get("models.ollama_url"), Some(&SettingOrigin::Environment));
    let from = test_host.heard().len();
    let changes = vec![change("general.language", Some("nl")), change("retrieval.total_chunks", Some("3"))];
    let report = test_host.host.change_settings(changes).await.unwrap();
    assert_eq!((report.settings.general.language, report.settings.retrieval.total_chunks), (Language::NL, 3));
    assert_eq!(report.origins.get("retrieval.total_chunks"), Some(&SettingOrigin::File));
    test_host.hear(from, |told| matches!(told, Broadcast::Settings { .. })).await;
    let problem = test_host.host.conversation("none".to_owned()).await.unwrap_err();
    assert!(problem.message.contains("gesprek"), "messages follow the language: {}", problem.message);

    let wrong = vec![change("general.privacy", Some("true")), change("vocabulary.timeout_ms", Some("soon"))];
    let problem = test_host.host.change_settings(wrong).await.unwrap_err();
    assert_eq!(serde_json::to_value(&problem).unwrap()["code"], "settings");
    assert!(
        problem.message.contains("vocabulary.timeout_ms") && !problem.message.contains("flag"),
        "{}",
        problem.message
    );
    assert_dutch(&problem.message);
    assert!(!test_host.host.settings().await.unwrap().settings.general.privacy, "all or none");
    let fixed = vec![change("models.ollama_url", Some("http://localhost:1"))];
    let problem = test_host.host.change_settings(fixed).await.unwrap_err();
    assert!(problem.message.contains("de omgevingsvariabele OLLAMA_BASE_URL"), "{}", problem.message);
    let too_high =
        ThresholdChange { name: "ADR_Local".to_owned(), field: "single_hit".to_owned(), value: Some(7.0) };
    let problem = test_host.host.change_thresholds(vec![too_high]).await.unwrap_err();
    assert!(problem.message.contains("een getal van 0 tot en met 1"), "{}", problem.message);
    assert_dutch(&problem.message);

    let light = Preferences { theme: Theme::Light, sidebar_folded: true };
    test_host.host.change_preferences(light).await.unwrap();
    test_host.host.shutdown().await;
    let test_host = TestHost::open(workspace.path()).await;
    let report = test_host.host.settings().await.unwrap();
    assert_eq!((report.settings.general.language, report.settings.retrieval.total_chunks), (Language::NL, 3));
    assert_eq!(test_host.host.preferences().await.unwrap(), light);
    let report = test_host.host.change_settings(vec![change("general.language", None)]).await.unwrap();
    assert_eq!(report.settings.general.language, Language::EN);
}

#[tokio::test(flavor = "multi_thread")]
async fn thresholds_are_changed_and_taken_back() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let rows = test_host.host.thresholds().await.unwrap();
    let used: Vec<&str> = rows.iter().filter(|row| row.in_use).map(|row| row.name.as_str()).collect();
    assert_eq!(used, ["ADR_Local", "Policy_Local", "Principle_Local"], "those of the library come first");
    let set =
        |value| vec![ThresholdChange { name: "ADR_Local".to_owned(), field: "single_hit".to_owned(), value }];
    let rows = test_host.host.change_thresholds(set(Some(0.91))).await.unwrap();
    assert!((rows[0].values.single_hit - 0.91).abs() < 1e-6 && rows[0].defaults.single_hit < 0.9);
    let problem = test_host.host.change_thresholds(set(Some(7.0))).await.unwrap_err();
    assert_eq!(serde_json::to_value(&problem).unwrap()["code"], "invalid_input");
    let rows = test_host.host.change_thresholds(set(None)).await.unwrap();
    assert_eq!(rows[0].values, rows[0].defaults);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remote_server_is_named_and_a_token_is_never_shown() {
    let workspace = tempfile::tempdir().unwrap();
    let environment = [("OLLAMA_BASE_URL", "https://ollama.invalid:8443"), ("CHAT_MODEL", "llama3.2")];
    let test_host = TestHost::open_with(workspace.path(), &environment).await;
    let remote = test_host.host.app_state().await.unwrap().remote.unwrap();
    assert_eq!((remote.host.as_str(), remote.encrypted), ("ollama.invalid:8443", true));
    assert!(test_host.host.set_token("  ".to_owned()).await.is_err());
    let status = test_host.host.set_token("s3cret".to_owned()).await.unwrap();
    assert_ne!(status.place, TokenPlace::None);
    if status.place == TokenPlace::Session {
        assert!(status.keyring_problem.is_some(), "why it will be forgotten is told");
    }
    assert!(test_host.host.app_state().await.unwrap().remote.unwrap().sends_token);
    assert!(!format!("{:?} {:?}", status, test_host.heard()).contains("s3cret"));
    let status = test_host.host.clear_token().await.unwrap();
    assert_eq!(status.place, TokenPlace::None);
    assert!(!test_host.host.app_state().await.unwrap().remote.unwrap().sends_token);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_can_be_deleted_and_the_documents_stay() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.change_settings(vec![change("general.language", Some("nl"))]).await.unwrap();
    let (_, answer, _) = test_host.ask("Which TLS version must we use?").await;
    answer.unwrap();
    let places = test_host.host.data_locations().await.unwrap();
    assert!(places.bytes > 100_000 && places.settings_file.ends_with("settings.toml"));
    test_host.host.delete_all_data().await.unwrap();
    let state = test_host.host.app_state().await.unwrap();
    assert!(state.first_run && !state.sample_library);
    assert_eq!(test_host.host.conversations(None).await.unwrap(), []);
    assert_eq!(test_host.host.documents().await.unwrap(), []);
    assert_eq!(test_host.host.settings().await.unwrap().settings.general.language, Language::EN);
    assert_eq!(test_host.host.metrics().await.unwrap().requests, []);
    let from = test_host.heard().len();
    test_host.host.open_sample_library().await.unwrap();
    test_host.indexed(from).await;
    assert!(!test_host.host.documents().await.unwrap().is_empty(), "and one can begin again");
}
