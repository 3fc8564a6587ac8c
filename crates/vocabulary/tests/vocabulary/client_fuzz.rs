//! Mutated recordings as bodies: no panic, nothing past the deadline, and no hit that the bodies do not hold.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use plumbline_core::ports::{Concept, LookupOutcome};
use plumbline_testkit::prng::Prng;
use plumbline_testkit::skosmos_server::{Fault, SkosmosServer};
use plumbline_vocabulary::matching::fold_term;
use plumbline_vocabulary::skosmos::graph::Graph;
use plumbline_vocabulary::skosmos::wire;
use serde_json::Value;

use crate::client_world::{RECORDED_WITH, SLACK, client, fixture, lookups};

/// Bodies of both kinds, whole.
fn bodies() -> Vec<Vec<u8>> {
    let recordings = plumbline_testkit::skosmos_server::Recordings::lines(&fixture("lookups-v3.3.jsonl"));
    recordings.exchanges().iter().map(|exchange| exchange.body.clone()).collect()
}

fn mutated(body: &[u8], others: &[Vec<u8>], prng: &mut Prng) -> Vec<u8> {
    const PIECES: [&str; 16] = [
        "null",
        "{}",
        "[]",
        "\"\"",
        "0",
        "true",
        "\"results\"",
        "\"graph\"",
        "\"uri\"",
        "\\u0000",
        "\\ud800",
        "[[[[",
        "}",
        ",",
        "\u{feff}",
        "1e999",
    ];
    let mut body = body.to_vec();
    for _ in 0..=prng.below(4) {
        let at = prng.below(body.len().max(1)).min(body.len());
        let to = (at + prng.below(40)).min(body.len());
        match prng.below(8) {
            0 if at < body.len() => body[at] ^= 1 << prng.below(8),
            1 => body.truncate(at),
            2 => drop(body.drain(at..to)),
            3 => {
                let again = body[at..to].to_vec();
                drop(body.splice(at..at, again));
            }
            4 => drop(body.splice(at..to, prng.pick(&PIECES).bytes())),
            5 => drop(body.splice(at..at, prng.pick(&PIECES).bytes())),
            6 => {
                let other = prng.pick(others);
                let from = prng.below(other.len().max(1)).min(other.len());
                body.truncate(at);
                body.extend_from_slice(&other[from..]);
            }
            _ => drop(body.splice(at..at, "[".repeat(prng.below(3_000)).bytes())),
        }
    }
    body
}

/// Whether a string stands somewhere in a JSON text.
fn holds(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(values) => values.iter().any(|value| holds(value, wanted)),
        Value::Object(map) => map.values().any(|value| holds(value, wanted)),
        _ => false,
    }
}

fn concepts(outcome: LookupOutcome) -> Vec<Concept> {
    match outcome {
        LookupOutcome::Found(concept) => vec![*concept],
        LookupOutcome::Ambiguous(concepts) => concepts,
        LookupOutcome::NotFound => Vec::new(),
    }
}

#[test]
fn fuzzed_bodies_are_read_or_refused() {
    let bodies = bodies();
    let mut prng = Prng::new(6);
    let (mut read, mut refused) = (0, 0);
    for at in 0..20_000 {
        let body = mutated(&bodies[at % bodies.len()], &bodies, &mut prng);
        let outcomes = [
            wire::search_rows(&body).is_ok(),
            wire::vocabularies(&body).is_ok(),
            Graph::parse(&body).is_ok(),
        ];
        if outcomes.contains(&true) { read += 1 } else { refused += 1 }
    }
    println!("20,000 fuzzed bodies: {read} read, {refused} refused");
    assert!(read > 1_000 && refused > 1_000, "the mutations are neither idle nor hopeless");
}

#[tokio::test]
async fn fuzzed_server_bodies_make_no_panic_no_hang_and_no_false_hit() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // A panic in a look-up's own task would only look like a broken answer here.
        if info.location().is_some_and(|place| place.file().contains("vocabulary/src")) {
            PANICS.fetch_add(1, Ordering::SeqCst);
        }
        usual(info);
    }));
    let server = SkosmosServer::start(lookups()).await;
    let client = client(&[(&server, &RECORDED_WITH)], |settings| settings.cache_ttl_seconds = 0);
    let (bodies, recordings) = (bodies(), lookups());
    let mut prng = Prng::new(2026);
    let (mut hits, mut misses, mut errors) = (0, 0, 0);
    for round in 0..1_200 {
        let real = *prng.pick(&["loner", "photosynthesis", "Mercury", "stroma", "garbler", "colour", "PS"]);
        let term = if round % 4 == 0 { "quantum flux capacitance" } else { real };
        let target = *prng.pick(&["/search", "/data", "/vocabularies"]);
        let whole = recordings
            .answer(&target_of(target, real))
            .map_or_else(|| prng.pick(&bodies).clone(), |found| found.body);
        let body = mutated(&whole, &bodies, &mut prng);
        server.behave();
        server.misbehave(target, Fault::Body(body.clone()));
        let started = Instant::now();
        let answer = client.lookup(term).await;
        assert!(
            started.elapsed() < Duration::from_millis(300) + SLACK,
            "{:?} in round {round}",
            started.elapsed()
        );
        let Ok(lookup) = answer else {
            errors += 1;
            continue;
        };
        let found = concepts(lookup.outcome);
        if found.is_empty() {
            misses += 1
        } else {
            hits += 1
        }
        assert!(found.is_empty() || term == real, "round {round}: a made-up term has no concept: {found:?}");
        for concept in found.iter().filter(|_| target == "/data") {
            let json: Value = serde_json::from_slice(&body).unwrap();
            for definition in &concept.definitions {
                assert!(holds(&json, &definition.text), "round {round}: {definition:?} stands in no body");
            }
            let folded = fold_term(term);
            let labelled = |value: &Value| format!("{value}").to_lowercase().contains(&folded);
            assert!(labelled(&json), "round {round}: the concept has the term for a label");
        }
    }
    println!("1,200 look-ups over fuzzed bodies: {hits} hits, {misses} misses, {errors} errors");
    assert_eq!(PANICS.load(Ordering::SeqCst), 0);
    server.behave();
    client.found("loner").await;
}

/// The target whose recorded body is mutated.
fn target_of(kind: &str, term: &str) -> String {
    match kind {
        "/search" => format!(
            "/rest/v1/search?query={term}&labellang=en&vocab=edge%20edge2%20dpv%20dpv-risk&type=skos%3AConcept&unique=true&maxhits=20"
        ),
        "/data" => {
            let id = match term {
                "loner" => "c36",
                "photosynthesis" | "PS" => "c01",
                "Mercury" => "c14",
                "stroma" => "c07",
                "garbler" => "c37",
                _ => "c10",
            };
            format!(
                "/rest/v1/edge/data?uri=http%3A%2F%2Fexample.test%2Fedge%2F{id}&format=application%2Fld%2Bjson"
            )
        }
        _ => "/rest/v1/vocabularies?lang=en".to_owned(),
    }
}
