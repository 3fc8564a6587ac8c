//! Published, followed, changed: what arrives, and what it costs.

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Catalogue, Scope};

use crate::support::{Desk, RUNTIME, Shared, record};

#[test]
fn what_is_published_is_found_and_a_change_costs_what_changed() {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    publisher.write_records(1..=500, "We settle matter");
    publisher.index();
    let first_wire = shared.remote();
    let first = publisher.publish(&first_wire).unwrap();
    assert_eq!((first.generation, first.documents, first.new), (1, 500, true));
    let wire = shared.remote();
    let followed = reader.subscribe(&wire).unwrap().unwrap();
    assert_eq!((followed.documents, followed.added, followed.removed), (500, 500, 0));
    reader.check();
    assert_eq!(reader.ids(&Scope::default()), publisher.ids(&Scope::default()), "ids are the same for both");
    assert!(reader.finds("We settle matter 499."));
    let all_pulled = wire.traffic();

    publisher.write_records(7..=9, "We unsettle matter");
    publisher.index();
    let second_wire = shared.remote();
    let second = publisher.publish(&second_wire).unwrap();
    assert_eq!((second.generation, second.added, second.removed), (2, 3, 3));
    let wire = shared.remote();
    let followed = reader.subscribe(&wire).unwrap().unwrap();
    assert_eq!((followed.added, followed.changed, followed.removed), (0, 3, 0));
    let pulled = wire.traffic();
    println!(
        "500 documents: {:?} sent, {:?} pulled; 3 changed: {:?} sent, {:?} pulled",
        first.traffic, all_pulled, second.traffic, pulled
    );
    assert!(second.traffic.bytes_sent * 5 < first.traffic.bytes_sent, "three of 500 are sent, and a list");
    assert!(pulled.bytes_pulled * 5 < all_pulled.bytes_pulled, "three of 500 are pulled, and a list");
    assert!(reader.finds("We unsettle matter 8.") && !reader.finds("We settle matter 8."));
    reader.check();

    let again = publisher.publish(&shared.remote()).unwrap();
    assert!(!again.new && again.generation == 2 && again.files_sent == 0, "nothing changed, nothing is made");
    assert!(reader.subscribe(&shared.remote()).unwrap().is_none(), "and nothing is pulled");
}

#[test]
fn a_followed_library_stands_beside_ones_own_folders_and_can_be_left() {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    publisher.write_records(1..=3, "The team settles matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    reader.write("adr/0001-own.md", &record(1, "I settle matter"));
    reader.index();
    reader.subscribe(&shared.remote()).unwrap();
    let everyone = Scope::default();
    assert_eq!(reader.ids(&everyone), ["adr-0001", "docs-2-adr-0001", "docs-2-adr-0002", "docs-2-adr-0003"]);
    let edition = |id: &str| {
        let id = DocumentId::new(id).unwrap();
        RUNTIME.block_on(reader.library().edition(&id, &everyone)).unwrap()
    };
    assert_eq!(edition("adr-0001"), None);
    let address = shared.address().to_string();
    let team = edition("docs-2-adr-0002").unwrap();
    assert_eq!((team.address, team.generation), (address.clone(), 1), "answers can name it");

    // One's own folder is indexed as ever, and the team's library stays.
    reader.write("adr/0002-own.md", &record(2, "I settle matter"));
    reader.index();
    assert_eq!(reader.ids(&everyone).len(), 5);
    reader.check();
    // Without it the team's ids need no name of a source.
    let mut indexer = reader.indexer();
    indexer.remove(&reader.docs()).unwrap();
    indexer.run(&tokio_util::sync::CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    assert_eq!(reader.ids(&everyone), ["adr-0001", "adr-0002", "adr-0003"]);
    reader.check();
    assert!(reader.subscribe(&shared.remote()).unwrap().is_none(), "it is still known what is here");

    reader.indexer().unfollow(&address).unwrap();
    assert_eq!((reader.ids(&everyone), reader.in_force(&address)), (Vec::new(), None));
    reader.check();
}

#[test]
fn what_is_followed_is_not_published_on() {
    let (publisher, middle, shared, other) = (Desk::new(), Desk::new(), Shared::new(), Shared::new());
    publisher.write_records(1..=3, "The team settles matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    middle.write_records(4..=4, "I settle matter");
    middle.index();
    middle.subscribe(&shared.remote()).unwrap();
    assert_eq!(middle.publish(&other.remote()).unwrap().documents, 1);
}

#[test]
fn two_libraries_can_be_followed_and_a_document_that_goes_is_gone() {
    let (north, south, reader) = (Desk::new(), Desk::new(), Desk::new());
    let (at_north, at_south) = (Shared::new(), Shared::new());
    north.write_records(1..=2, "The north settles matter");
    south.write_records(1..=2, "The south settles matter");
    for (desk, place) in [(&north, &at_north), (&south, &at_south)] {
        desk.index();
        desk.publish(&place.remote()).unwrap();
        reader.subscribe(&place.remote()).unwrap();
    }
    assert_eq!(reader.ids(&Scope::default()).len(), 4);
    std::fs::remove_file(south.docs().join("adr/0002-matter.md")).unwrap();
    south.index();
    south.publish(&at_south.remote()).unwrap();
    let followed = reader.subscribe(&at_south.remote()).unwrap().unwrap();
    assert_eq!((followed.documents, followed.removed), (1, 1));
    assert!(!reader.finds("The south settles matter 2.") && reader.finds("The north settles matter 2."));
    reader.check();
}
