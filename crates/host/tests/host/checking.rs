//! A text of the user's own, checked behind the window.

use std::sync::{Arc, Mutex};

use plumbline_contract::CheckProgress;
use plumbline_core::response::StatementVerdict;
use plumbline_testkit::docx_files::docx;

use crate::test_host::{TestHost, sample_workspace};

const TRUE: &str = "Backups are encrypted with separate keys.";
const FALSE: &str = "Backups are encrypted with a key of 4711 bits.";

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_checked_with_its_progress_and_written_where_the_user_says() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    assert_eq!(host.export_check(None).await.unwrap(), None, "nothing was checked yet");
    let told: Arc<Mutex<Vec<CheckProgress>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let events = move |batch: Vec<CheckProgress>| hearing.lock().unwrap().extend(batch);
    let checked = host.check_text(format!("# Backups\n\n{TRUE} {FALSE}"), events).await.unwrap();
    let verdicts: Vec<StatementVerdict> = checked.statements.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [StatementVerdict::Supported, StatementVerdict::NotSupported]);
    let told: Vec<usize> = told.lock().unwrap().iter().map(|progress| progress.done).collect();
    assert_eq!(told, [1, 2], "each statement is told when it has its verdict");

    *test_host.user.save_in.lock().unwrap() = Some(workspace.path().to_owned());
    let path = host.export_check(Some("plan.docx".to_owned())).await.unwrap().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    for wanted in ["# plan.docx", &format!("- **Supported**: {TRUE}[^1]"), "- **Not supported**", "[^1]: "] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_read_from_a_file_of_any_kind_or_says_why_not() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    assert_eq!(host.pick_draft().await.unwrap(), None, "the user changed their mind");
    let file = workspace.path().join("draft.docx");
    std::fs::write(&file, docx(&format!("<w:p><w:r><w:t>{TRUE}</w:t></w:r></w:p>"))).unwrap();
    *test_host.user.file.lock().unwrap() = Some(file);
    let draft = host.pick_draft().await.unwrap().unwrap();
    assert_eq!(draft.name, "draft.docx");
    assert!(draft.text.starts_with(TRUE), "{}", draft.text);
    let missing =
        host.read_draft(workspace.path().join("nowhere.md").display().to_string()).await.unwrap_err();
    assert!(missing.message.contains("nowhere.md"), "{}", missing.message);
}
