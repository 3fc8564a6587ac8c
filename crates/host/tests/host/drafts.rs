//! A record that is drafted behind the window, and saved where the user says.

use plumbline_contract::RecordDraft;

use crate::test_host::{TestHost, sample_workspace};

fn draft() -> RecordDraft {
    RecordDraft {
        topic: "backups".to_owned(),
        reference: Some("ADR.33".to_owned()),
        file_name: "0033-backups.md".to_owned(),
        text: "# Backups\n".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_saved_where_the_user_says_and_never_into_the_library() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    assert_eq!(host.save_record_draft(draft()).await.unwrap(), None, "the user changed their mind");

    *test_host.user.save_in.lock().unwrap() = Some(workspace.path().to_owned());
    let path = host.save_record_draft(draft()).await.unwrap().unwrap();
    assert!(path.ends_with("0033-backups.md"), "{path}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "# Backups\n");

    let library = host.library().await.unwrap();
    let folder = std::path::PathBuf::from(&library.folders[0].path);
    let inside = if folder.is_dir() { folder } else { folder.parent().unwrap().to_owned() }.join("adr");
    *test_host.user.save_in.lock().unwrap() = Some(inside.clone());
    let refused = host.save_record_draft(draft()).await.unwrap_err();
    assert!(refused.message.contains("folder of the library"), "{}", refused.message);
    assert!(!inside.join("0033-backups.md").exists(), "nothing was written");
}
