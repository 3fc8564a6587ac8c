//! What the client adds to a server's own time.
//!
//! Measured: a look-up of a term that is found, two round trips, through the client without its cache, against the same
//! two requests written by hand to one open connection, whose answers are read and thrown away. Both go to the replay
//! server on loopback with the committed recordings of `edge`; the difference is what the client adds: building requests,
//! the pool, reading JSON, matching, the task of its own. Beside it a look-up that the cache answers.
//! Reported, not asserted; the aim is less than 2 ms. Run: `cargo bench -p plumbline-vocabulary --bench client`.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary};
use plumbline_telemetry::SystemClock;
use plumbline_testkit::skosmos_server::{Recordings, SkosmosServer};
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const ROUNDS: usize = 1_000;
const VOCABULARIES: [&str; 4] = ["edge", "edge2", "dpv", "dpv-risk"];

fn client(server: &SkosmosServer, cache_max_size: u64) -> SkosmosClient {
    let server = Server {
        address: server.address().to_owned(),
        vocabularies: VOCABULARIES.map(str::to_owned).to_vec(),
    };
    let settings = SkosmosSettings { cache_max_size, ..SkosmosSettings::of(vec![server]) };
    SkosmosClient::new(settings, Arc::new(SystemClock)).unwrap()
}

/// One request on an open connection.
async fn fetch(stream: &mut TcpStream, target: &str) {
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut read = Vec::with_capacity(8_192);
    loop {
        stream.read_buf(&mut read).await.unwrap();
        let text = String::from_utf8_lossy(&read);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            return;
        }
    }
}

fn report(name: &str, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{name:<44} p50 {:>8.1?}  p95 {:>8.1?}", at(50), at(95));
    at(50)
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skosmos/lookups-v3.3.jsonl");
    let list = r#"{"vocabularies":[{"id":"edge"},{"id":"edge2"},{"id":"dpv"},{"id":"dpv-risk"}]}"#;
    let server =
        SkosmosServer::start(Recordings::lines(&file).with_json("/rest/v1/vocabularies?lang=en", list)).await;
    let search = "/rest/v1/search?query=loner&labellang=en&vocab=edge%20edge2%20dpv%20dpv-risk&type=skos%3AConcept&unique=true&maxhits=20";
    let data = "/rest/v1/edge/data?uri=http%3A%2F%2Fexample.test%2Fedge%2Fc36&format=application%2Fld%2Bjson";

    let mut stream = TcpStream::connect(server.address().trim_start_matches("http://")).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (uncached, cached) = (client(&server, 0), client(&server, 5_000));
    uncached.warm(Language::EN).await;
    cached.lookup("loner", Language::EN).await.unwrap();

    let (mut by_hand, mut through, mut from_cache) = (Vec::new(), Vec::new(), Vec::new());
    // In turns, so that a busy moment of the machine falls on both.
    for _ in 0..ROUNDS {
        let started = Instant::now();
        fetch(&mut stream, search).await;
        fetch(&mut stream, data).await;
        by_hand.push(started.elapsed());
        let started = Instant::now();
        let lookup = uncached.lookup("loner", Language::EN).await.unwrap();
        through.push(started.elapsed());
        assert!(!lookup.cached && lookup.outcome != LookupOutcome::NotFound, "a hit over the wire");
        let started = Instant::now();
        let lookup = cached.lookup("loner", Language::EN).await.unwrap();
        from_cache.push(started.elapsed());
        assert!(lookup.cached, "a hit of the cache");
    }
    println!("{ROUNDS} look-ups each, in turns");
    let by_hand = report("the server's own time, two requests", by_hand);
    let through = report("a look-up through the client", through);
    report("a look-up from the cache", from_cache);
    println!("the client adds {:.1?} at p50 (aim: under 2 ms)", through.saturating_sub(by_hand));
}
