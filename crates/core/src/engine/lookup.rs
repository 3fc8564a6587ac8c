//! Look-ups in the vocabulary, with their deadline, breaker and counters.

use std::time::Duration;

use plumbline_telemetry::names;
use tokio::time::timeout;
use tracing::{info, warn};

use super::services::Services;
use super::turn::Turn;
use crate::messages::Message;
use crate::ports::{Lookup, LookupOutcome, Vocabulary, VocabularyError};

/// A term that behaves as if the vocabulary did not answer in time, whatever stands behind it.
const TIMEOUT_TRIGGER: &str = "__test_skosmos_timeout__";

/// What is looked up.
pub(super) enum Sought<'t> {
    Term(&'t str),
    Uri(&'t str),
}

/// The first of these readings of a term that the vocabulary knows, and what it says; all of them share one limit of time.
pub(super) async fn look_up<'t>(
    services: &Services,
    turn: &Turn<'_>,
    vocabulary: &dyn Vocabulary,
    readings: &'t [String],
) -> Result<Option<(&'t str, LookupOutcome)>, VocabularyError> {
    let deadline = deadline(services, turn);
    for reading in readings {
        if reading.to_lowercase().contains(TIMEOUT_TRIGGER) {
            return Err(as_if_timed_out(services, turn, vocabulary, reading));
        }
        let sought = Sought::Term(reading);
        let lookup = ask_vocabulary(services, turn, vocabulary, reading, &sought, deadline).await?;
        if lookup.outcome != LookupOutcome::NotFound {
            return Ok(Some((reading, lookup.outcome)));
        }
    }
    Ok(None)
}

/// How far into the question the vocabulary may take.
pub(super) fn deadline(services: &Services, turn: &Turn<'_>) -> Duration {
    turn.context.elapsed() + Duration::from_millis(services.settings().vocabulary.timeout_ms)
}

/// A timeout as the user, the counters and the log know it. The breaker does not hear of it: a test's trigger must
/// not turn the vocabulary off for others.
fn as_if_timed_out(
    services: &Services,
    turn: &Turn<'_>,
    vocabulary: &dyn Vocabulary,
    term: &str,
) -> VocabularyError {
    let limit = services.settings().vocabulary.timeout_ms;
    turn.metrics().inc(&names::SKOSMOS_LOOKUP_TOTAL, [vocabulary.backend()]);
    turn.metrics().inc(&names::SKOSMOS_TIMEOUT_TOTAL, [vocabulary.backend()]);
    turn.fall_back("skosmos_timeout");
    warn!(target: "skosmos", event = "timeout", term = loggable(services, term), latency_ms = limit);
    VocabularyError::Timeout(limit)
}

/// The user's own word, unless the privacy setting keeps it out of the log.
fn loggable<'t>(services: &Services, term: &'t str) -> Option<&'t str> {
    (!services.settings().general.privacy).then_some(term)
}

/// One look-up with its deadline, its breaker and all its counters, whatever the backend.
pub(super) async fn ask_vocabulary(
    services: &Services,
    turn: &Turn<'_>,
    vocabulary: &dyn Vocabulary,
    term: &str,
    sought: &Sought<'_>,
    deadline: Duration,
) -> Result<Lookup, VocabularyError> {
    let backend = vocabulary.backend();
    let metrics = turn.metrics();
    let permit = services.breakers.vocabulary.permit().map_err(|open| {
        turn.fall_back("skosmos_error");
        turn.fall_back("circuit_open");
        warn!(target: "skosmos", event = "circuit_open", service = open.service);
        VocabularyError::Unavailable(Message::VocabularyLeftAlone.into())
    })?;
    let limit = services.settings().vocabulary.timeout_ms;
    let before = turn.context.elapsed();
    let looked_up = async {
        match sought {
            Sought::Term(term) => vocabulary.lookup(term, turn.language).await,
            Sought::Uri(uri) => vocabulary.concept(uri, turn.language).await,
        }
    };
    let left = deadline.saturating_sub(before);
    let result = timeout(left, looked_up).await.unwrap_or(Err(VocabularyError::Timeout(limit)));
    let latency_ms =
        u64::try_from(turn.context.elapsed().saturating_sub(before).as_millis()).unwrap_or(u64::MAX);
    match &result {
        Ok(lookup) => {
            permit.success();
            let hit = lookup.outcome != LookupOutcome::NotFound;
            if lookup.cached {
                metrics.inc(&names::SKOSMOS_CACHE_HIT_TOTAL, ["cache"]);
            } else {
                metrics.inc(&names::SKOSMOS_LOOKUP_TOTAL, [backend]);
                metrics
                    .inc(if hit { &names::SKOSMOS_HIT_TOTAL } else { &names::SKOSMOS_MISS_TOTAL }, [backend]);
            }
            let term = loggable(services, term);
            info!(target: "skosmos", event = "lookup_complete", term, hit, cached = lookup.cached, latency_ms);
        }
        Err(problem) => {
            permit.failure();
            let term = loggable(services, term);
            metrics.inc(&names::SKOSMOS_LOOKUP_TOTAL, [backend]);
            match problem {
                VocabularyError::Timeout(_) => {
                    turn.fall_back("skosmos_timeout");
                    metrics.inc(&names::SKOSMOS_TIMEOUT_TOTAL, [backend]);
                    warn!(target: "skosmos", event = "timeout", term, latency_ms);
                }
                VocabularyError::Unavailable(_) => {
                    turn.fall_back("skosmos_error");
                    metrics.inc(&names::SKOSMOS_ERROR_TOTAL, [backend]);
                    warn!(target: "skosmos", event = "error", term, latency_ms);
                }
            }
        }
    }
    result
}
