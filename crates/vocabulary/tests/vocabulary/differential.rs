//! The embedded index over the files that a server was loaded with, and the client over that server's recorded answers:
//! for every recorded label the same concepts, by the same kind of label, with the same definitions in the same language.

use std::path::{Path, PathBuf};

use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, LookupOutcome, TextIn, Vocabulary};
use plumbline_telemetry::SystemClock;
use plumbline_testkit::shared_data;
use plumbline_testkit::skosmos_server::{Recordings, SkosmosServer};
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::source::VocabularyFile;

use crate::client_world::{Client, RECORDED_WITH, all_lookups, fixture, lookups, patient};

/// Labels whose answers differ, and why they must.
const EXPLAINED: [(&str, &str); 4] = [
    ("double space", "the file has two spaces, and a server compares them as they stand"),
    ("rosé", "the file has it decomposed, which no exact search on a server reaches"),
    ("phlogiston", "it is deprecated, and a server's search leaves those out"),
    ("caloric", "it is deprecated, and a search over several vocabularies leaves those out"),
];

/// A concept as far as both must agree.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    uri: String,
    matched: plumbline_core::response::LabelMatch,
    definitions: Vec<(String, Option<String>)>,
}

fn told(outcome: LookupOutcome) -> Vec<Told> {
    let concepts: Vec<Concept> = match outcome {
        LookupOutcome::Found(concept) => vec![*concept],
        LookupOutcome::Ambiguous(concepts) => concepts,
        LookupOutcome::NotFound => Vec::new(),
    };
    let one = |concept: Concept| {
        let text = |text: TextIn| (text.text, text.language);
        // Several definitions in one language come in the order of the store, which is nobody's.
        let mut definitions: Vec<_> = concept.definitions.into_iter().map(text).collect();
        definitions.sort();
        Told { uri: concept.uri, matched: concept.matched, definitions }
    };
    concepts.into_iter().map(one).collect()
}

async fn compare(recordings: Recordings, files: &[(&str, PathBuf)]) -> (usize, Vec<String>) {
    let mut labels: Vec<String> = recordings
        .exchanges()
        .iter()
        .filter(|exchange| exchange.path().ends_with("/search"))
        .filter_map(|exchange| exchange.parameter("query"))
        .filter(|query| !query.ends_with('*'))
        .collect();
    labels.sort();
    labels.dedup();
    let sources: Vec<VocabularyFile> = files
        .iter()
        .map(|(vocabulary, path)| VocabularyFile { vocabulary: (*vocabulary).to_owned(), path: path.clone() })
        .collect();
    let (embedded, defects) = EmbeddedVocabulary::load(&sources, &SystemClock);
    assert!(defects.is_empty(), "{defects:?}");
    let server = SkosmosServer::start(recordings).await;
    let client: Client = patient(&[(&server, &RECORDED_WITH)]);
    let (mut compared, mut explained) = (0, Vec::new());
    for label in &labels {
        let here = told(embedded.look_up(label, Language::EN));
        let there = told(client.skosmos.lookup(label, Language::EN).await.unwrap().outcome);
        match EXPLAINED.iter().find(|(known, _)| known == label) {
            Some((_, why)) => {
                assert!(here != there, "{label:?} need not be explained any more: {why}");
                explained.push(format!("{label}: {why}"));
            }
            None => {
                assert_eq!(here, there, "{label:?}: embedded and server");
                compared += 1;
            }
        }
    }
    println!("{compared} labels compared, {} explained: {explained:#?}", explained.len());
    (compared, explained)
}

fn files(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let names =
        [("edge", "edge.ttl"), ("edge2", "edge2.ttl"), ("dpv", "dpv-dpv.ttl"), ("dpv-risk", "dpv-risk.ttl")];
    names.into_iter().map(|(id, name)| (id, folder.join(name))).filter(|(_, path)| path.exists()).collect()
}

#[tokio::test]
async fn the_index_and_the_client_agree_on_the_committed_labels() {
    let (compared, explained) = compare(lookups(), &files(&fixture(""))).await;
    assert!(compared >= 60 && explained.len() == EXPLAINED.len(), "{compared} labels");
}

#[tokio::test]
async fn the_index_and_the_client_agree_on_all_recorded_labels() {
    let (Some(recordings), Some(folder)) = (all_lookups(), shared_data::path_or_skip("skosmos/vocabularies"))
    else {
        return;
    };
    let (compared, explained) = compare(recordings, &files(&folder)).await;
    assert!(compared + explained.len() >= 805 && compared >= 800, "{compared} labels compared");
}
