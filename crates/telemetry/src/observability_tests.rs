//! The seed's cases OBS-01 to OBS-06.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry;

use crate::{Clock, LogPrivacy, ManualClock, MemoryLog, Metrics, RequestContext, Route, json_layer, names};

/// A request that degrades by `flags` on its way, and what it logged.
fn request(id: &str, flags: &[(&'static str, &str)]) -> Vec<Value> {
    let log = MemoryLog::default();
    let clock = Arc::new(ManualClock::new("2026-02-09T10:31:00Z".parse().unwrap()));
    let layer = json_layer(log.clone(), LogPrivacy::Off, clock.clone());
    tracing::subscriber::with_default(registry().with(layer), || {
        let context = RequestContext::new(id, Route::Tree, clock.clone());
        let _request = context.span().enter();
        tracing::info!(target: "router", event = "request_start", query = "List ADRs");
        for (event, flag) in flags {
            clock.advance(Duration::from_millis(300));
            context.add_fallback(flag);
            tracing::warn!(target: "embeddings", event = *event);
        }
        let total_ms = u64::try_from(context.elapsed().as_millis()).unwrap();
        tracing::info!(target: "router", event = "request_complete", total_ms);
    });
    log.entries().unwrap()
}

fn last(lines: &[Value]) -> &Value {
    lines.last().expect("a request logs its completion")
}

#[test]
fn obs_01_normal_request_logs_share_one_request_id() {
    let lines = request("req-abc123", &[]);
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert_eq!(line["request_id"], "req-abc123");
        assert_eq!(line["route"], "tree");
        assert_eq!(line["fallback_flags"], json!([]));
    }
    let other = request("req-def456", &[]);
    assert_eq!(last(&other)["request_id"], "req-def456", "the next request has an id of its own");
}

#[test]
fn obs_02_skosmos_timeout_sets_its_flag() {
    let lines = request("req-1", &[("timeout", "skosmos_timeout")]);
    assert_eq!(lines[0]["fallback_flags"], json!([]), "nothing had degraded yet");
    assert_eq!(lines[1]["level"], "WARN");
    assert_eq!(last(&lines)["fallback_flags"], json!(["skosmos_timeout"]));
}

#[test]
fn obs_03_open_circuit_sets_its_flag() {
    let lines = request("req-1", &[("circuit_open", "circuit_open")]);
    assert_eq!(last(&lines)["fallback_flags"], json!(["circuit_open"]));
}

#[test]
fn obs_04_bm25_fallback_sets_its_flag() {
    let lines = request("req-1", &[("embedding_failed", "bm25_only")]);
    assert_eq!(last(&lines)["fallback_flags"], json!(["bm25_only"]));
}

#[test]
fn obs_05_several_fallbacks_are_all_in_the_flags() {
    let degraded = [
        ("timeout", "skosmos_timeout"),
        ("embedding_failed", "bm25_only"),
        ("circuit_open", "circuit_open"),
        ("embedding_failed", "bm25_only"),
    ];
    let lines = request("req-1", &degraded);
    assert_eq!(lines[2]["fallback_flags"], json!(["skosmos_timeout", "bm25_only"]), "they accumulate");
    assert_eq!(last(&lines)["fallback_flags"], json!(["skosmos_timeout", "bm25_only", "circuit_open"]));
    assert_eq!(last(&lines)["total_ms"], 1200);
    assert!(lines.iter().all(|line| line["request_id"] == "req-1"));
}

#[test]
fn obs_06_counters_match_after_n_requests() {
    let metrics = Metrics::new();
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::new("2026-02-09T10:31:00Z".parse().unwrap()));
    for number in 0..10_u32 {
        let route = if number % 2 == 0 { Route::Tree } else { Route::Direct };
        let context = RequestContext::new(format!("req-{number}"), route, clock.clone());
        metrics.inc(&names::RAG_REQUEST_TOTAL, [context.route().as_str()]);
        metrics.inc(&names::RETRIEVAL_REQUEST_TOTAL, ["ADR_Ollama"]);
        metrics.observe(&names::RETRIEVAL_LATENCY_MS, ["ADR_Ollama"], f64::from(number));
        if number % 5 == 0 {
            metrics.inc(&names::RAG_ABSTENTION_TOTAL, ["low_confidence"]);
        }
        if number == 9 {
            metrics.inc(&names::CIRCUIT_BREAKER_TRIP_TOTAL, ["embeddings"]);
            metrics.set(&names::CIRCUIT_BREAKER_STATE, ["embeddings"], names::BREAKER_OPEN);
        }
    }
    let snapshot = metrics.snapshot();
    assert_eq!(snapshot.total(&names::RAG_REQUEST_TOTAL), 10.0);
    assert_eq!(metrics.value(&names::RAG_REQUEST_TOTAL, ["tree"]), 5.0);
    assert_eq!(metrics.value(&names::RETRIEVAL_REQUEST_TOTAL, ["ADR_Ollama"]), 10.0);
    assert_eq!(snapshot.histogram(&names::RETRIEVAL_LATENCY_MS, ["ADR_Ollama"]).unwrap().count, 10);
    assert_eq!(metrics.value(&names::RAG_ABSTENTION_TOTAL, ["low_confidence"]), 2.0);
    assert_eq!(metrics.value(&names::RAG_ABSTENTION_TOTAL, ["no_results"]), 0.0);
    assert_eq!(metrics.value(&names::CIRCUIT_BREAKER_TRIP_TOTAL, ["embeddings"]), 1.0);
    assert_eq!(metrics.value(&names::CIRCUIT_BREAKER_STATE, ["embeddings"]), 2.0);
    assert_eq!(snapshot.rates().no_context, Some(0.2));
}
