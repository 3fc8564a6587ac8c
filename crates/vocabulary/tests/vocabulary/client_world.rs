//! Servers and clients for the tests of the client.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, Lookup, LookupOutcome, Vocabulary, VocabularyError};
use plumbline_telemetry::ManualClock;
use plumbline_testkit::shared_data;
use plumbline_testkit::skosmos_server::{Recordings, SkosmosServer};
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosSettings};

/// The vocabularies that the look-ups were recorded with.
pub const RECORDED_WITH: [&str; 4] = ["edge", "edge2", "dpv", "dpv-risk"];

/// Both versions, by the names of their recordings.
pub const VERSIONS: [&str; 2] = ["v2.18.1", "v3.3"];

/// What the limit of 300 ms may be late by on a machine that is busy with other things; without it, a hang lasts for ever.
pub const SLACK: Duration = Duration::from_secs(5);

/// Titles as the recorded servers give them. The whole list names vocabularies that are not ours to commit.
const VOCABULARIES: &str = r#"{"uri":"","vocabularies":[
    {"uri":"edge","id":"edge","title":"Edge cases (project-made)"},{"uri":"edge2","id":"edge2","title":NONE},
    {"uri":"dpv","id":"dpv","title":"W3C Data Privacy Vocabulary 2.3"},
    {"uri":"dpv-risk","id":"dpv-risk","title":"W3C DPV RISK extension 2.3"}]}"#;

/// A file of the committed recordings.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skosmos").join(name)
}

fn with_titles(recordings: Recordings, none: &str) -> Recordings {
    let body = VOCABULARIES.replace("NONE", none);
    ["en", "nl"].iter().fold(recordings, |all, language| {
        all.with_json(&format!("/rest/v1/vocabularies?lang={language}"), &body)
    })
}

/// The committed look-ups, made with the client's own requests; any other term is unknown.
pub fn lookups() -> Recordings {
    with_titles(Recordings::lines(&fixture("lookups-v3.3.jsonl")), "null").and_nothing_else()
}

/// All look-ups; where this machine has none, the test is skipped.
pub fn all_lookups() -> Option<Recordings> {
    let file = shared_data::path_or_skip("skosmos/lookups-v3.3.jsonl")?;
    Some(with_titles(Recordings::lines(&file), "null").and_nothing_else())
}

/// The committed exchanges of a version. They were made with many kinds of request, of which the client has one. Where a
/// version has no recorded `/data` of a concept, that of the look-ups stands in: it is the same in both.
pub fn version(version: &str) -> Recordings {
    version_but(version, Recordings::default())
}

/// As [`version`], but where these say otherwise.
pub fn version_but(version: &str, others: Recordings) -> Recordings {
    // 2.x says `false` where 3.x says `null`.
    let none = if version == "v3.3" { "null" } else { "false" };
    let own = Recordings::lines(&fixture(&format!("{version}.jsonl")));
    let lookups = Recordings::lines(&fixture("lookups-v3.3.jsonl"));
    with_titles(others, none).and(own).and(lookups).loosely().and_nothing_else()
}

/// A client and the clock that its cache goes by.
pub struct Client {
    pub skosmos: Arc<SkosmosClient>,
    pub clock: Arc<ManualClock>,
}

/// A client with the numbers that are laid down.
pub fn strict(servers: &[(&SkosmosServer, &[&str])]) -> Client {
    client(servers, |_| {})
}

/// A client with all the time it needs, so that a busy machine makes no difference.
pub fn patient(servers: &[(&SkosmosServer, &[&str])]) -> Client {
    client(servers, |settings| settings.timeout_ms = 20_000)
}

pub fn client(servers: &[(&SkosmosServer, &[&str])], change: impl FnOnce(&mut SkosmosSettings)) -> Client {
    let server = |(server, vocabularies): &(&SkosmosServer, &[&str])| Server {
        address: server.address().to_owned(),
        vocabularies: vocabularies.iter().map(|id| (*id).to_owned()).collect(),
    };
    let mut settings = SkosmosSettings::of(servers.iter().map(server).collect());
    change(&mut settings);
    let clock = Arc::new(ManualClock::new("2026-03-01T12:00:00Z".parse().unwrap()));
    Client { skosmos: Arc::new(SkosmosClient::new(settings, clock.clone()).unwrap()), clock }
}

impl Client {
    pub async fn lookup(&self, term: &str) -> Result<Lookup, VocabularyError> {
        self.skosmos.lookup(term, Language::EN).await
    }

    /// The one concept that a term must have.
    pub async fn found(&self, term: &str) -> Concept {
        match self.lookup(term).await.map(|lookup| lookup.outcome) {
            Ok(LookupOutcome::Found(concept)) => *concept,
            other => panic!("{term:?} should have one concept, not {other:?}"),
        }
    }

    /// The several concepts that a term must have.
    pub async fn ambiguous(&self, term: &str) -> Vec<Concept> {
        match self.lookup(term).await.map(|lookup| lookup.outcome) {
            Ok(LookupOutcome::Ambiguous(concepts)) => concepts,
            other => panic!("{term:?} should be ambiguous, not {other:?}"),
        }
    }

    /// A term must be unknown.
    pub async fn unknown(&self, term: &str) {
        let outcome = self.lookup(term).await.map(|lookup| lookup.outcome);
        assert_eq!(outcome, Ok(LookupOutcome::NotFound), "{term:?}");
    }
}

/// The definitions of a concept.
pub fn definitions(concept: &Concept) -> Vec<&str> {
    concept.definitions.iter().map(|text| text.text.as_str()).collect()
}

/// How a failure is told in English.
pub fn unavailable(told: &str) -> String {
    format!("the vocabulary could not be asked: {told}")
}
