//! What any store must do.

use std::sync::Arc;

use plumbline_storage::{Store, StoreProblem};
use tokio::task::JoinSet;

use crate::place::{many, place};

const RACERS: u8 = 16;
const ROUNDS: usize = 20;
/// Requests that are under way at once.
const ABREAST: usize = 16;

async fn names(store: &dyn Store, beginning: &str) -> Vec<String> {
    let mut names: Vec<String> =
        store.list(beginning).await.unwrap().into_iter().map(|entry| entry.name).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_is_got_as_it_was() {
    let place = place();
    let large: Vec<u8> = (0..5 * 1024 * 1024_u32).map(|at| (at % 251) as u8).collect();
    for (name, bytes) in [("empty", Vec::new()), ("folder/small", b"matter".to_vec()), ("large", large)] {
        place.store.put(name, bytes.clone()).await.unwrap();
        assert!(place.store.get(name).await.unwrap() == bytes, "{name}");
    }
    place.store.put("folder/small", b"matter".to_vec()).await.unwrap();
    assert_eq!(place.store.get("folder/small").await.unwrap(), b"matter", "the same may be put twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_found() {
    let place = place();
    place.store.put("folder/one", b"1".to_vec()).await.unwrap();
    for name in ["folder/other", "one", "elsewhere/one"] {
        assert_eq!(place.store.get(name).await, Err(StoreProblem::NotFound), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_the_files_below_its_beginning_with_size_and_time() {
    let place = place();
    for (name, bytes) in [
        ("generations/1", 3),
        ("generations/2", 0),
        ("generations/old/deep/0", 7),
        ("generations-of-others/1", 1),
        ("shelves/1", 1),
    ] {
        place.store.put(name, vec![0; bytes]).await.unwrap();
    }
    let mut listed = place.store.list("generations/").await.unwrap();
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    let sizes: Vec<(&str, u64)> = listed.iter().map(|entry| (entry.name.as_str(), entry.bytes)).collect();
    assert_eq!(sizes, [("generations/1", 3), ("generations/2", 0), ("generations/old/deep/0", 7)]);
    assert!(
        listed.iter().all(|entry| entry.modified.is_some()),
        "what is too young to be pruned is told by it"
    );
    assert_eq!(names(&*place.store, "generations/old/").await, ["generations/old/deep/0"]);
    assert!(names(&*place.store, "nothing/").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_whole_however_many_pages_it_takes() {
    let place = place();
    let wanted: Vec<String> = (0..many()).map(|number| format!("many/{}/{number:05}", number % 7)).collect();
    let mut under_way = JoinSet::new();
    for name in wanted.clone() {
        if under_way.len() == ABREAST {
            under_way.join_next().await.unwrap().unwrap();
        }
        let store = Arc::clone(&place.store);
        under_way.spawn(async move { store.put(&name, b"1".to_vec()).await.unwrap() });
    }
    under_way.join_all().await;
    let mut wanted = wanted;
    wanted.sort();
    assert!(names(&*place.store, "many/").await == wanted, "each once, none missing");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_puts_anew_second_does_not_and_what_was_first_stays() {
    let place = place();
    assert_eq!(place.store.put_new("generations/1", b"first".to_vec()).await, Ok(true));
    assert_eq!(place.store.put_new("generations/1", b"second".to_vec()).await, Ok(false));
    assert_eq!(place.store.get("generations/1").await.unwrap(), b"first");
    assert_eq!(place.store.put_new("generations/2", Vec::new()).await, Ok(true));
    assert_eq!(
        place.store.put_new("generations/2", b"second".to_vec()).await,
        Ok(false),
        "empty is there too"
    );
    place.store.put("generations/3", b"put".to_vec()).await.unwrap();
    assert_eq!(place.store.put_new("generations/3", b"second".to_vec()).await, Ok(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_those_who_put_anew_at_once_exactly_one_does() {
    let place = place();
    let mut told = 0;
    for round in 0..ROUNDS {
        let name = format!("generations/{round}");
        let mut racers = JoinSet::new();
        for racer in 0..RACERS {
            let (store, name) = (Arc::clone(&place.store), name.clone());
            racers.spawn(
                async move { store.put_new(&name, vec![racer; 1024]).await.unwrap().then_some(racer) },
            );
        }
        let winners: Vec<u8> = racers.join_all().await.into_iter().flatten().collect();
        let there = place.store.get(&name).await.unwrap();
        assert!((0..RACERS).any(|racer| there == vec![racer; 1024]), "round {round}: one racer's, and whole");
        match winners[..] {
            [winner] => assert_eq!(there[0], winner, "round {round}: it is the winner's"),
            // The winner's answer was lost, on a machine with too much to do.
            [] => continue,
            _ => panic!("round {round}: {winners:?} won"),
        }
        told += 1;
    }
    println!("{told} of {ROUNDS} winners were told");
    assert!(told > ROUNDS / 2, "lost answers are the exception: {told} winners were told");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_is_gone_and_what_never_was_may_be_deleted() {
    let place = place();
    for name in ["folder/one", "folder/other"] {
        place.store.put(name, b"1".to_vec()).await.unwrap();
    }
    place.store.delete("folder/one").await.unwrap();
    assert_eq!(place.store.get("folder/one").await, Err(StoreProblem::NotFound));
    assert_eq!(names(&*place.store, "folder/").await, ["folder/other"]);
    place.store.delete("folder/one").await.unwrap();
    place.store.delete("elsewhere/one").await.unwrap();
    assert_eq!(place.store.put_new("folder/one", b"2".to_vec()).await, Ok(true), "its name is free again");
}
