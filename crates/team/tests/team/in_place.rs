//! A library that is read where it lies answers as one that was pulled, and little of it is pulled.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Hit, Index, Scope};
use plumbline_library::{InPlace, Library, ShelfStore, ShelfStores};
use plumbline_team::{Keep, Remote, RemoteShelves, TeamError, prune};
use plumbline_telemetry::{Clock, SystemClock};

use crate::support::{Desk, RUNTIME, Shared, dense, lexical};

/// More than what these libraries have.
pub const ROOM: u64 = 1_000_000_000;

/// The shelves of one place, whatever address is asked for.
struct OnePlace(Arc<Remote>);

impl ShelfStores for OnePlace {
    fn at(&self, _: &str) -> Arc<dyn ShelfStore> {
        Arc::new(RemoteShelves::at(Arc::clone(&self.0)))
    }
}

/// A desk's library with what it reads in place, and how much stays on its disk.
pub fn opened(desk: &Desk, remote: &Arc<Remote>, room: u64) -> Library {
    let in_place = InPlace {
        stores: Arc::new(OnePlace(Arc::clone(remote))),
        patience: Duration::from_secs(60),
        cache_bytes: room,
    };
    RUNTIME
        .block_on(Library::open_with(&desk.workspace(), Some(desk.key()), Some(in_place)))
        .unwrap()
        .unwrap()
}

/// Follows a library in place and asks it; what is found best, and what went over the wire.
pub fn ask_in_place(desk: &Desk, remote: Remote) -> Result<String, TeamError> {
    let remote = Arc::new(remote);
    desk.subscribe_as(&remote, true)?;
    let library = opened(desk, &remote, ROOM);
    let found = lexical(&library, "settle matter 7", &Scope::default());
    let nearest = dense(&library, "settle matter 7", &Scope::default());
    let best = found.first().map(|hit| hit.chunk.text.clone());
    let missed = library.out_of_reach();
    Ok(format!("best {best:?}, {} near, {missed:?} missed, {:?}", nearest.len(), remote.traffic()))
}

fn board() -> Scope {
    Scope { user_tags: vec!["board".to_owned()], ..Scope::default() }
}

fn secret(number: u32) -> String {
    format!(
        "---\ntitle: Secret {number}\nstatus: accepted\naccess_tags: [board]\n---\n\n# Secret {number}\n\n## Decision\n\nWe hide matter {number}, and settle it.\n"
    )
}

/// A library with a shelf for everybody and one for the board, published in place.
fn published() -> (Desk, Shared) {
    let (publisher, shared) = (Desk::new(), Shared::new());
    publisher.write_records(1..=60, "We settle matter");
    for number in 90..=95 {
        publisher.write(&format!("adr/{number:04}-secret.md"), &secret(number));
    }
    publisher.index();
    publisher.publish_in_place(&shared.remote(), false).unwrap();
    (publisher, shared)
}

/// What a user can tell a hit by.
fn told(hits: &[Hit]) -> Vec<(String, String, Option<i32>, Option<i32>)> {
    let rounded = |score: Option<f32>| score.map(|score| (score * 1e5).round() as i32);
    let one = |hit: &Hit| {
        let chunk = &hit.chunk;
        (chunk.source_id.to_string(), chunk.text.clone(), rounded(hit.cosine), rounded(hit.lexical))
    };
    hits.iter().map(one).collect()
}

/// The same of those that come nearer than the last one: of what is equally far, any may be there.
fn nearest(hits: &[Hit]) -> Vec<(String, String, Option<i32>, Option<i32>)> {
    let mut told = told(hits);
    let last = told.last().map(|(_, _, cosine, _)| *cosine);
    told.retain(|(_, _, cosine, _)| Some(*cosine) > last);
    told
}

fn files_in(folder: &PathBuf) -> u64 {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    files.sum()
}

#[test]
fn what_is_read_in_place_is_found_and_scored_as_what_was_pulled() {
    let (_, shared) = published();
    let (pulled, in_place) = (Desk::new(), Desk::new());
    // Beside each stands a folder of the reader's own: statistics are of both.
    for desk in [&pulled, &in_place] {
        desk.write(
            "own/0001-own.md",
            "# 1. Own\n\n## Status\n\nAccepted\n\n## Decision\n\nWe settle our own matter 7.\n",
        );
        desk.index();
    }
    pulled.subscribe(&shared.remote()).unwrap();
    let remote = Arc::new(shared.remote());
    in_place.subscribe_as(&remote, true).unwrap();
    let (there, here) = (pulled.library(), opened(&in_place, &remote, ROOM));
    for scope in [Scope::default(), board()] {
        assert_eq!(in_place.ids_in(&here, &scope), pulled.ids_in(&there, &scope));
        for asked in
            ["settle matter 7", "what is hidden of matter 92", "Matter 12", "Secret 93", "unheard of"]
        {
            assert_eq!(
                told(&lexical(&here, asked, &scope)),
                told(&lexical(&there, asked, &scope)),
                "{asked}"
            );
            let (far, near) = (dense(&here, asked, &scope), dense(&there, asked, &scope));
            assert_eq!(nearest(&far), nearest(&near), "{asked}");
            let last = |hits: &[Hit]| told(hits).pop().and_then(|(_, _, cosine, _)| cosine);
            assert_eq!(last(&far), last(&near), "{asked}: as far as the last one");
        }
        let stems = ["settl", "hide", "nothing"].map(str::to_owned);
        let common = |library: &Library| RUNTIME.block_on(library.term_statistics(&stems, &scope)).unwrap();
        assert_eq!(common(&here), common(&there), "what may not be read moves no score");
        let ids: Vec<DocumentId> =
            pulled.ids_in(&there, &scope).iter().map(|id| DocumentId::new(id.as_str()).unwrap()).collect();
        let all = |library: &Library| told(&RUNTIME.block_on(library.address(&ids, None, &scope)).unwrap());
        assert_eq!(all(&here), all(&there));
    }
    assert!(here.out_of_reach().is_empty());
    in_place.check();
}

#[test]
fn a_question_pulls_little_and_the_same_one_nothing() {
    let (_, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let followed = remote.traffic();
    let published: u64 = shared
        .files()
        .iter()
        .filter(|name| name.contains("/parts/") || name.contains("/pieces/"))
        .map(|name| std::fs::metadata(shared.path(name)).unwrap().len())
        .sum();
    assert!(followed.bytes_pulled < published / 3, "{followed:?} of {published}");
    let library = opened(&reader, &remote, ROOM);
    let first = (lexical(&library, "settle matter 7", &board()), dense(&library, "matter 7", &board()));
    let asked = remote.traffic();
    assert!(asked.requests > followed.requests, "texts and vectors are not here");
    let again = (lexical(&library, "settle matter 7", &board()), dense(&library, "matter 7", &board()));
    assert_eq!((told(&first.0), told(&first.1)), (told(&again.0), told(&again.1)));
    let later = opened(&reader, &remote, ROOM);
    assert_eq!(told(&lexical(&later, "settle matter 7", &board())), told(&first.0));
    assert_eq!(told(&dense(&later, "matter 7", &board())), told(&first.1));
    assert_eq!(remote.traffic(), asked, "the cache holds what was read, also for the next program");
}

#[test]
fn no_more_stays_on_disk_than_there_is_room_for() {
    let (_, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let room = 60_000;
    let library = opened(&reader, &remote, room);
    for number in 1..=40 {
        let found = lexical(&library, &format!("settle matter {number}"), &board());
        assert!(!found.is_empty(), "it is found all the same");
        let kept = files_in(&reader.workspace().join("library/pieces"));
        assert!(kept <= room, "question {number}: {kept} bytes");
    }
}

#[test]
fn a_store_that_is_away_is_told_and_the_rest_answers() {
    let (_, shared) = published();
    let reader = Desk::new();
    reader.write(
        "own/0001-own.md",
        "# 1. Own\n\n## Status\n\nAccepted\n\n## Decision\n\nWe settle our own matter 7.\n",
    );
    reader.index();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let team = shared.folder.path().join("team");
    std::fs::rename(&team, shared.folder.path().join("away")).unwrap();
    let library = opened(&reader, &remote, ROOM);
    let found = lexical(&library, "settle matter 7", &Scope::default());
    assert_eq!(found.len(), 1, "one's own documents answer");
    assert!(!dense(&library, "settle matter 7", &Scope::default()).is_empty());
    let told = library.out_of_reach();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].address, remote.address());
    assert!(told[0].detail.to_string().contains("cannot be reached"), "{}", told[0].detail);
    std::fs::rename(shared.folder.path().join("away"), &team).unwrap();
    let library = opened(&reader, &remote, ROOM);
    assert!(lexical(&library, "settle matter 7", &Scope::default()).len() > 1, "and when it is back, all do");
}

#[test]
fn a_piece_that_is_damaged_is_refused_by_its_name_until_it_is_mended() {
    let (publisher, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let of = |kind: &str| shared.files().into_iter().filter(|name| name.contains(kind)).collect::<Vec<_>>();
    for kind in ["/pieces/", "/parts/"] {
        for name in of(kind) {
            let mut bytes = std::fs::read(shared.path(&name)).unwrap();
            bytes[0] ^= 1;
            std::fs::write(shared.path(&name), bytes).unwrap();
        }
        // What was read before it was damaged is as good as ever.
        let _ = std::fs::remove_dir_all(reader.workspace().join("library/pieces"));
        let library = opened(&reader, &remote, ROOM);
        assert!(
            lexical(&library, "settle matter 7", &Scope::default()).is_empty(),
            "nothing of it is believed"
        );
        let detail = library.out_of_reach().remove(0).detail.to_string();
        assert!(of(kind).iter().any(|name| detail.contains(file_name(name))), "{detail}");
        publisher.publish_in_place(&shared.remote(), true).unwrap();
        let library = opened(&reader, &remote, ROOM);
        assert!(lexical(&library, "settle matter 7", &Scope::default()).len() > 1, "{kind} was mended");
    }
}

fn file_name(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.trim_end_matches(".zip")
}

#[test]
fn a_damaged_listing_is_refused_and_the_last_generation_stays() {
    let (publisher, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let before: Vec<String> = shared.files();
    publisher.write_records(1..=3, "We unsettle matter");
    publisher.index();
    publisher.publish_in_place(&remote, false).unwrap();
    for kind in ["/listings/", "/outlines/"] {
        let name =
            shared.files().into_iter().find(|name| name.contains(kind) && !before.contains(name)).unwrap();
        let whole = std::fs::read(shared.path(&name)).unwrap();
        std::fs::write(shared.path(&name), &whole[1..]).unwrap();
        let problem = reader.subscribe_as(&remote, true).unwrap_err();
        assert!(matches!(&problem, TeamError::Broken { name: told, .. } if *told == name), "{problem}");
        assert_eq!(reader.in_force(remote.address()).unwrap().generation, 1);
        let library = opened(&reader, &remote, ROOM);
        assert!(
            lexical(&library, "settle matter 2", &Scope::default()).len() > 1,
            "the last good one answers"
        );
        std::fs::write(shared.path(&name), whole).unwrap();
    }
    reader.subscribe_as(&remote, true).unwrap();
    assert_eq!(reader.in_force(remote.address()).unwrap().generation, 2);
}

#[test]
fn a_change_costs_what_changed_and_is_followed() {
    let (publisher, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    reader.subscribe_as(&remote, true).unwrap();
    let unchanged = publisher.publish_in_place(&shared.remote(), false).unwrap();
    assert_eq!((unchanged.new, unchanged.traffic.bytes_sent), (false, 0));
    publisher.write(
        "adr/0007-matter.md",
        "# 7. Matter 7\n\n## Status\n\nAccepted\n\n## Decision\n\nWe forgot matter 7.\n",
    );
    std::fs::remove_file(publisher.docs().join("adr/0008-matter.md")).unwrap();
    publisher.index();
    let asked = shared.remote();
    // A library that was published in place goes on so, whoever publishes it next without saying it.
    let report = publisher.publish_in_place(&asked, false).unwrap();
    assert!(report.new && report.added == 1 && report.removed == 2, "{report:?}");
    let all: u64 =
        shared.files().iter().map(|name| std::fs::metadata(shared.path(name)).unwrap().len()).sum();
    assert!(report.traffic.bytes_sent < all / 2, "{} of {all}", report.traffic.bytes_sent);
    let taken_in = reader.subscribe_as(&remote, true).unwrap().unwrap();
    assert_eq!((taken_in.added + taken_in.changed, taken_in.documents), (1, 65));
    let library = opened(&reader, &remote, ROOM);
    let found = lexical(&library, "forgot matter 7", &Scope::default());
    assert!(found[0].chunk.text.contains("We forgot matter 7."));
    assert!(
        !lexical(&library, "settle matter 8", &Scope::default())
            .iter()
            .any(|hit| hit.chunk.text.contains("matter 8."))
    );
    let other = Desk::new();
    other.subscribe(&remote).unwrap();
    assert_eq!(
        told(&lexical(&library, "settle matter 9", &Scope::default())),
        told(&lexical(&other.library(), "settle matter 9", &Scope::default())),
        "what is gone counts no more"
    );
}

#[test]
fn a_library_goes_on_to_be_read_in_place_and_one_that_is_not_says_what_to_do() {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    publisher.write_records(1..=5, "We settle matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    let remote = Arc::new(shared.remote());
    let problem = reader.subscribe_as(&remote, true).unwrap_err();
    assert!(matches!(problem, TeamError::NotInPlace { generation: 1, .. }), "{problem}");
    assert!(problem.to_string().contains("--in-place"), "{problem}");
    reader.subscribe(&remote).unwrap();
    publisher.publish_in_place(&shared.remote(), false).unwrap();
    reader.subscribe_as(&remote, true).unwrap();
    let library = opened(&reader, &remote, ROOM);
    let found = lexical(&library, "settle matter 3", &Scope::default());
    let mut sources: Vec<String> = found.iter().map(|hit| hit.chunk.source_id.to_string()).collect();
    sources.sort();
    sources.dedup();
    assert_eq!(sources.len(), found.len(), "what was pulled before is not found beside it");
    assert!(!found.is_empty());
    reader.check();
    reader.subscribe(&remote).unwrap();
    assert!(reader.finds("We settle matter 3."), "and back");
}

#[test]
fn pruning_keeps_what_is_read_in_place_and_takes_the_rest() {
    let (publisher, shared) = published();
    let reader = Desk::new();
    let remote = Arc::new(shared.remote());
    publisher.write_records(1..=60, "We unsettle matter");
    publisher.index();
    publisher.publish_in_place(&remote, false).unwrap();
    reader.subscribe_as(&remote, true).unwrap();
    let before = shared.files().len();
    let later = SystemClock.now() + jiff::SignedDuration::from_hours(24 * 30);
    let keep = Keep { count: 1, age: jiff::SignedDuration::ZERO };
    let report = RUNTIME.block_on(prune(&remote, keep, later)).unwrap();
    assert!(report.generations == 1 && report.files > 0, "{report:?}");
    assert!(shared.files().len() < before);
    let library = opened(&reader, &remote, ROOM);
    assert!(lexical(&library, "unsettle matter 7", &board()).len() > 1);
    assert!(!dense(&library, "unsettle matter 7", &board()).is_empty());
    assert!(library.out_of_reach().is_empty());
}
