//! Every definition shown is a literal of the vocabulary, byte for byte.

use std::collections::BTreeMap;
use std::fs;

use plumbline_core::domain::Language;
use plumbline_testkit::prng::Prng;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::source::VocabularyFile;

use crate::support::{ALL, Everything, clock, concepts};

#[test]
fn every_definition_of_every_vocabulary_is_a_literal_of_its_file() {
    let Everything { files, literals, vocabulary, defects } = &*ALL;
    defects.iter().take(20).for_each(|defect| println!("{defect}"));
    let mut shown = 0;
    for label in &literals.labels {
        for language in Language::all() {
            for concept in concepts(vocabulary.look_up(label, language)) {
                for definition in &concept.definitions {
                    assert!(
                        literals.defines(&concept.uri, &definition.text),
                        "{} for {label} is not what {} says: {:?}",
                        concept.uri,
                        concept.source,
                        definition.text
                    );
                    shown += 1;
                }
            }
        }
    }
    let total = vocabulary.data().concepts.len();
    println!(
        "{shown} definitions compared, {} labels, {total} concepts, {} files",
        literals.labels.len(),
        files.len()
    );
    assert!(shown > 600, "the sample alone has more");
}

#[test]
fn every_concept_with_a_label_is_found_by_it() {
    let vocabulary = &ALL.vocabulary;
    for concept in vocabulary.data().concepts.iter().filter(|concept| !concept.deprecated) {
        for label in &concept.preferred {
            let found = concepts(vocabulary.look_up(&label.text, Language::EN));
            let full = found.len() == plumbline_vocabulary::matching::MAX_CANDIDATES;
            assert!(
                full || found.iter().any(|found| found.uri == concept.uri),
                "{} by {}",
                concept.uri,
                label.text
            );
        }
    }
}

/// Vocabularies whose literals the test itself made up.
#[test]
fn odd_definitions_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Prng::new(6);
    let mut compared = 0;
    for round in 0..40 {
        let mut turtle = String::from("@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n");
        let mut written: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for at in 0..20 {
            let label = format!("label {round} {at}");
            let uri = format!("http://x.test/{round}/{at}");
            turtle += &format!("<{uri}> a skos:Concept ; skos:prefLabel \"{label}\"@en");
            for _ in 0..rng.below(4) {
                let text = odd_text(&mut rng);
                let language = rng.pick(&["@en", "@nl", "", "@en-GB", "@fr"]);
                turtle += &format!(" ; skos:definition \"{}\"{language}", escaped(&text));
                written.entry(label.clone()).or_default().push(text);
            }
            turtle += " .\n";
        }
        let path = folder.path().join(format!("{round}.ttl"));
        fs::write(&path, turtle).unwrap();
        let (vocabulary, defects) = EmbeddedVocabulary::load(&[VocabularyFile::alone(path)], &clock());
        assert_eq!(defects, []);
        for (label, texts) in written {
            let found = concepts(vocabulary.look_up(&label, *rng.pick(&[Language::EN, Language::NL])));
            assert_eq!(found.len(), 1);
            assert!(!found[0].definitions.is_empty(), "{label} has a definition in some language");
            for definition in &found[0].definitions {
                assert!(
                    texts.contains(&definition.text),
                    "{:?} was never written for {label}",
                    definition.text
                );
                compared += 1;
            }
        }
    }
    println!("{compared} made-up definitions compared");
}

fn odd_text(rng: &mut Prng) -> String {
    const PIECES: [&str; 20] = [
        "text", " ", "  ", "\n", "\r\n", "\t", "\"", "\\", "'", "’", "é", "e\u{301}", "İ", "ß", "🌱", "<b>",
        "&amp;", "\u{a0}", ". ", "\u{feff}",
    ];
    (0..1 + rng.below(30)).map(|_| *rng.pick(&PIECES)).collect()
}

fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}
