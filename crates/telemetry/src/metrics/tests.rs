use super::snapshot::{HistogramValue, SampleValue};
use super::*;

/// One line of exposition text, read by the rules of the format.
struct Line {
    name: String,
    labels: Vec<(String, String)>,
    value: f64,
}

/// Reads exposition text and fails on anything a scraper would reject.
fn read_exposition(text: &str) -> Vec<Line> {
    assert!(text.ends_with('\n'), "the last line must end with a line feed");
    let name_ok = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut family = String::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, help) = help.split_once(' ').expect("HELP has a name and a text");
            assert!(name_ok(name) && !help.is_empty(), "{line}");
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("TYPE has a name and a kind");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            family = name.to_owned();
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect("a sample has a value");
        let value = value.parse().expect("a value is a number");
        let (name, rest) = series.split_at(series.find('{').unwrap_or(series.len()));
        assert!(name_ok(name) && name.starts_with(&family), "{line} stands outside its family {family}");
        lines.push(Line { name: name.to_owned(), labels: read_labels(rest), value });
    }
    lines
}

fn read_labels(text: &str) -> Vec<(String, String)> {
    let mut labels = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.strip_prefix(['{', ',']) {
        let (name, quoted) = open.split_once("=\"").expect("a label has a quoted value");
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        let end = loop {
            match chars.next().expect("a label's value is closed") {
                (end, '"') => break end,
                (_, '\\') => value.push(match chars.next().expect("an escape is complete").1 {
                    'n' => '\n',
                    other => other,
                }),
                (_, other) => value.push(other),
            }
        };
        labels.push((name.to_owned(), value));
        rest = &quoted[end + 1..];
    }
    assert!(rest.is_empty() || rest == "}", "{text} is not a label set");
    labels
}

fn of<'a>(lines: &'a [Line], name: &str) -> Vec<&'a Line> {
    lines.iter().filter(|line| line.name == name).collect()
}

#[test]
fn every_declared_metric_is_registered() {
    let metrics = Metrics::new();
    let inner = &metrics.inner;
    let registered = inner.counters.len() + inner.gauges.len() + inner.histograms.len();
    assert_eq!(registered, names::ALL.len(), "a metric that is not registered counts nothing");
}

#[test]
fn known_series_show_zero_before_anything_happened() {
    let text = Metrics::new().snapshot().to_prometheus_text();
    for line in [
        r#"rag_abstention_total{reason="off_topic"} 0"#,
        r#"circuit_breaker_state{service="reranker"} 0"#,
        r#"circuit_breaker_trip_total{service="vocabulary"} 0"#,
        "sentence_recited_total 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing from\n{text}");
    }
    assert_eq!(of(&read_exposition(&text), "rag_abstention_total").len(), names::ABSTENTION_REASONS.len());
}

#[test]
fn the_text_is_valid_exposition_format() {
    let metrics = Metrics::new();
    let awkward = "a \"quoted\"\\back\nslash}, b=";
    metrics.inc(&names::CITATION_DROPPED_TOTAL, [awkward]);
    metrics.inc(&names::STAGE_TOTAL, ["gates", "ok"]);
    metrics.set(&names::CIRCUIT_BREAKER_STATE, ["embeddings"], names::BREAKER_OPEN);
    for value in [0.5, 12.5, 12.5, 9e9] {
        metrics.observe(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"], value);
    }
    let text = metrics.snapshot().to_prometheus_text();
    let lines = read_exposition(&text);

    let dropped = of(&lines, "citation_dropped_total");
    assert_eq!(dropped[0].labels, [("reason".to_owned(), awkward.to_owned())], "escaping must be reversible");

    assert!(text.contains("# TYPE retrieval_latency_ms histogram\n"));
    assert!(text.contains("# HELP retrieval_latency_ms Time of a search"));
    let buckets = of(&lines, "retrieval_latency_ms_bucket");
    assert!(buckets.is_sorted_by_key(|line| line.value as u64), "buckets are cumulative");
    let at = |le: &str| {
        let wanted = ("le".to_owned(), le.to_owned());
        buckets.iter().find(|line| line.labels.contains(&wanted)).map(|line| line.value)
    };
    assert_eq!(
        (at("1"), at("10"), at("25"), at("300000"), at("+Inf")),
        (Some(1.0), Some(1.0), Some(3.0), Some(3.0), Some(4.0))
    );
    assert_eq!(of(&lines, "retrieval_latency_ms_count")[0].value, 4.0);
    assert_eq!(of(&lines, "retrieval_latency_ms_sum")[0].value, 9e9 + 25.5);
}

#[test]
fn json_comes_back_as_it_went() {
    let metrics = Metrics::new();
    metrics.inc(&names::STAGE_TOTAL, ["gates", "failed"]);
    metrics.observe(&names::REQUEST_LATENCY_MS, ["terminology"], 40.0);
    let snapshot = metrics.snapshot();
    let json = snapshot.to_json().unwrap();
    assert_eq!(Snapshot::from_json(&json).unwrap(), snapshot);

    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let families = value["families"].as_array().unwrap();
    let family = |name: &str| families.iter().find(|family| family["name"] == name).unwrap();
    let stage = &family("stage_total")["samples"][0];
    assert_eq!(stage, &serde_json::json!({"labels": {"stage": "gates", "outcome": "failed"}, "value": 1.0}));
    let latency = &family("request_latency_ms")["samples"][0];
    assert_eq!((&latency["sum"], &latency["count"]), (&40.0.into(), &1.into()));
    assert_eq!(family("request_latency_ms")["kind"], "histogram");
}

#[test]
fn counters_and_histograms_survive_a_restart_and_gauges_do_not() {
    let first = Metrics::new();
    first.inc_by(&names::RAG_REQUEST_TOTAL, ["tree"], 3);
    first.inc(&names::FEEDBACK_TOTAL, ["positive"]);
    first.observe(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"], 8.0);
    first.observe(&names::RETRIEVAL_LATENCY_MS, ["PCP_Local"], 3.0);
    first.set(&names::CIRCUIT_BREAKER_STATE, ["embeddings"], names::BREAKER_OPEN);
    let stored = first.snapshot().to_json().unwrap();

    let second = Metrics::with_carried(Snapshot::from_json(&stored).unwrap());
    second.inc_by(&names::RAG_REQUEST_TOTAL, ["tree"], 2);
    second.observe(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"], 80.0);

    assert_eq!(second.value(&names::RAG_REQUEST_TOTAL, ["tree"]), 5.0);
    assert_eq!(
        second.value(&names::FEEDBACK_TOTAL, ["positive"]),
        1.0,
        "a series untouched since must not vanish"
    );
    assert_eq!(
        second.value(&names::CIRCUIT_BREAKER_STATE, ["embeddings"]),
        0.0,
        "the new process's breaker is closed"
    );
    let snapshot = second.snapshot();
    let adr = snapshot.histogram(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"]).unwrap();
    assert_eq!((adr.count, adr.sum), (2, 88.0));
    assert_eq!(snapshot.histogram_total(&names::RETRIEVAL_LATENCY_MS).unwrap().count, 3);
    assert_eq!(second.snapshot(), snapshot, "looking must not count");

    let third = Metrics::with_carried(snapshot);
    assert_eq!(third.value(&names::RAG_REQUEST_TOTAL, ["tree"]), 5.0, "carried again, not twice");
    read_exposition(&third.snapshot().to_prometheus_text());
}

#[test]
fn a_carried_snapshot_that_does_not_fit_is_left_out_and_the_rest_stays() {
    let old = Metrics::new();
    old.inc(&names::RAG_REQUEST_TOTAL, ["tree"]);
    old.inc(&names::FEEDBACK_TOTAL, ["positive"]);
    old.observe(&names::STAGE_LATENCY_MS, ["gates"], 5.0);
    old.observe(&names::RETRIEVAL_LATENCY_MS, ["ADR_Local"], 5.0);
    let mut stored = old.snapshot();
    for family in &mut stored.families {
        match (family.name.as_str(), &mut family.samples[0]) {
            ("feedback_total", _) => family.kind = FamilyKind::Histogram,
            ("stage_latency_ms", Sample { value: SampleValue::Histogram(histogram), .. }) => {
                histogram.buckets[0].le = 0.25;
            }
            ("circuit_breaker_trip_total", sample) => sample.value = SampleValue::Number(-1.0),
            ("rag_abstention_total", sample) => {
                sample.labels = [("why".to_owned(), "no_results".to_owned())].into();
            }
            _ => {}
        }
    }
    let requests = stored.families.iter().find(|family| family.name == "rag_request_total");
    let mut retired = requests.unwrap().clone();
    retired.name = "retired_total".to_owned();
    stored.families.push(retired);

    let metrics = Metrics::with_carried(stored);
    metrics.observe(&names::STAGE_LATENCY_MS, ["retrieval"], 7.0);
    let snapshot = metrics.snapshot();
    assert_eq!(snapshot.histogram_total(&names::STAGE_LATENCY_MS).unwrap().count, 1, "old buckets go");
    assert_eq!(snapshot.histogram_total(&names::RETRIEVAL_LATENCY_MS).unwrap().count, 1, "same buckets stay");
    assert_eq!(metrics.value(&names::RAG_REQUEST_TOTAL, ["tree"]), 1.0);
    let text = snapshot.to_prometheus_text();
    assert!(
        !text.contains("retired_total")
            && !text.contains("feedback_total")
            && !text.contains("why=")
            && !text.contains("-1"),
        "{text}"
    );
}

#[test]
fn merging_keeps_a_family_to_one_bucket_layout() {
    let here = Metrics::new();
    here.observe(&names::STAGE_LATENCY_MS, ["gates"], 5.0);
    let mut ours = here.snapshot();
    let there = Metrics::new();
    there.observe(&names::STAGE_LATENCY_MS, ["retrieval"], 5.0);
    let mut theirs = there.snapshot();
    for sample in theirs.families.iter_mut().flat_map(|family| &mut family.samples) {
        if let SampleValue::Histogram(histogram) = &mut sample.value {
            histogram.buckets.pop();
        }
    }
    ours.merge(&theirs);
    assert_eq!(ours.histogram(&names::STAGE_LATENCY_MS, ["retrieval"]), None);
    assert_eq!(ours.histogram_total(&names::STAGE_LATENCY_MS).unwrap().count, 1);
}

fn histogram(buckets: &[(f64, u64)], count: u64) -> HistogramValue {
    let buckets = buckets.iter().map(|&(le, count)| Bucket { le, count }).collect();
    HistogramValue { buckets, sum: 0.0, count }
}

#[test]
fn percentiles_are_linear_inside_a_bucket() {
    let even = histogram(&[(10.0, 50), (20.0, 100)], 100);
    assert_eq!(even.quantile(0.25), Some(5.0));
    assert_eq!(even.quantile(0.5), Some(10.0));
    assert_eq!(even.quantile(0.95), Some(19.0));

    let gap = histogram(&[(10.0, 0), (20.0, 0), (40.0, 4)], 4);
    assert_eq!(gap.quantile(0.5), Some(30.0), "empty buckets below must not pull the estimate down");
    assert_eq!(gap.quantile(0.0), Some(20.0));

    let beyond = histogram(&[(10.0, 1), (20.0, 1)], 10);
    assert_eq!(beyond.quantile(0.95), Some(20.0), "past the last bound nothing is known");

    assert_eq!(histogram(&[(10.0, 0)], 0).percentiles(), None);
    assert_eq!(even.quantile(1.5), None);
}

#[test]
fn the_windows_percentiles_cover_all_series_of_a_histogram() {
    let metrics = Metrics::new();
    assert_eq!(metrics.snapshot().percentiles(&names::REQUEST_LATENCY_MS), None);
    for _ in 0..90 {
        metrics.observe(&names::REQUEST_LATENCY_MS, ["terminology"], 40.0);
    }
    for _ in 0..10 {
        metrics.observe(&names::REQUEST_LATENCY_MS, ["semantic"], 700.0);
    }
    let percentiles = metrics.snapshot().percentiles(&names::REQUEST_LATENCY_MS).unwrap();
    assert!((25.0..=50.0).contains(&percentiles.p50), "{percentiles:?}");
    assert!((500.0..=1000.0).contains(&percentiles.p95), "{percentiles:?}");
}

#[test]
fn a_number_that_is_none_does_not_spoil_the_sum() {
    let metrics = Metrics::new();
    metrics.observe(&names::ROUTING_CONFIDENCE, [], f64::NAN);
    metrics.observe(&names::ROUTING_CONFIDENCE, [], f64::INFINITY);
    metrics.observe(&names::ROUTING_CONFIDENCE, [], 0.9);
    metrics.set(&names::CIRCUIT_BREAKER_STATE, ["embeddings"], f64::NAN);
    let snapshot = metrics.snapshot();
    assert_eq!(snapshot.rates().mean_routing_confidence, Some(0.9));
    let json = snapshot.to_json().unwrap();
    assert_eq!(Snapshot::from_json(&json).unwrap(), snapshot, "the stored file must still open");
}

#[test]
fn clones_count_together_from_many_threads() {
    let metrics = Metrics::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let clone = metrics.clone();
            scope.spawn(move || {
                (0..250).for_each(|_| clone.inc(&names::RETRIEVAL_REQUEST_TOTAL, ["ADR_Local"]))
            });
        }
    });
    assert_eq!(metrics.value(&names::RETRIEVAL_REQUEST_TOTAL, ["ADR_Local"]), 1000.0);
}
