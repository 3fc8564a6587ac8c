//! What `vocab check` says of the sample and of broken vocabularies.

use std::fs;

use plumbline_vocabulary::check::check;
use plumbline_vocabulary::source::VocabularyFile;

use crate::support::sample_files;

#[test]
fn the_sample_is_counted_as_its_readme_says() {
    let report = check(&sample_files());
    let row = |at: usize| {
        let scheme = &report.schemes[at];
        let both = |counts: &std::collections::BTreeMap<String, usize>| (counts["en"], counts["nl"]);
        (
            scheme.concepts,
            scheme.top_concepts,
            both(&scheme.preferred),
            both(&scheme.alternative),
            both(&scheme.hidden),
            both(&scheme.defined),
        )
    };
    // In the order of the files: assets, cim, grid, market.
    assert_eq!(row(0), (30, 4, (30, 30), (35, 36), (13, 6), (27, 27)));
    assert_eq!(row(1), (49, 5, (49, 49), (58, 65), (26, 10), (48, 46)));
    assert_eq!(row(2), (60, 7, (60, 60), (76, 67), (40, 19), (57, 57)));
    assert_eq!(row(3), (39, 5, (39, 39), (49, 49), (21, 12), (36, 38)));
    assert_eq!(report.schemes[1].version.as_deref(), Some("2.3"));
    assert_eq!(report.schemes[1].modified.as_deref(), Some("2026-05-12"));
    assert_eq!((report.concepts, report.schemes.len(), report.deprecated), (178, 4, 6));
    assert_eq!((report.missing_definitions.len(), report.partly_defined.len()), (6, 8));
    let collisions: Vec<(&str, bool)> =
        report.collisions.iter().map(|collision| (collision.label.as_str(), collision.ambiguous)).collect();
    assert_eq!(collisions, [("cim", true), ("profiel", false), ("profile", false)]);
    assert!(report.cycles.is_empty() && report.dangling.is_empty() && report.defects.is_empty());
    assert!(report.deprecated_without_replacement.is_empty() && report.without_scheme.is_empty());
    assert!(report.untyped.is_empty() && report.without_preferred_label.is_empty());
    assert_eq!(
        (report.mappings["exactMatch"], report.mappings["closeMatch"]),
        (4, 16),
        "each from both sides"
    );
}

#[test]
fn everything_that_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.ttl");
    fs::write(
        &path,
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix e: <http://x.test/> .
e:a a skos:Concept ; skos:prefLabel \"a\"@en , \"a\"@nl ; skos:definition \"A.\"@en ; skos:broader e:b .
e:b a skos:Concept ; skos:prefLabel \"A\"@en ; skos:broader e:a , e:gone ; skos:inScheme e:nowhere .
e:c a skos:Concept ; owl:deprecated true .
e:d skos:prefLabel \"d\"@en .
e:l a skos:Collection ; skos:member e:a , e:lost .
broken .
",
    )
    .unwrap();
    let report = check(&[VocabularyFile::alone(&path)]);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["cycles"], serde_json::json!([["http://x.test/a", "http://x.test/b"]]));
    assert_eq!(json["collisions"][0]["concepts"][1]["label"], "preferred");
    assert_eq!(json["dangling"].as_array().unwrap().len(), 3, "{}", json["dangling"]);
    assert_eq!(json["deprecated_without_replacement"], serde_json::json!(["http://x.test/c"]));
    assert_eq!(json["without_scheme"], serde_json::json!(["http://x.test/a", "http://x.test/c"]));
    assert_eq!(json["without_preferred_label"], serde_json::json!(["http://x.test/c"]));
    assert_eq!(json["untyped"], serde_json::json!(["http://x.test/d"]));
    assert_eq!(json["partly_defined"][0]["missing"], serde_json::json!(["nl"]));
    assert_eq!(json["defects"][0]["line"], 9);
    assert_eq!(json["schemes"][0]["uri"], serde_json::Value::Null);
    assert_eq!(json["files"][0]["concepts"], 3);
}
