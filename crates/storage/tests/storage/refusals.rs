//! How a store says no. Run by the tests of servers, which name the store, and keys where some are handed over.

use plumbline_storage::StoreProblem;

use crate::place::{given_keys, place};

/// What each request to the store comes to, all of them made at once.
async fn outcomes() -> [Option<StoreProblem>; 5] {
    let store = place().store;
    let (listed, got, put, put_new, deleted) = tokio::join!(
        store.list("generations/"),
        store.get("generations/1"),
        store.put("generations/2", b"2".to_vec()),
        store.put_new("generations/3", b"3".to_vec()),
        store.delete("generations/4"),
    );
    [listed.err(), got.err(), put.err(), put_new.err(), deleted.err()]
}

#[tokio::test]
#[ignore = "needs a server"]
async fn wrong_keys_give_no_access() {
    assert_eq!(outcomes().await, [const { Some(StoreProblem::Forbidden) }; 5]);
}

#[tokio::test]
#[ignore = "needs a server"]
async fn keys_that_only_read_write_nothing() {
    let [listed, got, put, put_new, deleted] = outcomes().await;
    assert_eq!([listed, got], [None, Some(StoreProblem::NotFound)]);
    assert_eq!([put, put_new, deleted], [const { Some(StoreProblem::Forbidden) }; 3]);
}

#[tokio::test]
#[ignore = "needs a server"]
async fn a_bucket_that_is_not_there_is_not_listed() {
    let listed = place().store.list("generations/").await;
    assert!(matches!(listed, Err(StoreProblem::Setup(_))), "{listed:?}");
}

#[tokio::test]
#[ignore = "needs a server"]
async fn a_bucket_that_is_not_there_takes_nothing() {
    let [_, _, put, put_new, _] = outcomes().await;
    for problem in [put, put_new] {
        assert!(matches!(problem, Some(StoreProblem::Setup(_))), "{problem:?}");
    }
}

#[tokio::test]
#[ignore = "needs a place where no server is"]
async fn who_does_not_answer_is_not_reached_and_no_key_is_told() {
    let keys = given_keys().unwrap();
    for problem in outcomes().await {
        let Some(StoreProblem::Unreachable(detail)) = problem else { panic!("{problem:?}") };
        assert!(!detail.contains("://") && !detail.contains(keys.secret()), "{detail}");
    }
}
