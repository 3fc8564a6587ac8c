//! Two publishers at once: one wins, the other says so, and no generation is half of each.

use std::sync::Arc;

use plumbline_core::ports::Scope;
use plumbline_team::{TeamError, publish};
use tokio::sync::Barrier;

use crate::stores::Abreast;
use crate::support::{Desk, RUNTIME, Shared, number_or, publishing};

/// How many races there are; more where this says so.
const ROUNDS: &str = "PLUMBLINE_TEAM_RACES";
const DEFAULT_ROUNDS: usize = 15;

#[test]
fn of_two_publishers_at_once_one_wins_and_the_other_says_so() {
    let shared = Shared::new();
    let desks = [Desk::new(), Desk::new()];
    desks[0].write_records(1..=4, "The north settles matter");
    desks[1].write_records(1..=6, "The south settles matter");
    desks.iter().for_each(Desk::index);
    let libraries = desks.iter().map(Desk::library).collect::<Vec<_>>();
    std::fs::create_dir(shared.path("")).unwrap();
    let rounds = number_or(ROUNDS, DEFAULT_ROUNDS) as u64;
    let mut wins = [0, 0];
    for round in 1..=rounds {
        let barrier = Arc::new(Barrier::new(2));
        let remotes = [0, 1].map(|_| {
            shared.through(Arc::new(Abreast { inner: shared.store(), barrier: Arc::clone(&barrier) }))
        });
        let ends = RUNTIME.block_on(async {
            let exports = [libraries[0].export().await.unwrap(), libraries[1].export().await.unwrap()];
            let how = [publishing(false), publishing(false)];
            let (a, b) = tokio::join!(
                publish(&remotes[0], &exports[0], &how[0]),
                publish(&remotes[1], &exports[1], &how[1])
            );
            [a, b]
        });
        let winner = ends.iter().position(Result::is_ok).unwrap();
        assert_eq!(ends[winner].as_ref().unwrap().generation, round);
        let told = ends[1 - winner].as_ref().unwrap_err();
        assert!(
            matches!(told, TeamError::Outrun { generation, .. } if *generation == round),
            "round {round}: {told}"
        );
        wins[winner] += 1;
        let reader = Desk::new();
        reader.subscribe(&shared.remote()).unwrap();
        assert_eq!(
            reader.ids(&Scope::default()),
            desks[winner].ids(&Scope::default()),
            "round {round}: the whole of the winner's library, and nothing else"
        );
        // What is published already is not published again, and then there would be no race.
        if round < rounds {
            desks[winner].write_records(1..=1, &format!("In round {round} we settle matter"));
            desks[winner].index();
        }
    }
    println!("{rounds} races: {wins:?} won");
}
