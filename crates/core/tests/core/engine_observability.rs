//! What an operator and an auditor see: correlated logs, counters that add up, one record per question.

use std::sync::Arc;

use plumbline_core::request::AskRequest;
use plumbline_telemetry::{
    AuditError, AuditRecord, AuditSink, LogPrivacy, ManualClock, MemoryLog, json_layer, names, sha256_hex,
};
use plumbline_testkit::model::{FakeModel, Step};
use plumbline_testkit::rig::{Rig, cited};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::SubscriberExt;

const QUESTION: &str = "How do applications exchange events?";

/// What these questions log, on a thread of their own.
async fn logged(rig: &Rig, questions: &[&str]) -> Vec<Value> {
    // Events that nobody listened to when they first came up may be taken for ones that nobody will ever listen to.
    static LISTENING: std::sync::Once = std::sync::Once::new();
    LISTENING.call_once(|| {
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
    });
    let log = MemoryLog::default();
    let clock = Arc::new(ManualClock::new("2026-06-01T09:00:00Z".parse().unwrap()));
    let layer = json_layer(log.clone(), LogPrivacy::Off, clock);
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    for question in questions {
        rig.ask(question).await;
    }
    log.entries().unwrap()
}

fn last(lines: &[Value]) -> &Value {
    lines.last().expect("a request logs its completion")
}

fn line<'l>(lines: &'l [Value], event: &str) -> &'l Value {
    lines.iter().find(|line| line["event"] == event).unwrap_or_else(|| panic!("no `{event}` in {lines:#?}"))
}

#[tokio::test]
async fn obs_01_every_line_of_a_question_shares_its_request_id() {
    let rig = Rig::with().model(FakeModel::honest()).planning_and_judging().build();
    let lines = logged(&rig, &[QUESTION]).await;
    assert!(lines.len() >= 3, "{lines:#?}");
    for line in &lines {
        assert_eq!(line["request_id"], "req-000001", "{line}");
        assert!(line["route"] == "tree" || line["route"] == "direct", "{line}");
        assert_eq!(line["fallback_flags"], json!([]), "{line}");
        for field in ["timestamp", "level", "component", "event"] {
            assert!(line[field].is_string(), "no {field}: {line}");
        }
    }
    assert_eq!((&lines[0]["event"], &lines[0]["query"]), (&json!("request_start"), &json!(QUESTION)));
    assert_eq!(last(&lines)["event"], "request_complete");
    let text = serde_json::to_string(&lines).unwrap();
    assert!(!text.contains("central broker"), "passages and answers are never logged");
}

#[tokio::test]
async fn obs_01_the_vocabulary_logs_as_the_seed_shows() {
    let lines = logged(&Rig::new(), &["What is CIMXML?"]).await;
    let lookup = line(&lines, "lookup_complete");
    assert_eq!((&lookup["component"], &lookup["term"]), (&json!("skosmos"), &json!("cimxml")));
    assert_eq!((&lookup["hit"], &lookup["cached"]), (&json!(true), &json!(false)));
    assert!(lookup["latency_ms"].is_number());
}

#[tokio::test]
async fn obs_02_skosmos_timeout() {
    let lines = logged(&Rig::new(), &["Define __TEST_SKOSMOS_TIMEOUT__"]).await;
    assert_eq!(line(&lines, "timeout")["level"], "WARN");
    assert_eq!(last(&lines)["fallback_flags"], json!(["skosmos_timeout"]));
}

#[tokio::test]
async fn obs_03_circuit_breaker_open() {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    for _ in 0..5 {
        rig.ask(QUESTION).await;
    }
    let lines = logged(&rig, &[QUESTION]).await;
    assert_eq!(line(&lines, "circuit_open")["component"], "embeddings");
    assert_eq!(last(&lines)["fallback_flags"], json!(["bm25_only", "circuit_open"]));
}

#[tokio::test]
async fn obs_04_bm25_fallback() {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    let lines = logged(&rig, &[QUESTION]).await;
    assert_eq!(lines[0]["fallback_flags"], json!([]), "nothing had degraded yet");
    assert_eq!(last(&lines)["fallback_flags"], json!(["bm25_only"]));
    assert_eq!(line(&lines, "stage_failed")["stage"], "embedding");
}

#[tokio::test]
async fn obs_05_several_fallbacks() {
    let rig = Rig::with().model(FakeModel::unreachable()).build();
    rig.embedder.faults.fail(true);
    let lines = logged(&rig, &[QUESTION]).await;
    assert_eq!(last(&lines)["fallback_flags"], json!(["bm25_only", "extractive"]));
    assert!(lines.iter().all(|line| line["request_id"] == "req-000001"));
    assert_eq!(rig.record().fallback_flags, ["bm25_only", "extractive"]);
}

#[tokio::test]
async fn two_questions_do_not_share_an_id_or_their_flags() {
    let rig = Rig::new();
    rig.embedder.faults.fail_times(1);
    let lines = logged(&rig, &[QUESTION, QUESTION]).await;
    let second: Vec<_> = lines.iter().filter(|line| line["request_id"] == "req-000002").collect();
    assert!(!second.is_empty() && second.iter().all(|line| line["fallback_flags"] == json!([])));
}

#[tokio::test]
async fn a_failed_question_logs_why() {
    let rig = Rig::new();
    rig.library.catalogue.fail(true);
    let lines = logged(&rig, &[QUESTION]).await;
    let failed = line(&lines, "request_failed");
    assert_eq!(failed["level"], "ERROR");
    assert!(failed["reason"].as_str().unwrap().contains("catalogue"));
}

#[tokio::test]
async fn obs_06_counters_match_after_n_questions() {
    let rig = Rig::new();
    for _ in 0..3 {
        for question in [
            QUESTION,
            "What is CIMXML?",
            "What is FooBarBaz?",
            "List all ADRs",
            "Who approved ADR-0010?",
            "Who approved ADR-0099?",
            "How is quantum teleportation billed?",
            "CIMXML",
        ] {
            rig.answer(question).await;
        }
        rig.ask("").await;
    }
    let snapshot = rig.metrics.snapshot();
    assert_eq!(snapshot.total(&names::RAG_REQUEST_TOTAL), 27.0, "errors are questions too");
    let value = |def, label| rig.metrics.value(def, [label]);
    assert_eq!(value(&names::RAG_ANSWER_TOTAL, "CITE"), 15.0);
    assert_eq!(value(&names::RAG_ANSWER_TOTAL, "REFUSE"), 9.0);
    assert_eq!(value(&names::RAG_ANSWER_TOTAL, "CLARIFY"), 0.0);
    for (reason, count) in
        [("terminology_not_found", 3.0), ("entity_not_found", 3.0), ("off_topic", 3.0), ("no_results", 0.0)]
    {
        assert_eq!(value(&names::RAG_ABSTENTION_TOTAL, reason), count, "{reason}");
    }
    assert_eq!(value(&names::SKOSMOS_LOOKUP_TOTAL, "embedded"), 9.0, "a bare term is looked up too");
    assert_eq!(value(&names::SKOSMOS_HIT_TOTAL, "embedded"), 6.0);
    assert_eq!(value(&names::SKOSMOS_MISS_TOTAL, "embedded"), 3.0);
    assert_eq!(value(&names::FACT_LOOKUP_TOTAL, "ok"), 6.0);
    assert_eq!(value(&names::FACT_LOOKUP_TOTAL, "not_found"), 3.0);
    assert_eq!(value(&names::RETRIEVAL_REQUEST_TOTAL, "ADR_Local"), 9.0);
    assert_eq!(snapshot.histogram(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"]).unwrap().count, 9);
    assert_eq!(snapshot.histogram(&names::REQUEST_LATENCY_MS, ["terminology"]).unwrap().count, 6);
    let rates = snapshot.rates();
    assert_eq!(rates.fact_lookups_ok, Some(6.0 / 9.0));
    assert_eq!(rates.answers_with_sources, Some(1.0));
    assert_eq!(rig.audit.records().len(), 27, "one record each");
}

#[tokio::test]
async fn a_record_tells_how_the_answer_came_to_be() {
    let rig = Rig::with().model(FakeModel::honest()).build();
    let response = rig.answer(QUESTION).await;
    let record = rig.record();
    assert_eq!((record.request_id.as_str(), record.action.as_str()), ("req-000001", "CITE"));
    assert_eq!(record.timestamp.to_string(), "2026-06-01T09:00:00Z");
    assert_eq!((record.query.as_deref(), record.query_sha256), (Some(QUESTION), sha256_hex(QUESTION)));
    assert_eq!((record.library_generation, record.config_hash.len()), (1, 64));
    assert_eq!((record.routing.intent.as_str(), record.routing.language.as_str()), ("semantic", "en"));
    let lanes: Vec<_> =
        record.retrieval.lanes.iter().map(|lane| (lane.lane.as_str(), lane.status.as_str())).collect();
    assert_eq!(
        lanes,
        [
            ("curated", "skipped(no curated memory)"),
            ("dense", "ok"),
            ("lexical", "ok"),
            ("address", "skipped(no record named)")
        ]
    );
    let gates: Vec<_> = record.gates.iter().map(|gate| (gate.gate.as_str(), gate.outcome.as_str())).collect();
    assert_eq!(gates, [("answerability", "passed"), ("keywords", "passed")]);
    assert!(record.gates.iter().all(|gate| gate.value.is_some() && gate.threshold.is_some()));
    let kept = record.retrieval.candidates.iter().filter(|candidate| candidate.outcome == "kept").count();
    assert!(kept >= 1 && record.retrieval.candidates.len() > kept, "also what was cut, and why");
    assert!(record.retrieval.candidates.iter().all(|candidate| candidate.text_sha256.len() == 64));
    let sources: Vec<_> = record.citations.iter().map(|citation| citation.source_id.clone()).collect();
    assert_eq!(sources, cited(&response));
    for (citation, shown) in record.citations.iter().zip(&response.citations) {
        assert_eq!(citation.text_sha256, sha256_hex(&shown.snippet_full));
    }
    let confidence = record.confidence.unwrap();
    assert!(confidence.overall > 1.0 && (0.0..=1.0).contains(&confidence.adjusted), "{confidence:?}");
    assert_eq!(record.stages.len(), response.stages.len());
    let json = serde_json::to_string(&rig.audit.records()).unwrap();
    assert!(!json.contains("central broker"), "passages, prompts and replies by their hash only");
}

#[tokio::test]
async fn a_refusal_is_on_record_with_the_gate_that_stopped_it() {
    let rig = Rig::new();
    rig.answer("How is quantum teleportation billed?").await;
    let record = rig.record();
    assert_eq!((record.action.as_str(), record.refusal_reason.as_deref()), ("REFUSE", Some("off_topic")));
    assert_eq!(record.gates.last().unwrap().outcome, "stopped");
    assert!(record.retrieval.no_context && record.citations.is_empty());
}

#[tokio::test]
async fn stopped_and_failed_questions_are_on_record_once() {
    let rig = Rig::with().model(FakeModel::with(|_| vec![Step::Hang])).build();
    let cancel = CancellationToken::new();
    cancel.cancel();
    rig.request_until(AskRequest::new(QUESTION), &cancel).await;
    rig.ask("?!").await;
    rig.library.catalogue.fail(true);
    rig.ask(QUESTION).await;
    let actions: Vec<_> = rig.audit.records().into_iter().map(|record| record.action).collect();
    assert_eq!(actions, ["STOPPED", "FAILED", "FAILED"]);
    assert_eq!(rig.metrics.snapshot().total(&names::RAG_REQUEST_TOTAL), 3.0);
}

#[tokio::test]
async fn privacy_keeps_the_users_words_out_of_record_and_log() {
    let rig = Rig::with().settings(|settings| settings.general.privacy = true).build();
    let questions =
        ["What is the Zanzibarian?", "How do Zanzibarian brokers exchange events?", "Zanzibarian"];
    let lines = logged(&rig, &questions).await;
    let text = serde_json::to_string(&lines).unwrap().to_lowercase();
    assert!(!text.contains("zanzibarian"), "{text}");
    let records = rig.audit.records();
    assert_eq!(records.len(), 3);
    assert!(!serde_json::to_string(&records).unwrap().to_lowercase().contains("zanzibarian"));
    assert_eq!(records[0].query_sha256, sha256_hex(questions[0]), "the hash stays");
    assert_eq!(records[0].refusal_reason.as_deref(), Some("terminology_not_found"));
}

struct FullDisk;

impl AuditSink for FullDisk {
    fn record(&self, _: &AuditRecord) -> Result<(), AuditError> {
        let source = std::io::Error::other("no space left on device");
        Err(AuditError::Io { path: "/audit".into(), source })
    }
}

#[tokio::test]
async fn a_full_disk_does_not_cost_the_answer() {
    let rig = Rig::with().ports(|ports| ports.audit = Arc::new(FullDisk)).build();
    let lines = logged(&rig, &[QUESTION]).await;
    assert_eq!(cited(&rig.answer(QUESTION).await), ["adr-0018:0"]);
    let failed = line(&lines, "audit_failed");
    assert_eq!(failed["level"], "ERROR");
    assert!(failed["reason"].as_str().unwrap().contains("no space left"));
}
