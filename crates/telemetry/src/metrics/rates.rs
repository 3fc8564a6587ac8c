//! The rates to watch, computed from the same counters as everything else.

use serde::Serialize;

use super::names;
use super::snapshot::Snapshot;

/// Shares between 0 and 1; `None` where nothing has been counted yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Rates {
    /// Questions refused as `no_results` or `low_confidence`, of all questions.
    pub no_context: Option<f64>,
    /// Fact look-ups that found their fact, of all fact look-ups.
    pub fact_lookups_ok: Option<f64>,
    /// Answers with citations, of all answers. Refusals, questions back and hand-overs to an owner are none.
    pub answers_with_sources: Option<f64>,
    /// Mean confidence of the chosen intent.
    pub mean_routing_confidence: Option<f64>,
    /// Positive ratings, of all ratings.
    pub feedback_positive: Option<f64>,
}

impl Rates {
    /// The rates over everything a snapshot has counted.
    pub fn of(snapshot: &Snapshot) -> Self {
        let abstained = |reason| snapshot.value(&names::RAG_ABSTENTION_TOTAL, [reason]).unwrap_or(0.0);
        let responded = |action| snapshot.value(&names::RAG_ANSWER_TOTAL, [action]).unwrap_or(0.0);
        let no_answer: f64 = names::ACTIONS_WITHOUT_ANSWER.into_iter().map(responded).sum();

        Self {
            no_context: share(
                abstained("no_results") + abstained("low_confidence"),
                snapshot.total(&names::RAG_REQUEST_TOTAL),
            ),
            fact_lookups_ok: share(
                snapshot.value(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]).unwrap_or(0.0),
                snapshot.total(&names::FACT_LOOKUP_TOTAL),
            ),
            answers_with_sources: share(
                responded(names::ACTION_CITE),
                snapshot.total(&names::RAG_ANSWER_TOTAL) - no_answer,
            ),
            mean_routing_confidence: snapshot
                .histogram_total(&names::ROUTING_CONFIDENCE)
                .and_then(|histogram| share(histogram.sum, histogram.count as f64)),
            feedback_positive: share(
                snapshot.value(&names::FEEDBACK_TOTAL, [names::FEEDBACK_POSITIVE]).unwrap_or(0.0),
                snapshot.total(&names::FEEDBACK_TOTAL),
            ),
        }
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metrics;

    #[test]
    fn without_a_denominator_there_is_no_rate() {
        assert_eq!(Rates::of(&Metrics::new().snapshot()), Rates::default());
    }

    #[test]
    fn each_rate_reads_its_own_counters() {
        let metrics = Metrics::new();
        metrics.inc_by(&names::RAG_REQUEST_TOTAL, ["tree"], 6);
        metrics.inc_by(&names::RAG_REQUEST_TOTAL, ["direct"], 4);
        metrics.inc(&names::RAG_ABSTENTION_TOTAL, ["no_results"]);
        metrics.inc(&names::RAG_ABSTENTION_TOTAL, ["low_confidence"]);
        metrics.inc(&names::RAG_ABSTENTION_TOTAL, ["off_topic"]);
        metrics.inc_by(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK], 3);
        metrics.inc(&names::FACT_LOOKUP_TOTAL, ["not_found"]);
        metrics.inc_by(&names::RAG_ANSWER_TOTAL, ["CITE"], 4);
        metrics.inc_by(&names::RAG_ANSWER_TOTAL, ["OUTSIDE"], 1);
        metrics.inc_by(&names::RAG_ANSWER_TOTAL, ["REFUSE"], 3);
        metrics.inc_by(&names::RAG_ANSWER_TOTAL, ["ROUTE"], 2);
        metrics.observe(&names::ROUTING_CONFIDENCE, [], 0.5);
        metrics.observe(&names::ROUTING_CONFIDENCE, [], 1.0);
        metrics.inc_by(&names::FEEDBACK_TOTAL, [names::FEEDBACK_POSITIVE], 1);
        metrics.inc_by(&names::FEEDBACK_TOTAL, [names::FEEDBACK_NEGATIVE], 3);

        let rates = Rates::of(&metrics.snapshot());
        assert_eq!(rates.no_context, Some(0.2), "off_topic is a refusal but not a lack of context");
        assert_eq!(rates.fact_lookups_ok, Some(0.75));
        assert_eq!(rates.answers_with_sources, Some(0.8), "refusals and hand-overs are no answers");
        assert_eq!(rates.mean_routing_confidence, Some(0.75));
        assert_eq!(rates.feedback_positive, Some(0.25));
    }
}
