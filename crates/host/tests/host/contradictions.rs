//! What opposes what, behind the window.

use std::sync::{Arc, Mutex};

use plumbline_contract::{ContradictionProgress, ContradictionStep, Contradictions, Mark};
use tempfile::TempDir;

use crate::test_host::{TestHost, write_record};

/// A workspace over two records that keep the same for different times.
async fn opposed_workspace() -> (TempDir, TempDir) {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_record(folder.path(), 1, "Keep security logs", "Security logs are kept for 30 days.");
    write_record(folder.path(), 2, "Store security logs", "Security logs are kept for 90 days.");
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    test_host.host.shutdown().await;
    (workspace, folder)
}

async fn opposed(test_host: &TestHost) -> (Contradictions, Vec<ContradictionProgress>) {
    let told: Arc<Mutex<Vec<ContradictionProgress>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let events = move |batch: Vec<ContradictionProgress>| hearing.lock().unwrap().extend(batch);
    let found = test_host.host.contradictions(events).await.unwrap();
    let told = told.lock().unwrap().clone();
    (found, told)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_reading_of_statements_tells_how_far_it_is_and_the_next_has_nothing_to_read() {
    let (workspace, _folder) = opposed_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let (first, told) = opposed(&test_host).await;
    assert!(!first.by_words_alone);
    let values: Vec<_> = first.found.iter().map(|one| one.opposes.clone()).collect();
    assert_eq!(values, [("30 days".to_owned(), "90 days".to_owned())]);
    assert_eq!(told.first().map(|one| one.step), Some(ContradictionStep::Comparing), "{told:?}");
    assert!(told.iter().all(|one| one.done < one.total), "{told:?}");
    let (again, told) = opposed(&test_host).await;
    assert_eq!((again.found.len(), told), (1, Vec::new()), "what was read is kept");

    test_host.host.mark_contradiction(first.found[0].id.clone(), Some(Mark::Known)).await.unwrap();
    assert_eq!(opposed(&test_host).await.0.found[0].mark, Some(Mark::Known));
    let gone = test_host.host.mark_contradiction("0".to_owned(), None).await.unwrap_err();
    assert_eq!(serde_json::to_value(gone).unwrap()["code"], "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_reader_is_off_words_alone_decide_and_it_is_said() {
    let (workspace, _folder) = opposed_workspace().await;
    let test_host = TestHost::open_with(workspace.path(), &[("PLUMBLINE_MODELS_READER", "off")]).await;
    let (found, told) = opposed(&test_host).await;
    assert!(found.by_words_alone);
    assert_eq!((found.found.len(), told), (1, Vec::new()));
}
