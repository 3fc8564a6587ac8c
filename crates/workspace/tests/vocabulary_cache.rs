//! The settings of the vocabulary's cache, given as a user gives them: what shows is whether the server is asked again.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::Duration;

use plumbline_core::domain::Language;
use plumbline_core::ports::LookupOutcome;
use plumbline_testkit::skosmos_server::{Recordings, SkosmosServer};
use plumbline_workspace::{Workspace, WorkspaceOptions};

const RECORDED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../vocabulary/tests/fixtures/skosmos/lookups-v3.3.jsonl");
/// The vocabularies that the look-ups were recorded with.
const RECORDED_WITH: &str = "edge, edge2, dpv, dpv-risk";
const TITLES: &str = r#"{"uri":"","vocabularies":[
    {"uri":"edge","id":"edge","title":"Edge cases"},{"uri":"edge2","id":"edge2","title":null},
    {"uri":"dpv","id":"dpv","title":"Privacy"},{"uri":"dpv-risk","id":"dpv-risk","title":"Risk"}]}"#;

/// How often the server is asked for a concept that is looked up twice, with a pause in between.
async fn times_asked(setting: (&str, &str), pause: Duration) -> usize {
    let recordings = Recordings::lines(Path::new(RECORDED));
    let recordings = recordings.with_json("/rest/v1/vocabularies?lang=en", TITLES).and_nothing_else();
    let server = SkosmosServer::start(recordings).await;
    let flags = [
        ("vocabulary.skosmos_url", server.address()),
        ("vocabulary.skosmos_vocabularies", RECORDED_WITH),
        ("vocabulary.timeout_ms", "20000"),
        setting,
    ];
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(WorkspaceOptions {
        folder: Some(folder.path().to_owned()),
        flags: flags.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(),
        ..WorkspaceOptions::default()
    })
    .unwrap();
    let vocabulary = workspace.vocabulary().unwrap().port();
    for pause in [pause, Duration::ZERO] {
        let lookup = vocabulary.lookup("loner", Language::EN).await.unwrap();
        assert!(matches!(lookup.outcome, LookupOutcome::Found(_)), "{:?}", lookup.outcome);
        tokio::time::sleep(pause).await;
    }
    server.count("/data")
}

#[tokio::test]
async fn an_answer_is_remembered_for_as_long_as_the_setting_says() {
    let pause = Duration::from_millis(1_200);
    for (seconds, times) in [("600", 1), ("1", 2)] {
        assert_eq!(times_asked(("vocabulary.cache_ttl_seconds", seconds), pause).await, times, "{seconds} s");
    }
}

#[tokio::test]
async fn as_many_answers_are_remembered_as_the_setting_says() {
    for (size, times) in [("5000", 1), ("0", 2)] {
        let asked = times_asked(("vocabulary.cache_max_size", size), Duration::ZERO).await;
        assert_eq!(asked, times, "a cache for {size}");
    }
}
