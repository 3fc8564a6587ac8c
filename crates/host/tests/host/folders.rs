use plumbline_contract::{Broadcast, FindingGroup, Indexing};

use crate::test_host::{TestHost, records, sample_workspace, write_record};

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_added_followed_and_taken_out() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), records());
    std::fs::write(folder.path().join("broken.pdf"), "no pdf at all").unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    *test_host.user.folder.lock().unwrap() = Some(folder.path().to_owned());
    let picked = test_host.host.pick_folder().await.unwrap().unwrap();
    let added = test_host.host.add_folder(picked.clone()).await.unwrap();
    test_host.indexed(0).await;
    let documents = test_host.host.documents().await.unwrap();
    assert_eq!(
        documents.iter().map(|row| row.reference.as_str()).collect::<Vec<_>>(),
        ["ADR-0001", "ADR-0002"]
    );
    let findings = test_host.host.findings().await.unwrap();
    let problems: Vec<_> = findings.iter().filter(|one| one.group == FindingGroup::Problem).collect();
    assert_eq!((problems.len(), problems[0].path.as_str()), (1, "broken.pdf"));
    assert_eq!(test_host.host.library().await.unwrap().findings.problems, 1);
    let again = test_host.host.add_folder(picked).await.unwrap_err();
    assert_eq!(serde_json::to_value(again).unwrap()["code"], "invalid_input");

    let from = test_host.heard().len();
    write_record(folder.path(), 3, "Back up daily", "Every database is backed up once a day.");
    test_host.indexed(from).await;
    assert_eq!(test_host.host.documents().await.unwrap().len(), 3, "a followed folder needs no button");

    let from = test_host.heard().len();
    test_host.host.remove_folder(added.id).await.unwrap();
    test_host.indexed(from).await;
    let library = test_host.host.library().await.unwrap();
    assert_eq!((library.folders.len(), test_host.host.documents().await.unwrap().len()), (0, 0));
    assert!(folder.path().join("0003-back-up-daily.md").is_file(), "files stay");
    assert!(!test_host.host.app_state().await.unwrap().first_run, "it is not the first day any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_while_the_program_was_not_running_is_found_at_its_start() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), records());
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    test_host.host.shutdown().await;
    write_record(folder.path(), 3, "Back up daily", "Every database is backed up once a day.");
    let test_host = TestHost::open(workspace.path()).await;
    assert_eq!(
        test_host.host.library().await.unwrap().last_run.unwrap().added,
        2,
        "the last run is remembered"
    );
    test_host.indexed(0).await;
    assert_eq!(test_host.host.documents().await.unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn indexing_stops_when_it_is_told_to_and_goes_on_from_there() {
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.open_sample_library().await.unwrap();
    let busy = test_host.host.start_indexing().await.unwrap_err();
    assert_eq!(serde_json::to_value(busy).unwrap()["code"], "busy");
    let written =
        |told: &Broadcast| matches!(told, Broadcast::Indexing { indexing: Indexing::Writing { .. } });
    let from = test_host.hear(0, written).await;
    test_host.host.stop_indexing().await.unwrap();
    let stopped =
        |told: &Broadcast| matches!(told, Broadcast::Indexing { indexing: Indexing::Stopped { .. } });
    let from = test_host.hear(from, stopped).await;
    let there = test_host.host.documents().await.unwrap().len();
    test_host.host.start_indexing().await.unwrap();
    test_host.indexed(from).await;
    assert!(test_host.host.documents().await.unwrap().len() > there);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_program_in_the_middle_of_indexing_loses_nothing() {
    let workspace = sample_workspace().await;
    let folder = records();
    let test_host = TestHost::open(workspace.path()).await;
    let before = test_host.host.documents().await.unwrap().len();
    test_host.indexed(0).await;
    let from = test_host.heard().len();
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.hear(from, |told| matches!(told, Broadcast::Indexing { .. })).await;
    test_host.host.shutdown().await;
    let test_host = TestHost::open(workspace.path()).await;
    assert!(test_host.host.documents().await.unwrap().len() >= before, "what was there is there");
    test_host.indexed(0).await;
    assert_eq!(test_host.host.documents().await.unwrap().len(), before + 2, "and the rest follows");
    assert_eq!(test_host.host.library().await.unwrap().folders.len(), 2);
}
