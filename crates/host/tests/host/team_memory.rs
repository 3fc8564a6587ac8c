use plumbline_contract::{Broadcast, MemoryDraft, MemoryKind, MemoryPointer, SettingChange};
use plumbline_core::response::{Stage, StageOutcome};
use plumbline_testkit::dutch::assert_dutch;
use tempfile::TempDir;

use crate::test_host::{TestHost, records, write_record};

/// Records with a manifest that names a folder for curated memory.
fn curated() -> TempDir {
    let folder = records();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let manifest = "[library]\nname = \"Ours\"\nmemory = \"memory\"\n\n[[source]]\nname = \"ours\"\ndefault = true\npath = \".\"\n";
    std::fs::write(folder.path().join("library.toml"), manifest).unwrap();
    folder
}

fn draft(document: &str, section: Option<&str>) -> MemoryDraft {
    MemoryDraft {
        path: None,
        kind: MemoryKind::Pinned,
        title: "What carries our events?".to_owned(),
        phrasings: vec!["Which bus do we have?".to_owned(), " ".to_owned()],
        pointers: vec![MemoryPointer {
            document_id: document.to_owned(),
            section: section.map(str::to_owned),
        }],
        text: "Pinned for the newcomers.".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_is_written_retired_when_its_source_changes_and_renewed() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), curated());
    let test_host = TestHost::open(workspace.path()).await;
    assert_eq!(test_host.host.memory().await.unwrap().folder, None);
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    for (wrong, section) in [("adr-0099", None), ("adr-0001", Some("No such heading"))] {
        let problem = test_host.host.save_memory_entry(draft(wrong, section)).await.unwrap_err();
        assert_eq!(serde_json::to_value(problem).unwrap()["code"], "invalid_input");
    }
    let from = test_host.heard().len();
    let saved = test_host.host.save_memory_entry(draft("adr-0001", Some("Decision"))).await.unwrap();
    test_host.hear(from, |told| *told == Broadcast::MemoryChanged).await;
    assert_eq!((saved.phrasings.len(), saved.retired.as_ref()), (1, None));
    assert!(folder.path().join("memory").join(&saved.path).is_file());
    let (_, answer, _) = test_host.ask("What carries our events?").await;
    let answer = answer.unwrap();
    let curated = answer.stages.iter().find(|report| report.stage == Stage::Curated).unwrap();
    assert_ne!(curated.outcome, StageOutcome::Skipped("no curated memory".to_owned()), "it is asked at once");

    test_host.indexed(from).await;
    let from = test_host.heard().len();
    write_record(
        folder.path(),
        1,
        "Use Kafka for events",
        "We use NATS as the broker for all event streaming.",
    );
    test_host.indexed(from).await;
    let retired =
        test_host.host.memory().await.unwrap().entries.remove(0).retired.expect("its source has changed");
    assert_eq!(retired.pointer.document_id, "adr-0001");
    assert!(retired.reason.contains("adr-0001"), "{}", retired.reason);
    let renewed = test_host.host.renew_memory_entry(saved.path.clone()).await.unwrap();
    assert_eq!(renewed.retired, None);

    let edited = MemoryDraft { path: Some(saved.path.clone()), ..draft("adr-0002", None) };
    let edited = test_host.host.save_memory_entry(edited).await.unwrap();
    assert_eq!(
        (edited.path.as_str(), edited.pointers[0].document_id.as_str()),
        (saved.path.as_str(), "adr-0002")
    );
    test_host.host.delete_memory_entry(saved.path.clone()).await.unwrap();
    assert_eq!(test_host.host.memory().await.unwrap().entries, []);
    assert!(!folder.path().join("memory").join(saved.path).exists());

    std::fs::write(folder.path().join("memory/unfinished.md"), "---\nkind: pinned\n").unwrap();
    let dutch = SettingChange { key: "general.language".to_owned(), value: Some("nl".to_owned()) };
    test_host.host.change_settings(vec![dutch]).await.unwrap();
    let problems = test_host.host.memory().await.unwrap().problems;
    assert_eq!((problems.len(), problems[0].path.as_str()), (1, "unfinished.md"));
    assert_dutch(&problems[0].reason);
}
