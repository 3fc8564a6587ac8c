//! Pruning: what is old goes, what readers may hold stays, and one who reads meanwhile gets something whole.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use plumbline_core::ports::Scope;
use plumbline_team::{Keep, PruneReport, prune};
use plumbline_telemetry::{Clock, SystemClock};

use crate::stores::Guarded;
use crate::support::{Desk, RUNTIME, Shared};

const DAYS_14: Keep = Keep { count: 2, age: SignedDuration::from_hours(14 * 24) };

fn prune_at(shared: &Shared, keep: Keep, now: Timestamp) -> PruneReport {
    RUNTIME.block_on(prune(&shared.remote(), keep, now)).unwrap()
}

fn publish_rounds(publisher: &Desk, shared: &Shared, rounds: std::ops::RangeInclusive<u32>) {
    for round in rounds {
        publisher.write_records(1..=4, &format!("In round {round} we settle matter"));
        publisher.index();
        publisher.publish(&shared.remote()).unwrap();
    }
}

#[test]
fn old_generations_go_and_what_the_others_need_stays() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    publish_rounds(&publisher, &shared, 1..=5);
    let left = shared.path("shelves/00aa/parts/left.zip");
    std::fs::create_dir_all(left.parent().unwrap()).unwrap();
    std::fs::write(&left, "what an interrupted publisher left").unwrap();
    let now = SystemClock.now();
    assert_eq!(prune_at(&shared, DAYS_14, now), PruneReport::default(), "all of it is young");
    let later = now + SignedDuration::from_hours(15 * 24);
    let pruned = prune_at(&shared, DAYS_14, later);
    assert_eq!(
        (pruned.generations, pruned.files),
        (3, 7),
        "three generations of two files, and what was left"
    );
    assert!(!left.exists());
    let reader = Desk::new();
    reader.subscribe(&shared.remote()).unwrap();
    assert!(reader.finds("In round 5 we settle matter 2."));
    assert_eq!(
        prune_at(&shared, DAYS_14, later),
        PruneReport::default(),
        "the second time nothing is left to take"
    );
    publish_rounds(&publisher, &shared, 6..=6);
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(reader.in_force(&shared.address().to_string()).unwrap().generation, 6);
}

#[test]
fn a_reader_whose_generation_is_taken_away_meanwhile_gets_the_next() {
    let (publisher, reader) = (Arc::new(Desk::new()), Desk::new());
    let shared = Arc::new(Shared::new());
    publish_rounds(&publisher, &shared, 1..=1);
    let (busy, place) = (Arc::clone(&publisher), Arc::clone(&shared));
    let store = Guarded::interrupted(
        shared.store(),
        |asked, name| asked == "get" && name.contains("/parts/"),
        move || {
            publish_rounds(&busy, &place, 2..=4);
            let keep = Keep { count: 1, age: SignedDuration::ZERO };
            let much_later = SystemClock.now() + SignedDuration::from_hours(48);
            assert_eq!(prune_at(&place, keep, much_later).generations, 3);
        },
    );
    reader.subscribe(&shared.through(store)).unwrap();
    assert_eq!(reader.in_force(&shared.address().to_string()).unwrap().generation, 4);
    assert_eq!(reader.ids(&Scope::default()).len(), 4);
    assert!(reader.finds("In round 4 we settle matter 1."));
    reader.check();
}
