//! One question on its way: its context, its events, and what will be on record about it.

use std::time::Duration;

use plumbline_telemetry::audit::{AuditLane, AuditRecord, AuditStage};
use plumbline_telemetry::{Metrics, RequestContext, names};
use tracing::{info, warn};

use super::EventSink;
use super::reason::{Outcome, Reason};
use crate::domain::{Kind, Lane, Language};
use crate::intent::{Intent, IntentKind};
use crate::ports::OutOfReach;
use crate::response::{AnswerEvent, AskResponse, Stage, StageOutcome, StageReport, StatementProof};
use crate::settings::Settings;

/// A stage that runs.
pub(super) struct Started {
    stage: Stage,
    at: Duration,
}

/// One question on its way: its context, its events, and what will be on record about it.
pub(super) struct Turn<'e> {
    pub context: RequestContext,
    /// The language of the fixed texts: the question's own.
    pub language: Language,
    /// The factor on confidence while a fallback is active.
    pub penalty: f64,
    pub audit: AuditRecord,
    pub intent: &'static str,
    /// How the statements of a model were judged.
    pub proofs: Vec<StatementProof>,
    /// What the lanes could not read.
    pub out_of_reach: Vec<OutOfReach>,
    stages: Vec<StageReport>,
    metrics: Metrics,
    events: EventSink<'e>,
    /// Whether anything of the answer is on screen.
    shown: bool,
}

impl<'e> Turn<'e> {
    pub fn new(
        context: RequestContext,
        settings: &Settings,
        metrics: &Metrics,
        events: EventSink<'e>,
    ) -> Self {
        let audit = AuditRecord { request_id: context.request_id().to_owned(), ..AuditRecord::default() };
        Self {
            context,
            language: settings.general.language,
            penalty: settings.retrieval.fallback_penalty,
            audit,
            intent: "none",
            proofs: Vec::new(),
            out_of_reach: Vec::new(),
            stages: Vec::new(),
            metrics: metrics.clone(),
            events,
            shown: false,
        }
    }

    /// Takes the question: what is too long to be read is not kept whole either, but its hash is.
    pub fn accept(&mut self, query: &str, settings: &Settings) {
        let end = query.char_indices().nth(settings.limits.question_chars).map_or(query.len(), |(at, _)| at);
        let kept = (!settings.general.privacy).then_some(&query[..end]);
        info!(target: "router", event = "request_start", query = kept);
        self.audit.set_query(query);
        self.audit.query = kept.map(str::to_owned);
        self.emit(AnswerEvent::Accepted { request_id: self.context.request_id().to_owned() });
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    pub fn emit(&self, event: AnswerEvent) {
        (self.events)(event);
    }

    /// Puts part of the answer on screen.
    pub fn show(&mut self, text: String) {
        self.shown = true;
        self.emit(AnswerEvent::Delta { text });
    }

    /// What stands on screen gives way to this, if anything stands there.
    pub fn replace_shown(&mut self, text: &str) {
        if self.shown {
            self.emit(AnswerEvent::Replaced { text: text.to_owned() });
            self.shown = !text.is_empty();
        }
    }

    /// Puts a whole answer on screen, its citations first; what stands there gives way to it.
    pub fn show_whole(&mut self, response: &AskResponse) {
        for citation in &response.citations {
            self.emit(AnswerEvent::Citation(Box::new(citation.clone())));
        }
        if self.shown {
            self.replace_shown(&response.answer);
        } else {
            self.show(response.answer.clone());
        }
    }

    pub fn has_shown(&self) -> bool {
        self.shown
    }

    pub fn route(&mut self, intent: &Intent) {
        self.language = intent.question.language;
        self.intent = intent.name();
        let routing = &mut self.audit.routing;
        routing.intent = self.intent.to_owned();
        routing.confidence = f64::from(intent.confidence);
        routing.class = intent.class.as_str().to_owned();
        routing.language = intent.question.language.code().to_owned();
        routing.reference = intent.references().first().map(|reference| reference.display());
        routing.term = match &intent.kind {
            IntentKind::Terminology { term } => Some(term.clone()),
            _ => None,
        };
        self.metrics.observe(&names::ROUTING_CONFIDENCE, [], f64::from(intent.confidence));
        info!(target: "router", event = "intent", intent = self.intent, confidence = f64::from(intent.confidence));
    }

    /// Where the answer comes from, as the golden set names it.
    pub fn destination(&mut self, destination: &str) {
        destination.clone_into(&mut self.audit.routing.destination);
    }

    /// Something is off: it is on record, in the answer and in the window.
    pub fn fall_back(&self, flag: &str) {
        self.context.add_fallback(flag);
    }

    pub fn begin(&self, stage: Stage) -> Started {
        self.emit(AnswerEvent::Stage { stage, report: None });
        Started { stage, at: self.context.elapsed() }
    }

    pub fn end(&mut self, started: Started, outcome: Outcome) {
        let ms = milliseconds(self.context.elapsed().saturating_sub(started.at));
        self.report(started.stage, &outcome, ms);
    }

    /// A stage that did not run, and why.
    pub fn skip(&mut self, stage: Stage, reason: impl Into<Reason>) {
        self.report(stage, &Outcome::skipped(reason), 0.0);
    }

    fn report(&mut self, stage: Stage, outcome: &Outcome, ms: f64) {
        let on_record = outcome.in_language(Language::EN);
        self.audit.stages.push(AuditStage {
            stage: stage.as_str().to_owned(),
            outcome: on_record.as_str().to_owned(),
            reason: on_record.reason().map(str::to_owned),
            ms,
        });
        let outcome = outcome.in_language(self.language);
        self.metrics.inc(&names::STAGE_TOTAL, [stage.as_str(), outcome.as_str()]);
        self.metrics.observe(&names::STAGE_LATENCY_MS, [stage.as_str()], ms);
        if let StageOutcome::Failed(reason) = &on_record {
            warn!(target: "router", event = "stage_failed", stage = stage.as_str(), reason = reason.as_str());
        }
        let report = StageReport { stage, outcome, ms };
        self.stages.push(report.clone());
        self.emit(AnswerEvent::Stage { stage, report: Some(report) });
    }

    /// A lane ended: its stage, and its line in the audit record.
    pub fn end_lane(&mut self, lane: Lane, outcome: Outcome, hits: usize, took: Duration) {
        let stage = match lane {
            Lane::Curated => Stage::Curated,
            Lane::Dense => Stage::Dense,
            Lane::Lexical => Stage::Lexical,
            Lane::Address => Stage::Address,
        };
        let on_record = outcome.in_language(Language::EN);
        let status = match on_record.reason() {
            None => on_record.as_str().to_owned(),
            Some(reason) => format!("{}({reason})", on_record.as_str()),
        };
        let ms = milliseconds(took);
        self.audit.retrieval.lanes.push(AuditLane {
            lane: lane.as_str().to_owned(),
            status,
            hits: hits as u64,
            ms,
        });
        self.report(stage, &outcome, ms);
    }

    /// What the stages reported so far.
    pub fn take_stages(&mut self) -> Vec<StageReport> {
        std::mem::take(&mut self.stages)
    }
}

pub(super) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The destination of the golden set for documents of these kinds.
pub(super) fn destination_of(kinds: &[Kind]) -> &'static str {
    match kinds {
        [Kind::Adr] => "adr",
        [Kind::Dar] => "dar",
        [Kind::Principle] => "principle",
        [Kind::Policy] => "policy",
        [Kind::Vocabulary] => "skosmos",
        [Kind::Document] => "document",
        [] => "catalogue",
        _ => "multi",
    }
}
