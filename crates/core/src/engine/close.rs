//! The end of every question: counters, log, audit record, last event.

use plumbline_telemetry::audit::{AuditCitation, AuditConfidence, AuditWithheld};
use plumbline_telemetry::{names, sha256_hex};
use tracing::{error, info};

use super::services::Services;
use super::turn::{Turn, milliseconds};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::ports::OutOfReach;
use crate::response::{AnswerEvent, AnswerSource, AskResponse, ConfidenceLevel};

/// The end of every question: counters, log, audit record, last event.
pub(super) fn close(
    services: &Services,
    turn: &mut Turn<'_>,
    result: Result<AskResponse, AskError>,
) -> Result<AskResponse, AskError> {
    let elapsed = milliseconds(turn.context.elapsed());
    let flags = turn.context.fallback_flags();
    services.metrics.inc(&names::RAG_REQUEST_TOTAL, [turn.context.route().as_str()]);
    services.metrics.observe(&names::REQUEST_LATENCY_MS, [turn.intent], elapsed);

    let result = match result {
        Ok(mut response) => {
            response.fallback_mode = !flags.is_empty();
            say_what_was_out_of_reach(services, turn, &mut response);
            response.generation_time_ms = elapsed;
            response.stages = turn.take_stages();
            response.proofs = std::mem::take(&mut turn.proofs);
            count(services, &response);
            put_on_record(turn, &response);
            Ok(response)
        }
        Err(error) => {
            if error == AskError::Stopped {
                "STOPPED".clone_into(&mut turn.audit.action);
            } else {
                // There is no response, so nothing of a draft may stand on screen as one.
                turn.replace_shown("");
                "FAILED".clone_into(&mut turn.audit.action);
                error!(target: "router", event = "request_failed", reason = %error);
            }
            Err(error)
        }
    };
    keep_record(services, turn);
    info!(target: "router", event = "request_complete", action = turn.audit.action.as_str(), total_ms = elapsed);
    turn.emit(match &result {
        Ok(response) => AnswerEvent::Done(Box::new(response.clone())),
        Err(AskError::Stopped) => AnswerEvent::Stopped,
        Err(error) => AnswerEvent::Failed(error.report()),
    });
    result
}

/// What is said of the library, also that it holds nothing, is said of the part of it that could be read.
fn say_what_was_out_of_reach(services: &Services, turn: &Turn<'_>, response: &mut AskResponse) {
    if response.source != AnswerSource::Library {
        return;
    }
    // Lists and facts go past the lanes.
    let mut missed = services.ports.index.out_of_reach();
    missed.extend(turn.out_of_reach.clone());
    missed.sort_by(|a, b| a.address.cmp(&b.address));
    missed.dedup_by(|a, b| a.address == b.address);
    for OutOfReach { address, detail } in missed {
        let detail = detail.text(turn.language);
        let values = [("address", address.as_str()), ("detail", detail.as_str())];
        let said = Messages::of(turn.language).text(Message::TeamOutOfReach, &values);
        response.transparency = response.transparency.clone().and(&said);
    }
}

fn count(services: &Services, response: &AskResponse) {
    services.metrics.inc(&names::RAG_ANSWER_TOTAL, [response.action.as_str()]);
    if let Some(reason) = response.refusal_reason {
        services.metrics.inc(&names::RAG_ABSTENTION_TOTAL, [reason.as_str()]);
    }
    for withheld in &response.withheld {
        services.metrics.inc(&names::SENTENCE_WITHHELD_TOTAL, [withheld.label.as_str()]);
    }
}

fn put_on_record(turn: &mut Turn<'_>, response: &AskResponse) {
    let level = match response.retrieval_quality.confidence_level {
        ConfidenceLevel::Low => "low",
        ConfidenceLevel::Medium => "medium",
        ConfidenceLevel::High => "high",
    };
    let audit = &mut turn.audit;
    response.action.as_str().clone_into(&mut audit.action);
    audit.refusal_reason = response.refusal_reason.map(|reason| reason.as_str().to_owned());
    audit.confidence = response.confidence.map(|confidence| AuditConfidence {
        overall: f64::from(confidence.overall),
        adjusted: f64::from(confidence.adjusted) / 100.0,
        level: level.to_owned(),
    });
    audit.citations = response
        .citations
        .iter()
        .map(|citation| AuditCitation {
            source_id: citation.source_id.to_string(),
            alias: u32::try_from(citation.number).unwrap_or(u32::MAX),
            text_sha256: sha256_hex(&citation.snippet_full),
        })
        .collect();
    audit.withheld = response
        .withheld
        .iter()
        .map(|withheld| AuditWithheld {
            label: withheld.label.as_str().to_owned(),
            text_sha256: sha256_hex(&withheld.text),
        })
        .collect();
}

/// Keeps the record of a request, with when, under which settings and over what it was decided.
pub(super) fn keep_record(services: &Services, turn: &mut Turn<'_>) {
    turn.audit.total_ms = milliseconds(turn.context.elapsed());
    turn.audit.fallback_flags = turn.context.fallback_flags();
    turn.audit.timestamp = services.ports.clock.now();
    turn.audit.library_generation = services.ports.index.generation();
    turn.audit.config_hash = services.config_hash();
    turn.audit.routing.route = turn.context.route();
    if services.settings().general.privacy {
        turn.audit.redact();
    }
    // A full disk must not cost the user the answer; it must be seen in the log.
    if let Err(problem) = services.ports.audit.record(&turn.audit) {
        error!(target: "router", event = "audit_failed", reason = %problem);
    }
}
