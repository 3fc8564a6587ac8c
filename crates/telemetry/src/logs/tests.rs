use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tracing::Subscriber;
use tracing::subscriber::with_default;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry;

use super::*;
use crate::clock::ManualClock;
use crate::context::{RequestContext, Route};

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new("2026-02-09T10:30:00Z".parse().unwrap()))
}

fn subscriber(log: &MemoryLog, privacy: LogPrivacy) -> impl Subscriber + Send + Sync {
    registry().with(json_layer(log.clone(), privacy, clock()))
}

/// The lines that `work` logs, with the privacy setting off.
fn logged(work: impl FnOnce()) -> Vec<Value> {
    let log = MemoryLog::default();
    with_default(subscriber(&log, LogPrivacy::Off), work);
    log.entries().unwrap()
}

#[test]
fn a_line_has_the_seeds_fields_first_and_then_the_events_with_their_types() {
    let log = MemoryLog::default();
    let clock = clock();
    let layer = json_layer(log.clone(), LogPrivacy::Off, clock.clone());
    with_default(registry().with(layer), || {
        let context = RequestContext::new("req-abc123", Route::Tree, clock.clone());
        clock.advance(Duration::from_millis(50));
        context.span().in_scope(|| {
            tracing::info!(
                target: "skosmos", event = "lookup_complete", term = "CIMXML", hit = true, latency_ms = 45,
                score = 0.5, cause = %"x", shape = ?[1, 2],
            );
        });
    });
    assert_eq!(
        log.text(),
        concat!(
            r#"{"request_id":"req-abc123","timestamp":"2026-02-09T10:30:00.050Z","level":"INFO","#,
            r#""component":"skosmos","event":"lookup_complete","route":"tree","fallback_flags":[],"#,
            r#""term":"CIMXML","hit":true,"latency_ms":45,"score":0.5,"cause":"x","shape":"[1, 2]"}"#,
            "\n"
        )
    );
}

#[test]
fn outside_a_request_the_keys_are_still_there() {
    let lines = logged(|| tracing::warn!(target: "library", "index opened"));
    assert_eq!(
        lines,
        [json!({
            "request_id": null, "timestamp": "2026-02-09T10:30:00.000Z", "level": "WARN", "component": "library",
            "event": "index opened", "route": null, "fallback_flags": [],
        })]
    );
}

#[test]
fn the_event_wins_over_the_span_and_the_inner_span_over_the_outer() {
    let lines = logged(|| {
        let context = RequestContext::new("req-1", Route::Tree, clock());
        let _request = context.span().enter();
        let _stage = tracing::info_span!("stage", stage = "gates", route = "direct", attempt = 1).entered();
        tracing::info!(event = "checked", attempt = 2, fallback_flags = ?["mine"]);
    });
    let line = &lines[0];
    assert_eq!(line["stage"], "gates");
    assert_eq!(line["route"], "direct");
    assert_eq!(line["attempt"], 2);
    assert_eq!(line["fallback_flags"], json!(["mine"]));
    assert_eq!(line["request_id"], "req-1");
}

#[test]
fn a_request_does_not_inherit_from_the_one_it_is_started_in() {
    let lines = logged(|| {
        let outer = RequestContext::new("req-outer", Route::Tree, clock());
        outer.add_fallback("bm25_only");
        let inner = outer.span().in_scope(|| {
            let _stage = tracing::info_span!("stage", stage = "gates").entered();
            RequestContext::new("req-inner", Route::Direct, clock())
        });
        inner.span().in_scope(|| tracing::info!("started"));
    });
    assert_eq!(lines[0]["request_id"], "req-inner");
    assert_eq!(lines[0]["fallback_flags"], json!([]));
    assert_eq!(lines[0].get("stage"), None, "that stage is the outer request's");
}

#[test]
fn a_change_of_route_shows_from_then_on() {
    let lines = logged(|| {
        let context = RequestContext::new("req-1", Route::Tree, clock());
        let _request = context.span().enter();
        tracing::info!("before");
        context.set_route(Route::Direct);
        tracing::info!("after");
    });
    assert_eq!((&lines[0]["route"], &lines[1]["route"]), (&json!("tree"), &json!("direct")));
}

#[test]
fn a_fields_own_timestamp_level_or_component_neither_doubles_a_key_nor_gets_lost() {
    let log = MemoryLog::default();
    with_default(subscriber(&log, LogPrivacy::Off), || {
        tracing::info!(target: "gates", level = "medium", component = "mine", timestamp = 7, event = "scored");
    });
    assert_eq!(log.text().matches(r#""level":"#).count(), 1, "{}", log.text());
    let line = &log.entries().unwrap()[0];
    assert_eq!((&line["level"], &line["component"]), (&json!("INFO"), &json!("gates")));
    assert_eq!((&line["field_level"], &line["field_component"]), (&json!("medium"), &json!("mine")));
    assert_eq!(line["field_timestamp"], 7);
}

fn log_a_question() {
    let _span = tracing::info_span!("stage", query = "who owns ADR-12?").entered();
    tracing::info!(event = "request_start", query = "who owns ADR-12?", term = "ADR-12", hits = 3);
}

#[test]
fn privacy_leaves_the_users_words_out() {
    let shown = logged(log_a_question);
    assert_eq!(shown[0]["query"], "who owns ADR-12?", "without privacy the query is there to see");
    assert_eq!(shown[0]["term"], "ADR-12");

    let log = MemoryLog::default();
    with_default(subscriber(&log, LogPrivacy::On), log_a_question);
    assert!(!log.text().contains("ADR-12"), "{}", log.text());
    assert_eq!(log.entries().unwrap()[0]["hits"], 3, "the rest of the line stays");
}

#[test]
fn passages_and_secrets_are_never_written() {
    let log = MemoryLog::default();
    with_default(subscriber(&log, LogPrivacy::Off), || {
        let span = tracing::info_span!("call", token = "secret", answer = tracing::field::Empty).entered();
        span.record("answer", "secret");
        tracing::info!(
            passage = "secret", prompt = ?"secret", Authorization = %"secret", http.authorization = "secret",
            r#answer = "secret", prompt_tokens = 12, "called"
        );
    });
    assert!(!log.text().contains("secret"), "{}", log.text());
    assert_eq!(log.entries().unwrap()[0]["prompt_tokens"], 12, "counts are no secrets");
}

#[test]
fn control_characters_are_escaped_and_come_back() {
    let nasty = "a\n{\"level\":\"ERROR\"}\u{1b}[31m\u{7f}\u{9b}2J\u{2028}b\0";
    let log = MemoryLog::default();
    with_default(subscriber(&log, LogPrivacy::Off), || tracing::info!(query = nasty, "asked"));
    let text = log.text();
    assert_eq!(text.lines().count(), 1);
    let line = text.trim_end_matches('\n');
    assert!(!line.contains(|c: char| c.is_control() || c == '\u{2028}'), "{line:?}");
    assert_eq!(log.entries().unwrap()[0]["query"], nasty);
}

#[test]
fn a_long_field_is_cut() {
    let (long, just) = ("é".repeat(2_001), "é".repeat(2_000));
    let lines = logged(|| {
        tracing::info!(long = long.as_str(), just = just.as_str(), shown = %long, shown_just = %just, "{long}");
    });
    let cut = format!("{just}…");
    for field in ["long", "shown", "event"] {
        assert_eq!(lines[0][field], cut, "{field}");
    }
    for field in ["just", "shown_just"] {
        assert_eq!(lines[0][field], just, "{field} is not too long");
    }
}

#[test]
fn more_flags_than_fit_a_text_field_are_still_a_list() {
    let lines = logged(|| {
        let context = RequestContext::new("req-1", Route::Tree, clock());
        (0..500).for_each(|number| context.add_fallback(&format!("flag_{number}")));
        context.span().in_scope(|| tracing::info!("done"));
    });
    assert_eq!(lines[0]["fallback_flags"].as_array().unwrap().len(), 500);
}

#[test]
fn threads_that_log_at_once_write_whole_lines() {
    let log = MemoryLog::default();
    let dispatch = tracing::Dispatch::new(subscriber(&log, LogPrivacy::Off));
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let dispatch = dispatch.clone();
            scope.spawn(move || {
                tracing::dispatcher::with_default(&dispatch, || {
                    let context = RequestContext::new(format!("req-{thread}"), Route::Tree, clock());
                    let _request = context.span().enter();
                    (0..300)
                        .for_each(|number| tracing::info!(number, thread, padding = "x".repeat(500), "tick"));
                });
            });
        }
    });
    let lines = log.entries().expect("every line is whole JSON");
    assert_eq!(lines.len(), 600);
    for line in lines {
        assert_eq!(line["request_id"], format!("req-{}", line["thread"]), "a line with another request's id");
    }
}

struct BrokenDisk;

impl io::Write for BrokenDisk {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn a_log_that_cannot_be_written_does_not_stop_another_in_the_same_subscriber() {
    let log = MemoryLog::default();
    let broken = json_layer(|| BrokenDisk, LogPrivacy::Off, clock());
    let sound = json_layer(log.clone(), LogPrivacy::On, clock());
    with_default(registry().with(broken).with(sound), || {
        let context = RequestContext::new("req-1", Route::Tree, clock());
        context.add_fallback("bm25_only");
        context.span().in_scope(|| tracing::info!(query = "q", "still here"));
    });
    let line = &log.entries().unwrap()[0];
    assert_eq!((&line["event"], &line["fallback_flags"]), (&json!("still here"), &json!(["bm25_only"])));
    assert_eq!(line.get("query"), None, "each layer keeps its own privacy");
}

#[test]
fn other_libraries_are_heard_from_warn_up_only() {
    for (target, ours, expected) in [
        ("router", LevelFilter::DEBUG, LevelFilter::DEBUG),
        ("plumbline_core::gates", LevelFilter::DEBUG, LevelFilter::DEBUG),
        ("lance::dataset", LevelFilter::DEBUG, LevelFilter::WARN),
        ("lance::dataset", LevelFilter::ERROR, LevelFilter::ERROR),
    ] {
        assert_eq!(level_for(target, ours), expected, "{target} at {ours}");
    }
}
