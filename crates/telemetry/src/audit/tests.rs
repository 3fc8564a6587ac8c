use std::fs::{self, OpenOptions};
use std::io::Write;

use super::*;
use crate::context::Route;
use crate::hash::sha256_hex;

fn record(id: &str, timestamp: &str) -> AuditRecord {
    let mut record = AuditRecord {
        timestamp: timestamp.parse().unwrap(),
        request_id: id.to_owned(),
        library_generation: 7,
        config_hash: sha256_hex("config"),
        routing: AuditRouting {
            intent: "terminology".to_owned(),
            confidence: 0.95,
            class: "pattern".to_owned(),
            route: Route::Direct,
            destination: "vocabulary".to_owned(),
            language: "nl".to_owned(),
            term: Some("CIMXML".to_owned()),
            reference: None,
        },
        retrieval: AuditRetrieval {
            lanes: vec![AuditLane { lane: "dense".into(), status: "ok".into(), hits: 8, ms: 12.5 }],
            no_context: false,
            hits: 8,
            mean_score: Some(0.78),
            candidates: vec![AuditCandidate {
                source_id: "adr-0012".into(),
                text_sha256: sha256_hex("passage"),
                cosine: Some(0.71),
                lexical: None,
                lanes: vec!["dense".into()],
                forced: false,
                witness: true,
                outcome: "used".into(),
            }],
        },
        gates: vec![AuditGate {
            gate: "sufficiency".into(),
            outcome: "ok".into(),
            value: Some(0.71),
            threshold: Some(0.65),
        }],
        action: "CITE".to_owned(),
        fallback_flags: vec!["bm25_only".to_owned()],
        stages: vec![AuditStage {
            stage: "rerank".into(),
            outcome: "skipped".into(),
            reason: Some("no model".into()),
            ms: 0.0,
        }],
        total_ms: 120.0,
        ..AuditRecord::default()
    };
    record.set_query("What is CIMXML?\nAnd why?");
    record
}

#[test]
fn records_come_back_whole_from_one_file_per_month() {
    let folder = tempfile::tempdir().unwrap();
    let log = AuditLog::open(folder.path().join("audit")).unwrap();
    let written = [
        record("req-1", "2026-01-31T23:59:59.999Z"),
        record("req-2", "2026-02-01T00:00:00Z"),
        record("req-3", "2026-02-09T10:30:00Z"),
        record("req-4", "2026-01-05T00:00:00Z"),
    ];
    for record in &written {
        log.record(record).unwrap();
    }
    let history = AuditLog::open(folder.path().join("audit")).unwrap().read_all().unwrap();
    let expected = [&written[0], &written[3], &written[1], &written[2]];
    assert_eq!(history.records.iter().collect::<Vec<_>>(), expected, "by month, then as written");
    assert_eq!(history.unreadable, 0);

    let january = fs::read_to_string(folder.path().join("audit/audit-2026-01.jsonl")).unwrap();
    assert_eq!(january.lines().count(), 2, "a question of two lines is still one line of the log");
}

#[test]
fn a_line_torn_by_a_crash_costs_that_line_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit-2026-02.jsonl");
    AuditLog::open(folder.path()).unwrap().record(&record("req-1", "2026-02-01T00:00:00Z")).unwrap();
    // Ends inside "é".
    let torn = [br#"{"timestamp":"2026-02-02T00:00:00Z","request_id":"caf"#.as_slice(), &[0xc3]].concat();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&torn).unwrap();

    let log = AuditLog::open(folder.path()).unwrap();
    log.record(&record("req-3", "2026-02-03T00:00:00Z")).unwrap();
    drop(log);
    let log = AuditLog::open(folder.path()).unwrap();
    log.record(&record("req-4", "2026-02-04T00:00:00Z")).unwrap();

    let history = log.read_all().unwrap();
    let ids: Vec<_> = history.records.iter().map(|record| record.request_id.as_str()).collect();
    assert_eq!(ids, ["req-1", "req-3", "req-4"]);
    assert_eq!(history.unreadable, 1);
}

#[test]
fn opening_leaves_a_sound_log_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit-2026-02.jsonl");
    AuditLog::open(folder.path()).unwrap().record(&record("req-1", "2026-02-01T00:00:00Z")).unwrap();
    let before = fs::read(&path).unwrap();
    AuditLog::open(folder.path()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn two_logs_of_one_folder_do_not_mix_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for process in 0..2 {
            let log = AuditLog::open(folder.path()).unwrap();
            scope.spawn(move || {
                for number in 0..100 {
                    log.record(&record(&format!("req-{process}-{number}"), "2026-02-01T00:00:00Z")).unwrap();
                }
            });
        }
    });
    let history = AuditLog::open(folder.path()).unwrap().read_all().unwrap();
    assert_eq!((history.records.len(), history.unreadable), (200, 0));
}

#[test]
fn a_redacted_record_has_the_hash_and_none_of_the_words() {
    let mut redacted = record("req-1", "2026-02-01T00:00:00Z");
    redacted.redact();
    let json = serde_json::to_string(&redacted).unwrap();
    assert!(!json.contains("CIMXML"), "{json}");
    assert!(!json.contains("\"query\":"), "absent, not null: {json}");
    assert!(json.contains(&sha256_hex("What is CIMXML?\nAnd why?")));
}

#[test]
fn a_record_without_its_optional_parts_still_opens() {
    let folder = tempfile::tempdir().unwrap();
    let line = concat!(
        r#"{"timestamp":"2026-02-01T00:00:00Z","request_id":"req-1","query_sha256":"","library_generation":1,"#,
        r#""config_hash":"","routing":{"intent":"","confidence":0.0,"class":"","route":"tree","destination":"","#,
        r#""language":"en"},"retrieval":{"no_context":true,"hits":0},"action":"REFUSE","total_ms":3.0,"later":1}"#,
        "\n"
    );
    fs::write(folder.path().join("audit-2026-02.jsonl"), line).unwrap();
    let history = AuditLog::open(folder.path()).unwrap().read_all().unwrap();
    assert_eq!(history.unreadable, 0);
    assert_eq!(history.records[0].action, "REFUSE");
}

#[test]
fn an_unusable_folder_is_named_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not-a-folder");
    fs::write(&file, "").unwrap();
    let error = AuditLog::open(file.join("audit")).unwrap_err();
    assert!(error.to_string().contains("not-a-folder"), "{error}");
}

#[test]
fn a_log_whose_folder_went_away_says_so_and_recovers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit");
    let log = AuditLog::open(&path).unwrap();
    fs::remove_dir(&path).unwrap();
    let first = record("req-1", "2026-02-01T00:00:00Z");
    assert!(matches!(log.record(&first), Err(AuditError::Io { .. })));
    fs::create_dir(&path).unwrap();
    log.record(&first).unwrap();
    assert_eq!(log.read_all().unwrap().records, [first]);
}

#[test]
fn sinks_can_be_swapped_behind_the_port() {
    let memory = MemoryAudit::default();
    let record = record("req-1", "2026-02-01T00:00:00Z");
    for sink in [&memory as &dyn AuditSink, &NullAudit] {
        sink.record(&record).unwrap();
    }
    assert_eq!(memory.records(), [record]);
}
