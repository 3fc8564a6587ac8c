//! A store that fails, refuses, is slow or away: nothing is half, and the next try gets through.

use plumbline_core::ports::Scope;
use plumbline_team::{StoreProblem, TeamError};

use crate::stores::Guarded;
use crate::support::{Desk, Shared, two_generations};

fn problems() -> [StoreProblem; 3] {
    [
        StoreProblem::Unreachable("500 Internal Server Error".to_owned()),
        StoreProblem::Forbidden,
        StoreProblem::NotFound,
    ]
}

#[test]
fn a_reader_of_a_failing_store_keeps_what_it_has_and_says_why() {
    let (_publisher, reader, shared) = two_generations();
    for problem in problems() {
        // A request for each: the list, the generation, the manifest, the part.
        for from in 0..4 {
            let store = Guarded::failing(shared.store(), from, usize::MAX, problem.clone());
            let told = reader.subscribe(&shared.through(store)).unwrap_err();
            assert!(
                matches!(
                    told,
                    TeamError::Unreachable { .. }
                        | TeamError::Forbidden { .. }
                        | TeamError::Missing { .. }
                        | TeamError::NoShelf { .. }
                        | TeamError::Broken { .. }
                ),
                "{problem:?} from request {from}: {told}"
            );
            assert!(reader.finds("We settle matter 3."), "{problem:?} from request {from}");
        }
    }
    std::fs::rename(shared.path(""), shared.folder.path().join("away")).unwrap();
    let away = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(away, TeamError::Unreachable { .. }), "{away}");
    assert!(reader.finds("We settle matter 3."), "away, it goes on answering");
    std::fs::rename(shared.folder.path().join("away"), shared.path("")).unwrap();
    reader.subscribe(&shared.remote()).unwrap();
    assert!(reader.finds("We unsettle matter 3."));
}

#[test]
fn a_publisher_that_fails_at_any_request_leaves_the_last_generation_in_force() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    publisher.write_records(1..=5, "We settle matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    publisher.write_records(3..=3, "We unsettle matter");
    publisher.index();
    let mut sent = Vec::new();
    for from in 0.. {
        let problem = StoreProblem::Unreachable("no space left".to_owned());
        let store = Guarded::failing(shared.store(), from, usize::MAX, problem);
        match publisher.publish(&shared.through(store)) {
            Err(told) => assert!(matches!(told, TeamError::Unreachable { .. }), "request {from}: {told}"),
            Ok(report) => {
                sent.push(report.files_sent);
                break;
            }
        }
        let reader = Desk::new();
        reader.subscribe(&shared.remote()).unwrap();
        assert_eq!(reader.in_force(&shared.address().to_string()).unwrap().generation, 1);
        assert!(reader.finds("We settle matter 3."), "request {from}");
    }
    let reader = Desk::new();
    reader.subscribe(&shared.remote()).unwrap();
    assert!(reader.finds("We unsettle matter 3.") && reader.ids(&Scope::default()).len() == 5);
    assert_eq!(sent, [1], "what the interrupted ones had sent is used: only the manifest is sent again");
}

#[test]
fn an_answer_that_was_lost_is_no_defeat() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    publisher.write_records(1..=2, "We settle matter");
    publisher.index();
    std::fs::create_dir(shared.path("")).unwrap();
    /// Makes the generation and then says that it was there already, as a retry behind a lost answer does.
    struct Forgetful(std::sync::Arc<dyn plumbline_team::Store>);
    #[async_trait::async_trait]
    impl plumbline_team::Store for Forgetful {
        async fn list(&self, beginning: &str) -> Result<Vec<plumbline_team::Entry>, StoreProblem> {
            self.0.list(beginning).await
        }
        async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
            self.0.get(name).await
        }
        async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
            self.0.put(name, bytes).await
        }
        async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
            self.0.put_new(name, bytes).await?;
            Ok(false)
        }
        async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
            self.0.delete(name).await
        }
    }
    let remote = shared.through(std::sync::Arc::new(Forgetful(shared.store())));
    assert_eq!(publisher.publish(&remote).unwrap().generation, 1);
}
