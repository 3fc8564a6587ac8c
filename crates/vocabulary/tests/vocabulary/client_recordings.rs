//! Every recorded exchange is as the contract says, and is read as it says.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary};
use plumbline_testkit::shared_data;
use plumbline_testkit::skosmos_server::{Exchange, Recordings, SkosmosServer};
use plumbline_vocabulary::skosmos::graph::Graph;
use plumbline_vocabulary::skosmos::wire;
use serde_json::Value;

use crate::client_world::{RECORDED_WITH, VERSIONS, all_lookups, fixture, lookups, patient};

/// What an exchange is, once it was read as the contract says.
fn read(exchange: &Exchange) -> Result<&'static str, String> {
    let path = exchange.path();
    let segments: Vec<&str> = path.trim_start_matches("/rest/v1").trim_matches('/').split('/').collect();
    let last = segments.last().copied().unwrap_or_default();
    if exchange.status != 200 {
        let fine = !exchange.is_json() && matches!(exchange.status, 302 | 304 | 400 | 404 | 406 | 414 | 500);
        return if fine { Ok("no success, and no JSON") } else { Err(format!("status {}", exchange.status)) };
    }
    if exchange.method == "HEAD" || exchange.parameter("callback").is_some() {
        return Ok("no body of JSON");
    }
    if !exchange.is_json() {
        let kinds = ["text/turtle", "application/rdf+xml"];
        let fine = last == "data" && kinds.iter().any(|kind| exchange.content_type.starts_with(kind));
        return if fine { Ok("another format") } else { Err(exchange.content_type.clone()) };
    }
    let body = &exchange.body;
    let told = |problem: wire::Malformed| problem.to_string();
    match last {
        "search" => wire::search_rows(body).map(|_| "search").map_err(told),
        "lookup" => match wire::lookup_rows(body).map_err(told)?.is_empty() {
            true => Err("a lookup without a result is 404".to_owned()),
            false => Ok("lookup"),
        },
        "data" => {
            let uri = exchange.parameter("uri").unwrap_or_default();
            let graph = Graph::parse(body).map_err(told)?;
            if graph.describes(&uri) { Ok("data") } else { Err(format!("nothing about {uri}")) }
        }
        "vocabularies" => match wire::vocabularies(body).map_err(told)?.is_empty() {
            true => Err("no vocabularies".to_owned()),
            false => Ok("vocabularies"),
        },
        _ => match serde_json::from_slice(body) {
            Ok(Value::Object(_)) => Ok("another JSON answer"),
            other => Err(format!("{other:?}")),
        },
    }
}

#[track_caller]
fn all_read(name: &str, recordings: &Recordings) -> usize {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for exchange in recordings.exchanges() {
        match read(exchange) {
            Ok(kind) => *kinds.entry(kind).or_default() += 1,
            Err(problem) => panic!("{name} {} {}: {problem}", exchange.name, exchange.target),
        }
    }
    println!("{name}: {} exchanges, {kinds:?}", recordings.exchanges().len());
    recordings.exchanges().len()
}

#[test]
fn committed_exchanges_are_read_as_the_contract_says() {
    assert_eq!(all_read("v2.18.1, committed", &Recordings::lines(&fixture("v2.18.1.jsonl"))), 220);
    assert_eq!(all_read("v3.3, committed", &Recordings::lines(&fixture("v3.3.jsonl"))), 243);
    assert_eq!(all_read("look-ups, committed", &Recordings::lines(&fixture("lookups-v3.3.jsonl"))), 118);
}

#[test]
fn all_553_exchanges_are_read_as_the_contract_says() {
    let Some(folder) = shared_data::path_or_skip("skosmos") else { return };
    let read: usize =
        VERSIONS.iter().map(|name| all_read(name, &Recordings::folder(&folder.join(name)))).sum();
    assert_eq!(read, 553);
}

#[test]
fn all_1612_look_ups_are_read_as_the_contract_says() {
    let Some(file) = shared_data::path_or_skip("skosmos/lookups-v3.3.jsonl") else { return };
    assert_eq!(all_read("look-ups", &Recordings::lines(&file)), 1_612);
}

#[test]
fn committed_exchanges_are_those_of_the_servers() {
    let Some(folder) = shared_data::path_or_skip("skosmos") else { return };
    for name in VERSIONS {
        let whole = Recordings::folder(&folder.join(name));
        for exchange in Recordings::lines(&fixture(&format!("{name}.jsonl"))).exchanges() {
            assert_eq!(whole.named(&exchange.name), Some(exchange), "{name}: no recording is changed");
        }
    }
    let whole = std::fs::read_to_string(folder.join("lookups-v3.3.jsonl")).unwrap();
    let known: std::collections::HashSet<&str> = whole.lines().collect();
    let committed = std::fs::read_to_string(fixture("lookups-v3.3.jsonl")).unwrap();
    assert!(committed.lines().all(|line| known.contains(line)));
    for name in ["edge.ttl", "edge2.ttl"] {
        let same = |one: &Path, other: &Path| std::fs::read(one).unwrap() == std::fs::read(other).unwrap();
        assert!(same(&fixture(name), &folder.join("vocabularies").join(name)), "{name}");
    }
}

/// Looks every recorded label up; how many had one concept, several, and none.
async fn look_all_up(recordings: Recordings) -> [usize; 3] {
    let searches: Vec<(String, Vec<String>)> = recordings
        .exchanges()
        .iter()
        .filter(|exchange| exchange.path().ends_with("/search"))
        .map(|exchange| {
            let uris = wire::search_rows(&exchange.body).unwrap().into_iter().map(|row| row.uri).collect();
            (exchange.parameter("query").unwrap(), uris)
        })
        .collect();
    let server = SkosmosServer::start(recordings).await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let mut counts = [0; 3];
    for (term, uris) in searches.iter().filter(|(term, _)| !term.ends_with('*')) {
        let lookup = client
            .skosmos
            .lookup(term, Language::EN)
            .await
            .unwrap_or_else(|problem| panic!("{term}: {problem}"));
        let concepts = match lookup.outcome {
            LookupOutcome::Found(concept) => vec![*concept],
            LookupOutcome::Ambiguous(concepts) => concepts,
            LookupOutcome::NotFound => Vec::new(),
        };
        assert_eq!(concepts.is_empty(), uris.is_empty(), "{term}: the server found {uris:?}");
        assert!(concepts.iter().all(|concept| uris.contains(&concept.uri)), "{term}");
        counts[match concepts.len() {
            1 => 0,
            0 => 2,
            _ => 1,
        }] += 1;
    }
    println!(
        "{} labels: {} with one concept, {} with several, {} with none",
        counts.iter().sum::<usize>(),
        counts[0],
        counts[1],
        counts[2]
    );
    counts
}

#[tokio::test]
async fn committed_look_ups_lead_to_the_concepts_that_the_server_found() {
    let counts = look_all_up(lookups()).await;
    assert!(counts[0] > 50 && counts[1] > 0 && counts[2] > 0, "{counts:?}");
}

#[tokio::test]
async fn all_look_ups_lead_to_the_concepts_that_the_server_found() {
    let Some(recordings) = all_lookups() else { return };
    assert_eq!(look_all_up(recordings).await.iter().sum::<usize>(), 815, "805 labels and ten misses");
}
