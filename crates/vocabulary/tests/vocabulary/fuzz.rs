//! Broken files: nothing panics, and nothing is defined that the file does not say.

use std::collections::BTreeSet;
use std::fs;

use oxjsonld::{JsonLdParser, JsonLdSerializer};
use oxrdf::{Quad, Triple};
use oxrdfxml::{RdfXmlParser, RdfXmlSerializer};
use oxttl::{NQuadsParser, NTriplesParser, NTriplesSerializer, TriGParser, TurtleParser};
use plumbline_core::domain::Language;
use plumbline_core::ports::LookupOutcome;
use plumbline_testkit::prng::Prng;
use plumbline_vocabulary::check::check;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::source::VocabularyFile;

use crate::support::{Literals, clock, concepts, sample_folder, turtle_triples};

const CASES: usize = 300;
const EXTENSIONS: [&str; 6] = ["ttl", "nt", "rdf", "jsonld", "trig", "nq"];

#[test]
fn broken_files_define_nothing_that_they_do_not_say() {
    let turtle = fs::read(sample_folder().join("assets.ttl")).unwrap();
    let sound: Vec<Vec<u8>> = EXTENSIONS.iter().map(|extension| written(&turtle, extension)).collect();
    let mut known = Literals::default();
    known.add(turtle_triples(&turtle, "assets.ttl"));
    let labels: Vec<&String> = known.labels.iter().collect();
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Prng::new(3);
    let (mut read, mut shown, mut told) = (0, 0, 0);
    for case in 0..CASES {
        let format = case % EXTENSIONS.len();
        let bytes = mutated(&sound[format], &mut rng);
        let path = folder.path().join(format!("{case}.{}", EXTENSIONS[format]));
        fs::write(&path, &bytes).unwrap();
        let mut says = Literals::default();
        for lenient in [false, true] {
            says.add(triples(&bytes, EXTENSIONS[format], &format!("{case}.{}", EXTENSIONS[format]), lenient));
        }
        let files = [VocabularyFile::alone(&path)];
        let (vocabulary, defects) = EmbeddedVocabulary::load(&files, &clock());
        read += usize::from(!vocabulary.data().concepts.is_empty());
        told += usize::from(!defects.is_empty());
        if case % 10 == 0 {
            check(&files);
        }
        let tried: BTreeSet<&String> = (0..30).map(|_| *rng.pick(&labels)).collect();
        for label in tried {
            for concept in concepts(vocabulary.look_up(label, Language::EN)) {
                for definition in &concept.definitions {
                    assert!(
                        says.defines(&concept.uri, &definition.text),
                        "case {case}: {label}: {}",
                        definition.text
                    );
                    shown += 1;
                }
            }
        }
        let nonsense = format!("zq{}", rng.next_u64());
        assert_eq!(vocabulary.look_up(&nonsense, Language::EN), LookupOutcome::NotFound);
        fs::remove_file(&path).unwrap();
    }
    println!(
        "{CASES} broken files: {told} reported a defect, {read} still gave concepts, {shown} definitions compared"
    );
    assert!(read > CASES / 3 && told > CASES / 3, "the mutations are neither harmless nor fatal");
}

fn mutated(sound: &[u8], rng: &mut Prng) -> Vec<u8> {
    if rng.chance(8) {
        return (0..rng.below(4_000)).map(|_| rng.next_u64() as u8).collect();
    }
    let mut bytes = sound.to_vec();
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(bytes.len().max(1));
        let to = (at + 1 + rng.below(60)).min(bytes.len());
        match rng.below(7) {
            0 => bytes[at] = rng.next_u64() as u8,
            1 => drop(bytes.drain(at..to)),
            2 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            3 => bytes.insert(at, *rng.pick(b"\"'<>[](){};,.@\\\n&#_:")),
            4 => drop(bytes.splice(at..at, b"\"\"\"".iter().copied())),
            5 if rng.chance(30) => bytes.truncate(at.max(1)),
            _ => bytes.swap(at, to - 1),
        }
    }
    bytes
}

fn written(turtle: &[u8], extension: &str) -> Vec<u8> {
    let triples: Vec<Triple> = TurtleParser::new().for_slice(turtle).map(Result::unwrap).collect();
    match extension {
        "nt" | "nq" => {
            let mut writer = NTriplesSerializer::new().for_writer(Vec::new());
            triples.iter().for_each(|triple| writer.serialize_triple(triple).unwrap());
            writer.finish()
        }
        "rdf" => {
            let mut writer = RdfXmlSerializer::new().for_writer(Vec::new());
            triples.iter().for_each(|triple| writer.serialize_triple(triple).unwrap());
            writer.finish().unwrap()
        }
        "jsonld" => {
            let mut writer = JsonLdSerializer::new().for_writer(Vec::new());
            triples.iter().for_each(|triple| {
                writer.serialize_quad(triple.as_ref().in_graph(oxrdf::GraphNameRef::DefaultGraph)).unwrap()
            });
            writer.finish().unwrap()
        }
        _ => turtle.to_vec(),
    }
}

fn triples(bytes: &[u8], extension: &str, name: &str, lenient: bool) -> Vec<Triple> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let base = format!("file:///{name}");
    let of_quad = |quad: Quad| Triple::from(quad);
    match extension {
        "nt" => {
            let parser = NTriplesParser::new();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).filter_map(Result::ok).collect()
        }
        "nq" => {
            let parser = NQuadsParser::new();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).filter_map(Result::ok).map(of_quad).collect()
        }
        "trig" => {
            let parser = TriGParser::new().with_base_iri(base).unwrap();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).filter_map(Result::ok).map(of_quad).collect()
        }
        "rdf" => {
            let parser = RdfXmlParser::new().with_base_iri(base).unwrap();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).map_while(Result::ok).collect()
        }
        "jsonld" => {
            let parser = JsonLdParser::new().with_base_iri(base).unwrap();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).take(50_000).filter_map(Result::ok).map(of_quad).collect()
        }
        _ => {
            let parser = TurtleParser::new().with_base_iri(base).unwrap();
            let parser = if lenient { parser.lenient() } else { parser };
            parser.for_slice(bytes).filter_map(Result::ok).collect()
        }
    }
}
