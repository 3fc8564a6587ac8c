//! Servers that go wrong in every way we know of: each ends in time, as what it is, and leaves nothing behind.

use std::time::{Duration, Instant};

use plumbline_core::ports::VocabularyError;
use plumbline_testkit::skosmos_server::{Fault, SkosmosServer};

use crate::client_world::{RECORDED_WITH, SLACK, lookups, strict, unavailable};

/// What a fault must end in.
#[derive(Clone, Copy)]
enum Ends {
    Late,
    As(&'static str),
}

fn faults() -> Vec<(Fault, Ends)> {
    let garbage = b"{\"results\":[{\"uri\":".to_vec();
    vec![
        (Fault::Delay(Duration::from_millis(900)), Ends::Late),
        (Fault::SlowBody(Duration::from_millis(5)), Ends::Late),
        (Fault::Hang, Ends::Late),
        (Fault::HangAfterHeaders, Ends::Late),
        (Fault::WrongLength(20), Ends::Late),
        (Fault::WrongLength(-20), Ends::As("gave an answer that cannot be read: no JSON object")),
        (Fault::CutBody(40), Ends::As("stopped in the middle of its answer")),
        (Fault::CutBody(0), Ends::As("stopped in the middle of its answer")),
        (Fault::Close, Ends::As("cannot be reached")),
        (Fault::Html, Ends::As("answered with something that is not JSON")),
        (Fault::Status(400), Ends::As("answered with status 400")),
        (Fault::Status(406), Ends::As("answered with status 406")),
        (Fault::Status(414), Ends::As("answered with status 414")),
        (Fault::Status(429), Ends::As("answered with status 429")),
        (Fault::Status(500), Ends::As("answered with status 500")),
        (Fault::Status(503), Ends::As("answered with status 503")),
        (Fault::Body(garbage), Ends::As("gave an answer that cannot be read: no JSON object")),
        (Fault::Body(Vec::new()), Ends::As("gave an answer that cannot be read: no JSON object")),
        (Fault::Body(b"\xff\xfe{}".to_vec()), Ends::As("gave an answer that cannot be read: no JSON object")),
        (Fault::Endless, Ends::As("answered with more than can be read")),
        (Fault::Redirect("http://127.0.0.1:9/elsewhere".to_owned()), Ends::As("answered with status 302")),
    ]
}

async fn goes_wrong(target: &str, fault: Fault, ends: Ends) {
    let server = SkosmosServer::start(lookups()).await;
    let client = strict(&[(&server, &RECORDED_WITH)]);
    server.misbehave(target, fault.clone());
    let started = Instant::now();
    let answer = client.lookup("loner").await;
    let took = started.elapsed();
    assert!(took < Duration::from_millis(300) + SLACK, "{fault:?} at {target} took {took:?}");
    match ends {
        Ends::Late => assert_eq!(answer, Err(VocabularyError::Timeout(300)), "{fault:?} at {target}"),
        Ends::As(what) => {
            let told = format!("{} {what}", server.address());
            assert_eq!(answer.unwrap_err().to_string(), unavailable(&told), "{fault:?} at {target}");
        }
    }
    server.behave();
    // A look-up of the same term may join the one that still waits, so the next asks for another.
    let next = client.lookup("stoma").await;
    assert!(next.as_ref().is_ok_and(|lookup| !lookup.cached), "after {fault:?} at {target}: {next:?}");
    if !matches!(ends, Ends::Late) {
        let again = client.lookup("loner").await.unwrap();
        assert!(!again.cached, "{fault:?} at {target} was not remembered");
    }
}

#[tokio::test]
async fn a_search_that_goes_wrong_ends_in_time() {
    for (fault, ends) in faults() {
        goes_wrong("/search", fault, ends).await;
    }
    goes_wrong("/search", Fault::Status(404), Ends::As("answered with status 404")).await;
}

#[tokio::test]
async fn data_that_goes_wrong_ends_in_time() {
    for (fault, ends) in faults() {
        goes_wrong("/data", fault, ends).await;
    }
    goes_wrong("/data", Fault::Status(404), Ends::As("contradicts itself")).await;
}

#[tokio::test]
async fn the_list_of_vocabularies_going_wrong_is_no_matter() {
    for (fault, _) in faults() {
        let server = SkosmosServer::start(lookups()).await;
        server.misbehave("/vocabularies", fault.clone());
        let client = strict(&[(&server, &RECORDED_WITH)]);
        let concept = client.found("stoma").await;
        assert_eq!(concept.vocabulary, "Edge cases", "{fault:?}: the scheme's title stands in");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (server, elsewhere) = (SkosmosServer::start(lookups()).await, SkosmosServer::start(lookups()).await);
    server.misbehave("/search", Fault::Redirect(format!("{}/rest/v1/search", elsewhere.address())));
    let client = strict(&[(&server, &RECORDED_WITH)]);
    assert!(client.lookup("loner").await.is_err());
    assert!(elsewhere.requests().is_empty(), "nobody chose that server");
}

#[tokio::test]
async fn data_of_another_concept_is_a_contradiction() {
    let server = SkosmosServer::start(lookups()).await;
    let other = lookups().answer(
        "/rest/v1/edge/data?uri=http%3A%2F%2Fexample.test%2Fedge%2Fc04&format=application%2Fld%2Bjson",
    );
    server.misbehave("/data", Fault::Body(other.unwrap().body));
    let client = strict(&[(&server, &RECORDED_WITH)]);
    let told = format!("{} contradicts itself", server.address());
    assert_eq!(client.lookup("loner").await.unwrap_err().to_string(), unavailable(&told));
}

#[tokio::test]
async fn slow_trips_share_one_limit() {
    let server = SkosmosServer::start(lookups()).await;
    // Each trip alone would be in time.
    server.misbehave("/rest/v1/search", Fault::Delay(Duration::from_millis(200)));
    server.misbehave("/data", Fault::Delay(Duration::from_millis(200)));
    let client = strict(&[(&server, &RECORDED_WITH)]);
    assert_eq!(client.lookup("loner").await, Err(VocabularyError::Timeout(300)));
}

#[tokio::test]
async fn a_look_up_that_nobody_waits_for_ends_by_itself() {
    let server = SkosmosServer::start(lookups()).await;
    server.misbehave("/search", Fault::Hang);
    let client = strict(&[(&server, &RECORDED_WITH)]);
    assert_eq!(client.lookup("loner").await, Err(VocabularyError::Timeout(300)));
    server.behave();
    assert_eq!(
        client.lookup("loner").await,
        Err(VocabularyError::Timeout(300)),
        "it joined the one under way"
    );
    tokio::time::sleep(Duration::from_millis(2_700)).await;
    client.found("loner").await;
}
