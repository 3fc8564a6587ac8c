//! A flipped byte is noticed in every kind of file, the last good generation stays, and publishing mends it.

use plumbline_core::domain::Language;
use plumbline_core::ports::Scope;
use plumbline_team::TeamError;
use plumbline_testkit::dutch::assert_dutch;

use crate::support::{Desk, Shared, two_generations};

fn flip(shared: &Shared, name: &str, at: usize) {
    let path = shared.path(name);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = at % bytes.len();
    bytes[at] ^= 0x20;
    std::fs::write(path, bytes).unwrap();
}

fn stays_at_the_first(reader: &Desk, shared: &Shared) {
    assert_eq!(reader.in_force(&shared.address().to_string()).unwrap().generation, 1);
    assert!(reader.finds("We settle matter 3."), "the last good generation answers");
    assert_eq!(reader.ids(&Scope::default()).len(), 5);
}

#[test]
fn a_flipped_byte_in_any_file_is_noticed_and_mended_by_publishing() {
    for kind in ["generations/2", "/manifests/", "/parts/"] {
        for at in [0, 40, 1_000, 3_333] {
            let (publisher, reader, shared) = two_generations();
            let before = publisher_files_of_first(&shared, kind);
            let files = shared.files();
            for name in files.iter().filter(|name| name.contains(kind) && !before.contains(name)) {
                flip(&shared, name, at);
            }
            let problem = reader.subscribe(&shared.remote()).unwrap_err();
            assert!(
                matches!(&problem, TeamError::Broken { generation: 2, name, .. } if name.contains(kind.trim_end_matches('2'))),
                "{kind} at {at}: {problem}"
            );
            assert_dutch(&problem.detail().text(Language::NL));
            stays_at_the_first(&reader, &shared);
            let mended = publisher.publish_with(&shared.remote(), true).unwrap();
            reader.subscribe(&shared.remote()).unwrap();
            assert!(
                reader.finds("We unsettle matter 3."),
                "{kind} at {at}: {mended:?} mends what was damaged"
            );
        }
    }
}

/// Files that the first generation has; what is damaged is the second's.
fn publisher_files_of_first(shared: &Shared, kind: &str) -> Vec<String> {
    if kind.starts_with("generations") {
        return Vec::new();
    }
    let first = std::fs::read_to_string(shared.path("generations/1.json")).unwrap();
    let of_first = |name: &String| {
        let hash = name.rsplit('/').next().unwrap().split('.').next().unwrap();
        first.contains(hash)
    };
    shared.files().into_iter().filter(of_first).collect()
}

#[test]
fn a_file_that_is_missing_is_noticed() {
    let (publisher, reader, shared) = two_generations();
    let parts: Vec<String> = shared.files().into_iter().filter(|name| name.contains("/parts/")).collect();
    for name in &parts {
        std::fs::remove_file(shared.path(name)).unwrap();
    }
    let problem = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(problem, TeamError::Broken { generation: 2, .. }), "{problem}");
    stays_at_the_first(&reader, &shared);
    publisher.publish(&shared.remote()).unwrap();
    reader.subscribe(&shared.remote()).unwrap();
    assert!(reader.finds("We unsettle matter 3."), "publishing sends what is not there");
}

#[test]
fn another_embedder_and_a_newer_program_are_refused_with_the_reason() {
    let (publisher, mut reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    let nothing = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(nothing, TeamError::Unreachable { .. }), "a folder that is not there: {nothing}");
    std::fs::create_dir(shared.path("")).unwrap();
    let nothing = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(nothing, TeamError::Nothing { .. }), "{nothing}");
    publisher.write_records(1..=2, "We settle matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    reader.fingerprint = "f2".to_owned();
    let problem = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(
        matches!(&problem, TeamError::OtherEmbedder { found, own, .. } if found == "f1" && own == "f2"),
        "{problem}"
    );
    reader.fingerprint = "f1".to_owned();
    reader.subscribe(&shared.remote()).unwrap();
    write_newer(&shared, "{\"format\":3,\"shelves\":\"in another way\"}");
    let problem = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(problem, TeamError::TooNew { generation: 2, found: 3, known: 2, .. }), "{problem}");
    assert!(reader.finds("We settle matter 2."), "the last good one stays");
    let refused = publisher.publish(&shared.remote()).unwrap_err();
    assert!(
        matches!(refused, TeamError::TooNew { .. }),
        "an older program does not publish over it: {refused}"
    );
    for problem in [nothing, problem] {
        assert_dutch(&problem.detail().text(Language::NL));
    }
}

fn write_newer(shared: &Shared, content: &str) {
    let checksum = plumbline_telemetry::sha256_hex(content);
    let text = format!("{{\"checksum\":\"{checksum}\",\"generation\":{content}}}\n");
    std::fs::write(shared.path("generations/2.json"), text).unwrap();
}

#[test]
fn a_store_that_went_back_is_noticed_and_another_library_at_the_address_is_taken() {
    let (publisher, reader, shared) = two_generations();
    reader.subscribe(&shared.remote()).unwrap();
    std::fs::remove_file(shared.path("generations/2.json")).unwrap();
    let problem = reader.subscribe(&shared.remote()).unwrap_err();
    assert!(matches!(problem, TeamError::GoneBack { found: 1, held: 2, .. }), "{problem}");
    assert!(reader.finds("We unsettle matter 3."));
    std::fs::remove_dir_all(shared.path("")).unwrap();
    publisher.publish(&shared.remote()).unwrap();
    reader.subscribe(&shared.remote()).unwrap();
    assert_eq!(reader.in_force(&shared.address().to_string()).unwrap().generation, 1);
}
