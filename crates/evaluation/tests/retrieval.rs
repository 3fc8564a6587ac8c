//! Reading a set in BEIR's form, and measuring an engine with it.
#![allow(clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::Scope;
use plumbline_evaluation::retrieval::{BeirSet, RetrievalError, RetrievalReport, evaluate};
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::Rig;
use plumbline_testkit::shared_data;

const CORPUS: &str = r#"{"_id": "d1", "title": "Tea", "text": "Green tea leaves are steamed."}
{"_id": "d2", "title": null, "text": "Black tea leaves are fermented and dried.", "metadata": {"year": 1999}}

{"_id": 3, "text": "Coffee beans are roasted."}
"#;
const QUERIES: &str = r#"{"_id": "q1", "text": "How are coffee beans prepared?", "metadata": {}}
{"_id": "q2", "text": "fermented leaves"}
{"_id": "q3", "text": "steamed leaves"}
"#;
const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\t3\t1\nq2\td2\t2\nq2\td1\t1\nq3\td1\t0\n";

fn write(folder: &Path, corpus: &str, queries: &str, qrels: &str) {
    fs::create_dir_all(folder.join("qrels")).unwrap();
    fs::write(folder.join("corpus.jsonl"), corpus).unwrap();
    fs::write(folder.join("queries.jsonl"), queries).unwrap();
    fs::write(folder.join("qrels/test.tsv"), qrels).unwrap();
}

fn read(corpus: &str, queries: &str, qrels: &str) -> Result<BeirSet, String> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), corpus, queries, qrels);
    BeirSet::read(folder.path()).map_err(|error| error.to_string())
}

#[test]
fn a_set_is_read_as_it_stands() {
    let set = read(CORPUS, QUERIES, QRELS).unwrap();
    let documents: Vec<(&str, &str)> =
        set.documents.iter().map(|document| (document.id.as_str(), document.title.as_str())).collect();
    assert_eq!(documents, [("d1", "Tea"), ("d2", ""), ("3", "")]);
    let judged: Vec<&str> = set.judged().map(|(query, _)| query.id.as_str()).collect();
    assert_eq!(judged, ["q1", "q2"], "q3 has no relevant document, so it does not count");
    let without_heading = read(CORPUS, QUERIES, QRELS.split_once('\n').unwrap().1).unwrap();
    assert_eq!(without_heading, set);
}

#[test]
fn errors_name_file_and_line() {
    let cases = [
        (
            CORPUS.replace("\"_id\": 3", "\"id\": 3"),
            QUERIES.to_owned(),
            QRELS.to_owned(),
            "corpus.jsonl, line 4: missing field `_id`",
        ),
        (
            CORPUS.replace("\"_id\": 3", "\"_id\": [3]"),
            QUERIES.to_owned(),
            QRELS.to_owned(),
            "corpus.jsonl, line 4: `_id`",
        ),
        (
            CORPUS.to_owned(),
            QUERIES.replace("{\"_id\": \"q2\"", "\"_id\": \"q2\""),
            QRELS.to_owned(),
            "queries.jsonl, line 2: ",
        ),
        (
            CORPUS.to_owned(),
            QUERIES.replace("q3", "q1"),
            QRELS.to_owned(),
            "queries.jsonl, line 3: the id `q1` is already used on line 1",
        ),
        (
            CORPUS.to_owned(),
            QUERIES.to_owned(),
            QRELS.replace("\t2\n", "\ttwo\n"),
            "test.tsv, line 3: `two` is no score",
        ),
        (
            CORPUS.to_owned(),
            QUERIES.to_owned(),
            QRELS.replace("q1\t3\t1", "q1 3 1"),
            "test.tsv, line 2: 1 fields",
        ),
        (
            CORPUS.to_owned(),
            QUERIES.to_owned(),
            QRELS.replace("q1\t", "q9\t"),
            "test.tsv, line 2: there is no question `q9`",
        ),
    ];
    for (corpus, queries, qrels, expected) in cases {
        let error = read(&corpus, &queries, &qrels).unwrap_err();
        assert!(error.contains(expected), "{error}, where `{expected}` is expected");
    }
    let error = BeirSet::read(Path::new("no-such-folder")).unwrap_err().to_string();
    assert!(error.contains("corpus.jsonl"), "{error}");
}

/// The set in a library: each document in two chunks, so that documents and chunks are told apart.
fn library(set: &BeirSet) -> (Rig, BTreeMap<DocumentId, String>) {
    let mut chunks = Vec::new();
    let mut ids = BTreeMap::new();
    for (document, number) in set.documents.iter().zip(1..) {
        let record = adr(number, &document.title);
        ids.insert(record.id.clone(), document.id.clone());
        chunks.push(chunk(&record, 0, &[], &document.text));
        chunks.push(chunk(&record, 1, &[], &format!("{} Said again: {}", document.text, document.text)));
    }
    (Rig::with().library(FakeLibrary::new(chunks)).build(), ids)
}

async fn measure(
    rig: &Rig,
    set: &BeirSet,
    ids: &BTreeMap<DocumentId, String>,
) -> Result<RetrievalReport, RetrievalError> {
    let scope = Scope { tenant: "default".to_owned(), ..Scope::default() };
    evaluate(&rig.engine, set, ids, &scope, rig.clock.as_ref(), |_| {}).await
}

#[tokio::test]
async fn an_engine_that_finds_everything_scores_full_marks() {
    let set = read(CORPUS, QUERIES, QRELS).unwrap();
    let (rig, ids) = library(&set);
    let report = measure(&rig, &set, &ids).await.unwrap();
    assert_eq!((report.queries, report.documents), (2, 3));
    for (name, lane) in
        [("dense", report.lanes.dense), ("lexical", report.lanes.lexical), ("whole", report.lanes.whole)]
    {
        assert!(
            (lane.ndcg10 - 1.0).abs() < 1e-9,
            "{name}: a document counts once, where its best chunk stands: {lane:?}"
        );
        assert!((lane.mrr - 1.0).abs() < 1e-9 && (lane.recall100 - 1.0).abs() < 1e-9, "{name}: {lane:?}");
    }
    assert!(report.fallbacks.is_empty());
}

#[tokio::test]
async fn the_report_has_the_fields_that_the_command_promises() {
    let set = read(CORPUS, QUERIES, QRELS).unwrap();
    let (rig, ids) = library(&set);
    let written = serde_json::to_value(measure(&rig, &set, &ids).await.unwrap()).unwrap();
    assert_eq!(written["queries"], 2);
    for lane in ["dense", "lexical", "whole"] {
        for measure in ["ndcg10", "mrr", "recall100"] {
            assert!(written["lanes"][lane][measure].is_f64(), "{lane}.{measure}: {written}");
        }
    }
    for percentile in ["p50", "p95", "p99"] {
        assert!(written["latency_ms"][percentile].is_f64(), "{percentile}: {written}");
    }
    assert_eq!(written["cuts"], serde_json::json!({"ndcg": 10, "mrr": 100, "recall": 100}));
}

#[tokio::test]
async fn a_lane_that_was_off_is_on_the_report() {
    let set = read(CORPUS, QUERIES, QRELS).unwrap();
    let (rig, ids) = library(&set);
    rig.library.fail_dense(true);
    let report = measure(&rig, &set, &ids).await.unwrap();
    assert_eq!(report.fallbacks, BTreeMap::from([("bm25_only".to_owned(), 2)]));
    assert!(report.lanes.dense.recall100.abs() < 1e-9 && report.lanes.whole.recall100 > 0.9);
}

#[tokio::test]
async fn what_cannot_be_measured_is_an_error() {
    let set = read(CORPUS, QUERIES, "q3\td1\t0\n").unwrap();
    let (rig, mut ids) = library(&set);
    assert!(matches!(measure(&rig, &set, &ids).await, Err(RetrievalError::NothingJudged)));
    let set = read(CORPUS, QUERIES, QRELS).unwrap();
    ids.pop_last();
    let error = measure(&rig, &set, &ids).await.unwrap_err().to_string();
    assert!(
        error.contains("adr-0003"),
        "a library that holds other documents measures something else: {error}"
    );
}

#[test]
fn the_shared_sets_are_read() {
    for (set, documents, queries) in [("scifact", 5183, 300), ("dutch/help-nl-nl", 586, 586)] {
        let Some(folder) = shared_data::path_or_skip(&format!("benchmarks/{set}")) else { return };
        let read = BeirSet::read(&folder).unwrap();
        assert_eq!((read.documents.len(), read.judged().count()), (documents, queries), "{set}");
    }
}
