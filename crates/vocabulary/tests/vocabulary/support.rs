//! Vocabularies to test with, and a reading of them that shares no code with the crate but the parsers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxrdfxml::RdfXmlParser;
use oxttl::TurtleParser;
use plumbline_core::ports::{Concept, LookupOutcome};
use plumbline_telemetry::{Clock, ManualClock};
use plumbline_testkit::shared_data;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::rdf::Defect;
use plumbline_vocabulary::source::{VocabularyFile, vocabulary_files};

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";

pub fn clock() -> impl Clock {
    ManualClock::new("2026-06-30T08:00:00Z".parse().unwrap())
}

pub fn sample_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/vocabulary")
}

pub fn sample_files() -> Vec<VocabularyFile> {
    let (files, defects) = vocabulary_files(&[sample_folder()]);
    assert_eq!((files.len(), defects.len()), (4, 0));
    files
}

pub fn sample() -> &'static EmbeddedVocabulary {
    static SAMPLE: LazyLock<EmbeddedVocabulary> = LazyLock::new(read_sample);
    &SAMPLE
}

fn read_sample() -> EmbeddedVocabulary {
    let (vocabulary, defects) = EmbeddedVocabulary::load(&sample_files(), &clock());
    assert_eq!(defects, [], "the sample is sound");
    vocabulary
}

/// Every vocabulary that this machine has, each file for itself, in a fixed order; the sample always.
fn all_files() -> Vec<VocabularyFile> {
    let mut files = sample_files();
    for folder in ["vocabularies", "skosmos/vocabularies"] {
        match shared_data::path(folder) {
            Some(path) => {
                let (found, _) = vocabulary_files(&[path]);
                files.extend(found.into_iter().map(|file| VocabularyFile::alone(file.path)));
            }
            None => println!("not read: this machine has no shared {folder}"),
        }
    }
    files
}

/// All of [`all_files`], read once for all tests: in a test build that takes a while.
pub static ALL: LazyLock<Everything> = LazyLock::new(|| {
    let files = all_files();
    let (vocabulary, defects) = EmbeddedVocabulary::load(&files, &clock());
    Everything { literals: Literals::of_files(&files), files, vocabulary, defects }
});

pub struct Everything {
    pub files: Vec<VocabularyFile>,
    pub literals: Literals,
    pub vocabulary: EmbeddedVocabulary,
    pub defects: Vec<Defect>,
}

/// The concepts of an outcome.
pub fn concepts(outcome: LookupOutcome) -> Vec<Concept> {
    match outcome {
        LookupOutcome::Found(concept) => vec![*concept],
        LookupOutcome::Ambiguous(concepts) => concepts,
        LookupOutcome::NotFound => Vec::new(),
    }
}

/// What files say, read anew.
#[derive(Default)]
pub struct Literals {
    /// Definitions of a subject: literals, and values of resources.
    pub definitions: BTreeMap<String, BTreeSet<String>>,
    /// Labels and notations.
    pub labels: BTreeSet<String>,
}

impl Literals {
    pub fn of_files(files: &[VocabularyFile]) -> Self {
        let mut literals = Self::default();
        for file in files {
            let bytes = fs::read(&file.path).unwrap();
            let xml = file.path.extension().is_some_and(|extension| extension == "rdf");
            literals.add(if xml { xml_triples(&bytes) } else { turtle_triples(&bytes, &file.name()) });
        }
        literals
    }

    pub fn add(&mut self, triples: Vec<Triple>) {
        let value = |object: &Term| match object {
            Term::Literal(literal) => Some(literal.value().to_owned()),
            _ => None,
        };
        let values: BTreeMap<String, Vec<String>> = triples
            .iter()
            .filter(|triple| triple.predicate.as_str().ends_with("#value"))
            .fold(BTreeMap::new(), |mut values, triple| {
                values.entry(triple.subject.to_string()).or_default().extend(value(&triple.object));
                values
            });
        for triple in &triples {
            let name = triple.predicate.as_str();
            let label =
                name.ends_with("Label") || name.ends_with("#literalForm") || name.ends_with("#notation");
            if label {
                self.labels.extend(value(&triple.object));
            }
            if name.strip_prefix(SKOS) == Some("definition") {
                let subject = match &triple.subject {
                    NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
                    NamedOrBlankNode::BlankNode(node) => node.to_string(),
                };
                let texts = self.definitions.entry(subject).or_default();
                texts.extend(value(&triple.object));
                texts.extend(values.get(&triple.object.to_string()).into_iter().flatten().cloned());
            }
        }
    }

    /// Whether this is a definition of the concept, byte for byte.
    pub fn defines(&self, uri: &str, text: &str) -> bool {
        self.definitions.get(uri).is_some_and(|texts| texts.contains(text))
    }

    /// The labels in a form that a slip must not meet: rougher than matching itself, and without its qualifier.
    pub fn rough_labels(&self) -> BTreeSet<String> {
        let bare = |label: &String| label.split(" (").next().map(rough).unwrap_or_default();
        self.labels.iter().flat_map(|label| [rough(label), bare(label)]).collect()
    }
}

pub fn rough(label: &str) -> String {
    label.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn turtle_triples(bytes: &[u8], name: &str) -> Vec<Triple> {
    let parser = TurtleParser::new().with_base_iri(format!("file:///{name}")).unwrap();
    parser.for_slice(bytes).filter_map(Result::ok).collect()
}

fn xml_triples(bytes: &[u8]) -> Vec<Triple> {
    RdfXmlParser::new().for_slice(bytes).map_while(Result::ok).collect()
}
