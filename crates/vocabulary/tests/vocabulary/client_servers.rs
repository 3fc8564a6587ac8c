//! Several servers and vocabularies, and settings that cannot work.

use std::sync::Arc;
use std::time::Duration;

use plumbline_core::domain::Language;
use plumbline_core::ports::Vocabulary;
use plumbline_telemetry::SystemClock;
use plumbline_testkit::dutch::assert_dutch;
use plumbline_testkit::skosmos_server::{Exchange, Fault, Recordings, SkosmosServer};
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosError, SkosmosSettings};

use crate::client_world::{RECORDED_WITH, definitions, lookups, patient, unavailable, version};

async fn edge() -> SkosmosServer {
    SkosmosServer::start(lookups()).await
}

#[tokio::test]
async fn the_first_server_that_knows_the_term_answers() {
    let (first, second) = (edge().await, edge().await);
    let row = r#"{"uri":"http://example.test/edge2/d9","type":["skos:Concept"],"prefLabel":"loner","lang":"en","vocab":"edge2"}"#;
    let data = r#"{"@context":{"skos":"http://www.w3.org/2004/02/skos/core#","prefLabel":"skos:prefLabel"},
        "uri":"http://example.test/edge2/d9","prefLabel":{"lang":"en","value":"loner"}}"#;
    let target = "/rest/v1/edge2/search?query=loner&labellang=en&type=skos%3AConcept&unique=true&maxhits=20";
    first.replay(
        Recordings::default()
            .with_json(target, &format!("{{\"results\":[{row}]}}"))
            .with_json("/rest/v1/edge2/data?uri=http%3A%2F%2Fexample.test%2Fedge2%2Fd9&format=application%2Fld%2Bjson", data)
            .and_nothing_else(),
    );
    let servers: [(&SkosmosServer, &[&str]); 2] = [(&first, &["edge2"]), (&second, &RECORDED_WITH)];
    let client = patient(&servers);
    assert_eq!(client.found("loner").await.uri, "http://example.test/edge2/d9", "both know it");
    assert_eq!(client.found("stoma").await.uri, "http://example.test/edge/c04", "only the second knows it");
    assert!(client.lookup("stoma").await.unwrap().cached, "the first's miss and the second's hit");

    second.misbehave("/", Fault::Status(500));
    client.clock.advance(Duration::from_secs(600));
    assert_eq!(client.found("loner").await.uri, "http://example.test/edge2/d9", "less authority, no matter");
    assert!(client.lookup("grana").await.is_err(), "it might have known it");

    second.behave();
    first.misbehave("/", Fault::Status(503));
    let problem = client.lookup("pigment").await.unwrap_err().to_string();
    assert!(problem.contains(first.address()), "the first might define it otherwise: {problem}");
    first.behave();
    assert_eq!(client.found("pigment").await.uri, "http://example.test/edge/c09");
}

#[tokio::test]
async fn a_vocabulary_that_the_server_has_not_is_dropped() {
    let unknown = |query: &str| Exchange {
        target: format!(
            "/rest/v1/search?query={query}&labellang=en&vocab=nosuch%20edge&type=skos%3AConcept&unique=true&maxhits=20"
        ),
        ..Exchange::text(500, "text/html; charset=UTF-8", "")
    };
    let server = SkosmosServer::start(version("v3.3").with(unknown("loner")).with(unknown("stoma"))).await;
    let client = patient(&[(&server, &["nosuch", "edge"])]);
    assert_eq!(client.found("loner").await.vocabulary, "Edge cases (project-made)");
    client.found("stoma").await;
    assert_eq!(server.count("nosuch"), 1, "only before its vocabularies were known");

    let missing = Exchange {
        target: "/rest/v1/nosuch/search?query=x&labellang=en&type=skos%3AConcept&unique=true&maxhits=20"
            .to_owned(),
        ..Exchange::text(404, "text/plain", "404 Not Found : Vocabulary id 'nosuch' not found.")
    };
    server.replay(version("v3.3").with(missing));
    let client = patient(&[(&server, &["nosuch"])]);
    let problem = client.lookup("x").await.unwrap_err().to_string();
    assert!(problem.ends_with("has none of the vocabularies in the settings"), "{problem}");
}

#[tokio::test]
async fn settings_that_cannot_work_are_told_at_once() {
    let new = |address: &str, timeout_ms| {
        let server = Server { address: address.to_owned(), vocabularies: Vec::new() };
        let settings = SkosmosSettings { timeout_ms, ..SkosmosSettings::of(vec![server]) };
        SkosmosClient::new(settings, Arc::new(SystemClock))
    };
    let problem = new("ftp://user:secret@h", 300).err().unwrap();
    assert_eq!(problem.to_string(), "the SKOSMOS address \"h\" is neither http nor https");
    assert_dutch(&problem.detail().text(Language::NL));
    let none = SkosmosClient::new(SkosmosSettings::of(Vec::new()), Arc::new(SystemClock));
    assert_eq!(none.err(), Some(SkosmosError::NoServer));
    // Nobody listens on this port; the address is told without its password.
    let client = new("http://user:secret@127.0.0.1:9/skosmos/rest/v1", 5_000).unwrap();
    let problem = client.lookup("x", Language::EN).await.unwrap_err();
    assert_eq!(problem.to_string(), unavailable("http://127.0.0.1:9/skosmos cannot be reached"));
    assert_eq!(client.backend(), "skosmos");
}

#[tokio::test]
async fn without_vocabularies_in_the_settings_the_whole_server_is_asked() {
    let server = SkosmosServer::start(
        lookups().with_json(
            "/rest/v1/search?query=loner&labellang=en&type=skos%3AConcept&unique=true&maxhits=20",
            r#"{"results":[{"uri":"http://example.test/edge/c36","prefLabel":"loner","lang":"en","vocab":"edge"}]}"#,
        ),
    )
    .await;
    let client = patient(&[(&server, &[])]);
    assert_eq!(definitions(&client.found("loner").await), ["A concept with no links at all."]);
}
