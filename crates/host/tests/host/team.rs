use std::path::Path;

use plumbline_contract::{Broadcast, GivenKeys, KeysKept, TeamStep};

use crate::test_host::{TestHost, records, write_record};

/// Looks as often as it can.
const OFTEN: (&str, &str) = ("PLUMBLINE_TEAM_FOLLOW_SECONDS", "1");
const SELDOM: (&str, &str) = ("PLUMBLINE_TEAM_FOLLOW_SECONDS", "0");

async fn publisher(workspace: &Path, folder: &Path) -> TestHost {
    let publisher = TestHost::open(workspace).await;
    publisher.host.add_folder(folder.display().to_string()).await.unwrap();
    publisher.indexed(0).await;
    publisher
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_is_published_followed_in_the_background_and_taken_out() {
    let (here, there, shared) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = records();
    let address = shared.path().join("team").display().to_string();
    let publisher = publisher(here.path(), folder.path()).await;
    let published = publisher.host.publish_library(address.clone(), false, false).await.unwrap();
    assert_eq!((published.generation, published.new, published.documents), (1, true, 2));
    let counted = |told: &Broadcast| {
        matches!(told, Broadcast::TeamActivity { activity: Some(activity) }
        if matches!(activity.step, TeamStep::Publishing { done: 2, total: 2 }))
    };
    assert!(publisher.heard().iter().any(counted), "how far it is can be seen");
    let known = publisher.host.library().await.unwrap().team.published.unwrap();
    assert_eq!(known, published, "and where is remembered");

    let reader = TestHost::open_with(there.path(), &[OFTEN]).await;
    let followed = reader.host.follow_library(address.clone(), false).await.unwrap();
    assert_eq!((followed.generation, followed.documents), (1, 2));
    let team = reader.host.library().await.unwrap().team;
    assert_eq!((team.followed.len(), team.activity), (1, None));
    assert!(!reader.host.app_state().await.unwrap().first_run, "there is something to ask");

    let from = publisher.heard().len();
    write_record(folder.path(), 3, "Back up daily", "Every database is backed up once a day.");
    publisher.indexed(from).await;
    let from = reader.heard().len();
    assert_eq!(publisher.host.publish_library(address.clone(), true, false).await.unwrap().generation, 2);
    reader.hear(from, |told| matches!(told, Broadcast::MemoryChanged)).await;
    let followed = reader.host.library().await.unwrap().team.followed;
    assert_eq!((followed[0].generation, followed[0].documents), (2, 3), "nobody pressed a button");
    assert_eq!(followed[0].problem, None);

    reader.host.unfollow_library(address.clone()).await.unwrap();
    assert!(reader.host.library().await.unwrap().team.followed.is_empty());
    assert!(reader.host.documents().await.unwrap().is_empty());
    assert!(reader.host.unfollow_library(address).await.unwrap_err().message.contains("not followed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generation_that_cannot_be_used_is_refused_with_its_reason_and_the_last_good_one_answers() {
    let (here, there, shared) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = records();
    let place = shared.path().join("team");
    let address = place.display().to_string();
    let publisher = publisher(here.path(), folder.path()).await;
    publisher.host.publish_library(address.clone(), false, false).await.unwrap();
    let reader = TestHost::open_with(there.path(), &[SELDOM, ("PLUMBLINE_GENERAL_LANGUAGE", "nl")]).await;
    reader.host.follow_library(address.clone(), false).await.unwrap();
    let newest = std::fs::read_to_string(place.join("generations/1.json")).unwrap();
    std::fs::write(place.join("generations/2.json"), newest.replace("\"number\":1", "\"number\":2")).unwrap();
    reader.host.look_for_generations().await.unwrap();
    let refused = &reader.host.library().await.unwrap().team.followed[0];
    let problem = refused.problem.clone().unwrap();
    assert!(problem.contains("beschadigd") && problem.contains("blijft van kracht"), "{problem}");
    assert_eq!((refused.generation, refused.documents), (1, 2));
    std::fs::rename(&place, shared.path().join("away")).unwrap();
    reader.host.look_for_generations().await.unwrap();
    let away = &reader.host.library().await.unwrap().team.followed[0];
    assert!(away.problem.as_ref().unwrap().contains("niet te bereiken"), "{:?}", away.problem);
    assert_eq!(reader.host.documents().await.unwrap().len(), 2, "offline, it goes on answering");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_is_read_where_it_lies_if_it_was_published_for_that() {
    let (here, there, shared) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = records();
    let address = shared.path().join("team").display().to_string();
    let publisher = publisher(here.path(), folder.path()).await;
    publisher.host.publish_library(address.clone(), false, false).await.unwrap();
    let reader = TestHost::open_with(there.path(), &[SELDOM]).await;
    let refused = reader.host.follow_library(address.clone(), true).await.unwrap_err();
    assert!(refused.message.contains("not read in place"), "{}", refused.message);
    assert!(reader.host.library().await.unwrap().team.followed.is_empty());

    publisher.host.publish_library(address.clone(), false, true).await.unwrap();
    let followed = reader.host.follow_library(address.clone(), true).await.unwrap();
    assert_eq!((followed.in_place, followed.documents), (true, 2));
    assert_eq!(reader.host.documents().await.unwrap().len(), 2, "its documents are listed");
    reader.host.look_for_generations().await.unwrap();
    assert!(reader.host.library().await.unwrap().team.followed[0].in_place, "and it stays so");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_address_is_refused_and_keys_show_themselves_nowhere() {
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::open_with(workspace.path(), &[SELDOM]).await;
    let refused = test_host.host.follow_library("http://example.org".to_owned(), false).await.unwrap_err();
    assert_eq!(serde_json::to_value(&refused).unwrap()["code"], "invalid_input");
    let nothing = workspace.path().join("nothing").display().to_string();
    assert!(test_host.host.follow_library(nothing, false).await.is_err());
    assert!(test_host.host.library().await.unwrap().team.followed.is_empty());
    let keys = GivenKeys { id: "reader".to_owned(), secret: " ".to_owned() };
    assert!(!format!("{keys:?}").contains("reader"));
    let kept = test_host.host.keep_store_keys("s3://records/team".to_owned(), keys).await.unwrap();
    assert_eq!(kept, KeysKept::NotGiven);
}
