//! The SKOSMOS client over recorded servers: IR3's SKOS-CLIENT-01 to 06, its cache, and what it makes of it.

use std::time::{Duration, Instant};

use futures::future::join_all;
use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary, VocabularyError};
use plumbline_core::response::{LabelMatch, RefusalReason};
use plumbline_telemetry::names;
use plumbline_testkit::rig::Rig;
use plumbline_testkit::skosmos_server::{Exchange, Fault, Recordings, SkosmosServer};

use crate::client_world::{
    Client, RECORDED_WITH, SLACK, client, lookups, patient, strict, unavailable, version,
};

/// An engine that asks this client; it waits for a busy machine unless the test is about waiting.
fn engine(client: &Client, timeout_ms: u64) -> Rig {
    let skosmos = client.skosmos.clone();
    Rig::with()
        .settings(|settings| settings.vocabulary.timeout_ms = timeout_ms)
        .ports(move |ports| ports.vocabulary = Some(skosmos))
        .build()
}

/// Look-ups, hits, misses, timeouts and errors, and what the cache answered.
fn counts(rig: &Rig) -> [u64; 6] {
    let backend = |counter| rig.metrics.value(counter, ["skosmos"]) as u64;
    [
        backend(&names::SKOSMOS_LOOKUP_TOTAL),
        backend(&names::SKOSMOS_HIT_TOTAL),
        backend(&names::SKOSMOS_MISS_TOTAL),
        backend(&names::SKOSMOS_TIMEOUT_TOTAL),
        backend(&names::SKOSMOS_ERROR_TOTAL),
        rig.metrics.value(&names::SKOSMOS_CACHE_HIT_TOTAL, ["cache"]) as u64,
    ]
}

async fn edge() -> SkosmosServer {
    SkosmosServer::start(lookups()).await
}

#[tokio::test]
async fn skos_client_01_a_term_that_exists() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let lookup = client.lookup("loner").await.unwrap();
    assert!(!lookup.cached && matches!(lookup.outcome, LookupOutcome::Found(_)));
    assert_eq!(server.unrecorded(), Vec::<String>::new(), "the client's requests are those of the contract");

    let rig = engine(&patient(&[(&server, &RECORDED_WITH)]), 20_000);
    let response = rig.answer("What is loner?").await;
    assert_eq!(response.definition.unwrap().definitions, ["A concept with no links at all."]);
    assert_eq!(response.citations[0].source, "SKOSMOS");
    assert_eq!(counts(&rig), [1, 1, 0, 0, 0, 0]);
}

#[tokio::test]
async fn skos_client_02_a_term_that_does_not_exist() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    client.unknown("FooBarBaz").await;
    assert_eq!(server.count("/search"), 2, "the term, and the term with a qualifier");

    let rig = engine(&patient(&[(&server, &RECORDED_WITH)]), 20_000);
    let response = rig.answer("What is FooBarBaz?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::TerminologyNotFound));
    assert_eq!(counts(&rig), [1, 0, 1, 0, 0, 0]);
}

#[tokio::test]
async fn skos_client_03_a_look_up_that_takes_more_than_300_ms() {
    let server = edge().await;
    server.misbehave("/search", Fault::Delay(Duration::from_millis(700)));
    let client = strict(&[(&server, &RECORDED_WITH)]);
    let started = Instant::now();
    assert_eq!(client.lookup("loner").await, Err(VocabularyError::Timeout(300)));
    assert!(started.elapsed() < Duration::from_millis(300) + SLACK, "{:?}", started.elapsed());

    let rig = engine(&strict(&[(&server, &RECORDED_WITH)]), 300);
    let response = rig.answer("What is loner?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::TerminologyTimeout));
    assert_eq!(counts(&rig), [1, 0, 0, 1, 0, 0]);
}

#[tokio::test]
async fn skos_client_04_a_server_that_answers_500() {
    let server = edge().await;
    server.misbehave("/rest/v1/search", Fault::Status(500));
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let problem = client.lookup("loner").await.unwrap_err();
    let expected = format!("{} answered with status 500", server.address());
    assert_eq!(problem.to_string(), unavailable(&expected), "its own address and nothing of what it said");

    let rig = engine(&patient(&[(&server, &RECORDED_WITH)]), 20_000);
    let response = rig.answer("What is loner?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::TerminologyError));
    assert!(!format!("{response:?}").contains("sparql.internal"), "a host that the server named");
    assert_eq!(counts(&rig), [1, 0, 0, 0, 1, 0]);
}

#[tokio::test]
async fn skos_client_05_a_second_look_up_of_the_same_term() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let first = client.lookup("Fermat's last theorem").await.unwrap();
    let asked = server.requests().len();
    for spelling in ["Fermat's last theorem", "  FERMAT’S   Last Theorem "] {
        let again = client.lookup(spelling).await.unwrap();
        assert!(again.cached, "{spelling:?} is the same term");
        assert_eq!(again.outcome, first.outcome);
    }
    assert_eq!(server.requests().len(), asked);
}

#[tokio::test]
async fn skos_05_cache_hit() {
    let server = edge().await;
    let rig = engine(&patient(&[(&server, &RECORDED_WITH)]), 20_000);
    let first = rig.answer("What is loner?").await;
    // From here on only the cache can answer in time.
    server.misbehave("/", Fault::Hang);
    let started = Instant::now();
    let second = rig.answer("What is loner?").await;
    assert!(started.elapsed() < SLACK, "{:?}", started.elapsed());
    assert_eq!(second.answer, first.answer);
    assert_eq!(counts(&rig), [1, 1, 0, 0, 0, 1]);
}

#[tokio::test]
async fn skos_client_06_an_answer_older_than_ten_minutes() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let rig = engine(&client, 20_000);
    rig.answer("What is loner?").await;
    client.clock.advance(Duration::from_secs(599));
    rig.answer("What is loner?").await;
    assert_eq!(counts(&rig), [1, 1, 0, 0, 0, 1]);
    client.clock.advance(Duration::from_secs(1));
    rig.answer("What is loner?").await;
    assert_eq!(counts(&rig), [2, 2, 0, 0, 0, 1], "a fresh look-up");
    assert_eq!(server.count("/data"), 2);
}

#[tokio::test]
async fn misses_are_remembered_and_failures_are_not() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    client.unknown("FooBarBaz").await;
    assert!(client.lookup("foobarbaz").await.unwrap().cached, "a miss is an answer");
    server.misbehave("/search", Fault::Status(500));
    assert!(client.lookup("loner").await.is_err());
    server.behave();
    assert!(!client.lookup("loner").await.unwrap().cached, "a failure is none");
}

#[tokio::test]
async fn a_hit_costs_two_round_trips_over_warm_connections() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    client.skosmos.warm(Language::EN).await;
    let before = server.requests().len();
    for term in ["loner", "stoma", "grana", "stroma", "pigment", "html term", "TCP/IP", "A* search", "café"]
    {
        client.found(term).await;
    }
    assert_eq!(server.requests().len() - before, 18);
    assert_eq!(server.connections(), 1, "one after the other, they need one connection");
}

#[tokio::test]
async fn a_hundred_callers_make_one_request() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    server.misbehave("/data", Fault::Delay(Duration::from_millis(50)));
    let all = join_all((0..100).map(|at| client.lookup(if at % 2 == 0 { "loner" } else { " loner " }))).await;
    let first = all[0].as_ref().unwrap();
    assert!(!first.cached && matches!(first.outcome, LookupOutcome::Found(_)));
    assert!(all.iter().all(|lookup| lookup.as_ref() == Ok(first)));
    assert_eq!((server.count("/search"), server.count("/data")), (1, 1));

    let search = "/rest/v1/search?query=stoma&labellang=en&vocab=edge%20edge2%20dpv%20dpv-risk&type=skos%3AConcept&unique=true&maxhits=20";
    let down = Exchange { target: search.to_owned(), ..Exchange::text(500, "text/html", "") };
    server.replay(Recordings::default().with(down));
    server.misbehave("/search", Fault::Delay(Duration::from_millis(50)));
    let all = join_all((0..100).map(|_| client.lookup("stoma"))).await;
    assert!(all.iter().all(Result::is_err), "a failure is everybody's");
    assert_eq!(server.count("query=stoma"), 1);
}

#[tokio::test]
async fn more_look_ups_than_may_be_under_way_wait_for_their_turn() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let terms: Vec<String> = (0..100).map(|at| format!("nothing {at}")).collect();
    let all = join_all(terms.iter().map(|term| client.lookup(term))).await;
    assert!(all.iter().all(|lookup| lookup.as_ref().is_ok_and(|lookup| !lookup.cached)));
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_there_for_the_next() {
    let server = edge().await;
    server.misbehave("/data", Fault::Delay(Duration::from_millis(500)));
    let client = strict(&[(&server, &RECORDED_WITH)]);
    assert_eq!(client.lookup("loner").await, Err(VocabularyError::Timeout(300)));
    tokio::time::sleep(Duration::from_millis(600)).await;
    let next = client.lookup("loner").await.unwrap();
    assert!(next.cached && matches!(next.outcome, LookupOutcome::Found(_)));
    assert_eq!(server.count("/data"), 1);
}

#[tokio::test]
async fn a_term_that_cannot_be_asked_for_is_unknown_without_asking() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    for term in ["", " \t", "*", "** *", &"x".repeat(201)] {
        client.unknown(term).await;
    }
    assert!(server.requests().is_empty());
    client.unknown("a\nb").await;
    assert!(
        server.requests().iter().any(|target| target.contains("query=a%20b&")),
        "a line break is a space"
    );
}

#[tokio::test]
async fn a_concept_from_the_picker_comes_from_the_cache() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let planets = client.ambiguous("Mercury").await;
    let asked = server.requests().len();
    let picked = client.skosmos.concept(&planets[1].uri, Language::EN).await.unwrap();
    assert!(picked.cached);
    assert_eq!(picked.outcome, LookupOutcome::Found(Box::new(planets[1].clone())));
    assert_eq!(server.requests().len(), asked);
}

#[tokio::test]
async fn a_concept_by_its_uri_is_sought_in_each_vocabulary() {
    let server = SkosmosServer::start(version("v3.3").with(Exchange {
        target: "/rest/v1/edge2/data?uri=http%3A%2F%2Fexample.test%2Fedge%2Fc11&format=application%2Fld%2Bjson".to_owned(),
        ..Exchange::text(404, "text/plain", "404 Bad Request : no concept found")
    }))
    .await;
    let client = patient(&[(&server, &["edge2", "edge"])]);
    let uri = "http://example.test/edge/c11";
    let lookup = client.skosmos.concept(uri, Language::EN).await.unwrap();
    let LookupOutcome::Found(phlogiston) = lookup.outcome else { panic!("it is in the second") };
    assert_eq!((phlogiston.deprecated, phlogiston.matched), (true, LabelMatch::Preferred));
    assert_eq!(phlogiston.replaced_by[0].label, "oxygen");
    assert!(client.skosmos.concept(uri, Language::EN).await.unwrap().cached);
    for odd in ["not a uri <>", "", "http://x.test/ y", "nothing"] {
        let lookup = client.skosmos.concept(odd, Language::EN).await.unwrap();
        assert_eq!(lookup.outcome, LookupOutcome::NotFound, "{odd:?}");
    }
}

#[tokio::test]
async fn nearest_labels_come_from_what_is_at_hand_and_from_the_time_that_is_left() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let near = async |term: &str| client.skosmos.nearest_labels(term, Language::EN, 3).await;
    assert!(near("lonr").await.is_empty(), "nothing was looked up yet");
    client.unknown("photosynthesi").await;
    assert_eq!(near("photosynthesi").await.first().map(String::as_str), Some("photosynthesis"));
    assert_eq!(server.count("query=photo%2A"), 1, "the beginning, as a search of its own");
    client.found("loner").await;
    assert_eq!(near("lonr").await.first().map(String::as_str), Some("loner"));

    let client = strict(&[(&server, &RECORDED_WITH)]);
    client.unknown("FooBarBaz").await;
    server.misbehave("query=Foo%2A", Fault::Hang);
    let started = Instant::now();
    client.skosmos.nearest_labels("FooBarBaz", Language::EN, 3).await;
    assert!(started.elapsed() < Duration::from_millis(300) + SLACK, "{:?}", started.elapsed());
    let started = Instant::now();
    client.skosmos.nearest_labels("FooBarBaz", Language::EN, 3).await;
    assert!(started.elapsed() < SLACK, "no time is left: {:?}", started.elapsed());
}

#[tokio::test]
async fn expansions_come_from_the_cache_and_from_terms_with_one_meaning() {
    let server = edge().await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let expansions = async |text: &str| client.skosmos.expansions(text, Language::EN).await;
    assert!(expansions("What does PS do?").await.is_empty());
    client.found("PS").await;
    assert_eq!(expansions("What does PS do?").await, ["carbon assimilation", "photosynthesis"]);
    assert!(expansions("What do GPS and apps do?").await.is_empty(), "whole words only");
    client.ambiguous("mercury").await;
    assert!(expansions("mercury").await.is_empty(), "nobody knows which");
    let asked = server.requests().len();
    expansions("thylakoid").await;
    assert_eq!(server.requests().len(), asked, "no server is asked");
}

#[tokio::test]
async fn a_cache_of_no_size_asks_every_time() {
    let server = edge().await;
    let client = client(&[(&server, &RECORDED_WITH)], |settings| {
        settings.timeout_ms = 20_000;
        settings.cache_ttl_seconds = 0;
    });
    for _ in 0..2 {
        assert!(!client.lookup("loner").await.unwrap().cached);
    }
    assert_eq!(server.count("/data"), 2);
}
