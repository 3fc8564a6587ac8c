//! The sample library, indexed as a user would.

use std::path::Path;

use plumbline_core::domain::{DocumentId, Kind, Standing};
use plumbline_core::intent::references;
use plumbline_core::ports::{Catalogue, DocumentFilter, Index, Scope};
use plumbline_library::Library;

use crate::test_library::{TestLibrary, sources};

fn sample() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

fn listed(
    test_library: &TestLibrary,
    library: &Library,
    filter: &DocumentFilter,
    scope: &Scope,
) -> Vec<String> {
    let listed = test_library.runtime.block_on(library.list(filter, scope)).unwrap();
    listed.iter().map(|document| document.id.to_string()).collect()
}

#[test]
fn the_sample_library_is_listed_complete_and_in_order() {
    let test_library = TestLibrary::new();
    let report = test_library.index_path(&sample());
    assert_eq!(report.skipped, [], "every file can be read");
    test_library.check();
    let library = test_library.library();
    let everybody = Scope::default();
    let of = |kind: Kind| DocumentFilter { kinds: vec![kind], ..DocumentFilter::default() };
    let officer = Scope { user_tags: vec!["security".to_owned()], ..Scope::default() };
    assert_eq!(listed(&test_library, &library, &of(Kind::Adr), &everybody).len(), 30);
    assert_eq!(listed(&test_library, &library, &of(Kind::Dar), &everybody).len(), 30);
    assert_eq!(listed(&test_library, &library, &of(Kind::Principle), &everybody).len(), 20);
    assert_eq!(
        listed(&test_library, &library, &of(Kind::Policy), &everybody).len(),
        9,
        "one policy is restricted"
    );
    assert_eq!(listed(&test_library, &library, &of(Kind::Policy), &officer).len(), 10);
    let adrs = listed(&test_library, &library, &of(Kind::Adr), &everybody);
    let mut by_number = adrs.clone();
    by_number.sort();
    assert_eq!(adrs, by_number);
    assert_eq!((adrs[0].as_str(), adrs[29].as_str()), ("adr-0001", "adr-0032"));
    let proposed = DocumentFilter { standings: vec![Standing::Proposed], ..of(Kind::Adr) };
    assert_eq!(listed(&test_library, &library, &proposed, &everybody), ["adr-0027", "adr-0030"]);
    let about = DocumentFilter { about: Some("TLS".to_owned()), ..of(Kind::Adr) };
    let about = listed(&test_library, &library, &about, &everybody);
    assert!(about.contains(&"adr-0007".to_owned()) && about.contains(&"adr-0021".to_owned()), "{about:?}");
    assert!(!about.contains(&"adr-0010".to_owned()), "{about:?}");
}

#[test]
fn records_and_their_approvals_are_told_apart() {
    let test_library = TestLibrary::new();
    test_library.index_path(&sample());
    let library = test_library.library();
    let scope = Scope::default();
    let get = |id: &str| {
        test_library
            .runtime
            .block_on(library.document(&DocumentId::new(id).unwrap(), &scope))
            .unwrap()
            .unwrap()
    };
    let approved = get("adr-0010");
    assert_eq!(approved.approvers, ["Marit Veenstra", "Fatima el Amrani", "Hanneke Prins"]);
    let disputed = get("adr-0031");
    assert_eq!(disputed.status.as_deref(), Some("accepted"));
    assert_eq!(disputed.approval_status.as_deref(), Some("proposed"), "both are kept");
    assert_eq!(get("adr-0007").superseded_by, [DocumentId::new("adr-0021").unwrap()]);
    for (written, id) in [
        ("ADR.12", "adr-0012"),
        ("adr 12d", "adr-0012d"),
        ("PCP-39", "pcp-0039"),
        ("0021-require-tls-1-3-for-transport-encryption.md", "adr-0021"),
    ] {
        let reference = references(written).remove(0).1;
        let found = test_library.runtime.block_on(library.resolve(&reference, &scope)).unwrap();
        assert_eq!(found.len(), 1, "{written}");
        assert_eq!(found[0].id.as_str(), id, "{written}");
    }
}

#[test]
fn comments_are_never_found() {
    let test_library = TestLibrary::new();
    test_library.index_path(&sample());
    let library = test_library.library();
    for hit in test_library.lexical(&library, "curtailment within 5 seconds", &Scope::default()) {
        assert!(
            !hit.chunk.text.contains("5 seconds"),
            "a draft in a comment is not in force: {}",
            hit.chunk.text
        );
    }
}

#[test]
fn every_lane_gives_the_same_cosine_and_a_fixed_order() {
    let test_library = TestLibrary::new();
    test_library.index_path(&sample());
    let library = test_library.library();
    let scope = Scope::default();
    let question = "How long are access tokens valid?";
    let dense = test_library.dense(&library, question, &scope);
    let lexical = test_library.lexical(&library, question, &scope);
    let best: Vec<&str> = lexical.iter().take(3).map(|hit| hit.chunk.document.id.as_str()).collect();
    assert!(best.contains(&"adr-0008"), "{:?}", sources(&lexical));
    for hit in &lexical {
        if let Some(same) = dense.iter().find(|other| other.chunk.source_id == hit.chunk.source_id) {
            let difference = (hit.cosine.unwrap() - same.cosine.unwrap()).abs();
            assert!(difference < 1e-5, "{} differs by {difference}", hit.chunk.source_id);
        }
        assert!((0.0..=1.0).contains(&hit.lexical.unwrap()));
    }
    let vector = test_library.vector(question);
    let ids = [DocumentId::new("adr-0008").unwrap()];
    let addressed = test_library.runtime.block_on(library.address(&ids, Some(&vector), &scope)).unwrap();
    assert!(addressed.windows(2).all(|pair| pair[0].chunk.source_id.chunk < pair[1].chunk.source_id.chunk));
    assert!(addressed.iter().all(|hit| hit.cosine.is_some()));

    // Indexed anew, in another workspace, nothing moves.
    let again = TestLibrary::new();
    again.index_path(&sample());
    let other = again.library();
    assert_eq!(sources(&again.dense(&other, question, &scope)), sources(&dense));
    assert_eq!(sources(&again.lexical(&other, question, &scope)), sources(&lexical));
}
