use plumbline_telemetry::audit::{AuditCitation, AuditConfidence, AuditWithheld};
use plumbline_telemetry::{names, sha256_hex};
use tracing::{error, info};

use super::Engine;
use super::turn::{Turn, milliseconds};
use crate::error::AskError;
use crate::response::{
    Action, AnswerEvent, AskResponse, ConfidenceLevel, RetrievalQuality, TransparencyStatement,
};

/// A response with nothing in it yet.
pub(super) fn blank(turn: &Turn<'_>, action: Action) -> AskResponse {
    AskResponse {
        request_id: turn.context.request_id().to_owned(),
        answer: String::new(),
        action,
        refused: false,
        refusal_reason: None,
        citations: Vec::new(),
        definition: None,
        rows: Vec::new(),
        fact: None,
        confidence: None,
        retrieval_quality: RetrievalQuality::with_penalty(1.0, &turn.context.fallback_flags(), turn.penalty),
        fallback_mode: false,
        transparency: TransparencyStatement { statement: None, show_to_user: false },
        warnings: Vec::new(),
        notices: Vec::new(),
        withheld: Vec::new(),
        suggestions: Vec::new(),
        nearest: Vec::new(),
        clarification: None,
        route_to: None,
        stages: Vec::new(),
        model_used: None,
        context_chunks_used: 0,
        context_tokens_used: 0,
        generation_time_ms: 0.0,
        grounded: false,
    }
}

impl Engine {
    /// The end of every question: counters, log, audit record, last event.
    pub(super) fn close(
        &self,
        turn: &mut Turn<'_>,
        result: Result<AskResponse, AskError>,
    ) -> Result<AskResponse, AskError> {
        let elapsed = milliseconds(turn.context.elapsed());
        let flags = turn.context.fallback_flags();
        turn.audit.total_ms = elapsed;
        turn.audit.fallback_flags.clone_from(&flags);
        turn.audit.timestamp = self.ports.clock.now();
        turn.audit.library_generation = self.ports.index.generation();
        turn.audit.config_hash = self.config_hash();
        turn.audit.routing.route = turn.context.route();
        self.metrics.inc(&names::RAG_REQUEST_TOTAL, [turn.context.route().as_str()]);
        self.metrics.observe(&names::REQUEST_LATENCY_MS, [turn.intent], elapsed);

        let result = match result {
            Ok(mut response) => {
                response.fallback_mode = !flags.is_empty();
                response.generation_time_ms = elapsed;
                turn.hand_over(Some(&mut response));
                self.count(&response);
                self.put_on_record(turn, &response);
                Ok(response)
            }
            Err(error) => {
                turn.hand_over(None);
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
        self.keep_audit(turn);
        info!(target: "router", event = "request_complete", action = turn.audit.action.as_str(), total_ms = elapsed);
        turn.emit(match &result {
            Ok(response) => AnswerEvent::Done(Box::new(response.clone())),
            Err(AskError::Stopped) => AnswerEvent::Stopped,
            Err(error) => AnswerEvent::Failed(error.report()),
        });
        result
    }

    /// A digest of settings and thresholds.
    pub fn config_hash(&self) -> String {
        let parts = [self.configuration.settings.config_hash(), self.configuration.thresholds.config_hash()];
        sha256_hex(parts.concat())
    }

    fn count(&self, response: &AskResponse) {
        self.metrics.inc(&names::RAG_ANSWER_TOTAL, [response.action.as_str()]);
        if let Some(reason) = response.refusal_reason {
            self.metrics.inc(&names::RAG_ABSTENTION_TOTAL, [reason.as_str()]);
        }
        for withheld in &response.withheld {
            self.metrics.inc(&names::SENTENCE_WITHHELD_TOTAL, [withheld.label.as_str()]);
        }
    }

    fn put_on_record(&self, turn: &mut Turn<'_>, response: &AskResponse) {
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

    fn keep_audit(&self, turn: &mut Turn<'_>) {
        if self.configuration.settings.general.privacy {
            turn.audit.redact();
        }
        // A full disk must not cost the user the answer; it must be seen in the log.
        if let Err(problem) = self.ports.audit.record(&turn.audit) {
            error!(target: "router", event = "audit_failed", reason = %problem);
        }
    }
}
