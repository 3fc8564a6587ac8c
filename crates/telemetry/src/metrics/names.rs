//! Every metric of the product, and the label values that other code relies on.

use super::definition::{AnyDef, CounterDef, GaugeDef, HistogramDef};

/// Why a request may be refused (`rag_abstention_total{reason}`).
pub const ABSTENTION_REASONS: [&str; 8] = [
    "no_results",
    "low_confidence",
    "terminology_not_found",
    "terminology_timeout",
    "terminology_error",
    "entity_not_found",
    "unsupported",
    "off_topic",
];

/// The services behind a circuit breaker (`circuit_breaker_*{service}`).
pub const SERVICES: [&str; 4] = ["embeddings", "generation", "vocabulary", "reranker"];

/// `circuit_breaker_state` of a breaker that lets calls through.
pub const BREAKER_CLOSED: f64 = 0.0;
/// `circuit_breaker_state` of a breaker that lets one probe through.
pub const BREAKER_HALF_OPEN: f64 = 1.0;
/// `circuit_breaker_state` of a breaker that lets nothing through.
pub const BREAKER_OPEN: f64 = 2.0;

/// `fact_lookup_total{outcome}` of a look-up that found its fact.
pub const FACT_LOOKUP_OK: &str = "ok";

/// `rag_answer_total{action}` of an answer with citations.
pub const ACTION_CITE: &str = "CITE";
/// `rag_answer_total{action}` of the responses that are no answer: the user is refused, asked back, or shown
/// the evidence and its owner.
pub const ACTIONS_WITHOUT_ANSWER: [&str; 3] = ["REFUSE", "CLARIFY", "ROUTE"];

/// `feedback_total{verdict}` of a user who was helped.
pub const FEEDBACK_POSITIVE: &str = "positive";
/// `feedback_total{verdict}` of a user who was not.
pub const FEEDBACK_NEGATIVE: &str = "negative";

/// From a cache hit to a model that answers on a slow processor.
const LATENCY_MS: &[f64] = &[
    1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1_000.0, 2_500.0, 5_000.0, 10_000.0, 30_000.0,
    60_000.0, 120_000.0, 300_000.0,
];

const TENTHS: &[f64] = &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Declares the constants and lists them in one go, so that none can be declared and not registered.
macro_rules! declare {
    ($($constant:ident = $def:ident $name:literal [$($label:literal),*] $help:literal
        $({ $field:ident: $value:expr })?;)*) => {
        $(
            #[doc = $help]
            pub const $constant: $def<{ <[&str]>::len(&[$($label),*]) }> =
                $def { name: $name, help: $help, labels: [$($label),*], $($field: $value)? };
        )*

        pub(super) static ALL: &[AnyDef] = &[$($constant.any()),*];
    };
}

declare! {
    RAG_REQUEST_TOTAL = CounterDef "rag_request_total" ["route"]
        "Questions asked, by route.";
    RAG_ANSWER_TOTAL = CounterDef "rag_answer_total" ["action"]
        "Responses given, by action.";
    RAG_ABSTENTION_TOTAL = CounterDef "rag_abstention_total" ["reason"]
        "Questions refused, by reason.";
    REQUEST_LATENCY_MS = HistogramDef "request_latency_ms" ["intent"]
        "Time from question to response in milliseconds, by intent." { buckets: LATENCY_MS };
    STAGE_LATENCY_MS = HistogramDef "stage_latency_ms" ["stage"]
        "Time spent in a stage in milliseconds." { buckets: LATENCY_MS };
    STAGE_TOTAL = CounterDef "stage_total" ["stage", "outcome"]
        "Stages passed, by outcome: ok, skipped or failed.";
    ROUTING_CONFIDENCE = HistogramDef "routing_confidence" []
        "Confidence of the intent chosen for a question, 0 to 1." { buckets: TENTHS };
    GATE_REFUSAL_TOTAL = CounterDef "gate_refusal_total" ["gate"]
        "Questions stopped at a gate.";

    SKOSMOS_LOOKUP_TOTAL = CounterDef "skosmos_lookup_total" ["backend"]
        "Vocabulary look-ups.";
    SKOSMOS_HIT_TOTAL = CounterDef "skosmos_hit_total" ["backend"]
        "Vocabulary look-ups that found the term.";
    SKOSMOS_MISS_TOTAL = CounterDef "skosmos_miss_total" ["backend"]
        "Vocabulary look-ups that did not find the term.";
    SKOSMOS_TIMEOUT_TOTAL = CounterDef "skosmos_timeout_total" ["backend"]
        "Vocabulary look-ups that took too long.";
    SKOSMOS_ERROR_TOTAL = CounterDef "skosmos_error_total" ["backend"]
        "Vocabulary look-ups that failed.";
    SKOSMOS_CACHE_HIT_TOTAL = CounterDef "skosmos_cache_hit_total" ["backend"]
        "Vocabulary look-ups answered from the cache.";

    EMBEDDING_REQUEST_TOTAL = CounterDef "embedding_request_total" ["collection"]
        "Questions embedded, by collection.";
    EMBEDDING_FAIL_TOTAL = CounterDef "embedding_fail_total" ["collection"]
        "Embeddings that failed, by collection.";
    EMBEDDING_FALLBACK_TOTAL = CounterDef "embedding_fallback_total" ["collection"]
        "Searches by words alone because the embedding failed, by collection.";
    RETRIEVAL_REQUEST_TOTAL = CounterDef "retrieval_request_total" ["collection"]
        "Searches, by collection.";
    RETRIEVAL_LATENCY_MS = HistogramDef "retrieval_latency_ms" ["collection"]
        "Time of a search in milliseconds, by collection." { buckets: LATENCY_MS };
    FACT_LOOKUP_TOTAL = CounterDef "fact_lookup_total" ["outcome"]
        "Look-ups of a fact or list; outcome ok when it was found.";

    CIRCUIT_BREAKER_STATE = GaugeDef "circuit_breaker_state" ["service"]
        "State of a circuit breaker: 0 closed, 1 half-open, 2 open.";
    CIRCUIT_BREAKER_TRIP_TOTAL = CounterDef "circuit_breaker_trip_total" ["service"]
        "Times a circuit breaker opened.";

    GENERATION_REQUEST_TOTAL = CounterDef "generation_request_total" ["job", "outcome"]
        "Requests to a language model, by job and outcome.";
    CITATION_KEPT_TOTAL = CounterDef "citation_kept_total" ["lane"]
        "Citations shown, by the lane that found the passage.";
    CITATION_DROPPED_TOTAL = CounterDef "citation_dropped_total" ["reason"]
        "Citation markers dropped, by reason.";
    SENTENCE_WITHHELD_TOTAL = CounterDef "sentence_withheld_total" ["label"]
        "Sentences withheld because their passages do not bear them, by label.";
    SENTENCE_RECITED_TOTAL = CounterDef "sentence_recited_total" []
        "Sentences moved to the passage that supports them.";
    STATEMENT_CHECKED_TOTAL = CounterDef "statement_checked_total" ["verdict"]
        "Statements of a user's text that were checked, by verdict.";
    FEEDBACK_TOTAL = CounterDef "feedback_total" ["verdict"]
        "Verdicts of users on answers: positive or negative.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::metrics::definition::DefKind;

    #[test]
    fn every_name_is_declared_once() {
        let names: BTreeSet<_> = ALL.iter().map(|def| def.name).collect();
        assert_eq!(names.len(), ALL.len(), "two metrics with one name would add up each other's numbers");
    }

    #[test]
    fn no_counter_or_gauge_has_the_name_of_a_histograms_series() {
        let exposed: Vec<String> = ALL
            .iter()
            .flat_map(|def| match def.kind {
                DefKind::Histogram { .. } => {
                    ["_bucket", "_sum", "_count"].map(|suffix| format!("{}{suffix}", def.name)).to_vec()
                }
                DefKind::Counter | DefKind::Gauge => vec![def.name.to_owned()],
            })
            .collect();
        assert_eq!(
            exposed.iter().collect::<BTreeSet<_>>().len(),
            exposed.len(),
            "a scraper would reject {exposed:?}"
        );
    }

    #[test]
    fn the_seeds_names_and_labels_are_all_there() {
        let declared: BTreeSet<_> = ALL.iter().map(|def| format!("{}{:?}", def.name, def.labels)).collect();
        for wanted in [
            r#"rag_abstention_total["reason"]"#,
            r#"skosmos_lookup_total["backend"]"#,
            r#"skosmos_hit_total["backend"]"#,
            r#"skosmos_miss_total["backend"]"#,
            r#"skosmos_timeout_total["backend"]"#,
            r#"skosmos_error_total["backend"]"#,
            r#"skosmos_cache_hit_total["backend"]"#,
            r#"embedding_request_total["collection"]"#,
            r#"embedding_fail_total["collection"]"#,
            r#"embedding_fallback_total["collection"]"#,
            r#"retrieval_request_total["collection"]"#,
            r#"retrieval_latency_ms["collection"]"#,
            r#"circuit_breaker_state["service"]"#,
            r#"circuit_breaker_trip_total["service"]"#,
        ] {
            assert!(declared.contains(wanted), "{wanted} is missing from {declared:#?}");
        }
    }
}
