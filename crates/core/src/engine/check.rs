//! A text, checked statement by statement: passages are found as for a question, and judged as they are for a model's reply.
//! No model is asked.

mod marks;
mod statement;
mod units;

use std::sync::Arc;

use plumbline_telemetry::audit::{AuditCitation, AuditWithheld};
use plumbline_telemetry::{RequestContext, Route, names, sha256_hex};

use super::close::keep_record;
use super::services::Services;
use super::standing::{notices_of, with_standing};
use super::turn::{Turn, milliseconds};
use crate::domain::Document;
use crate::error::AskError;
use crate::messages::Message;
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::response::{
    CheckProgress, CheckedStatement, CheckedText, RetrievalQuality, TransparencyStatement, VerdictCounts,
};
use crate::text::detect_or;
use statement::{Library, PassageNumbers, check_statement};
use units::stated;

/// Where progress goes while a text is being checked.
pub type CheckSink<'e> = &'e (dyn Fn(CheckProgress) + Send + Sync);

/// Checks every statement of a text.
pub(super) async fn check_text(
    services: &Services,
    turn: &mut Turn<'_>,
    text: &str,
    scope: &Scope,
    told: CheckSink<'_>,
) -> Result<CheckedText, AskError> {
    let (chars, limit) = (text.chars().count(), numbers().check.text_chars);
    if chars > limit {
        return Err(AskError::TextTooLong { chars, limit });
    }
    turn.language = detect_or(text, services.settings().general.language);
    let searched = services.ports.catalogue.collections(scope).await?;
    if searched.is_empty() {
        return Err(AskError::Context { detail: Message::PortNothingToSearch.into() });
    }
    let library = Library { services, scope, searched: &searched, language: turn.language };
    let stated = stated(text);
    let total = stated.statements.len();
    let mut statements: Vec<CheckedStatement> = Vec::with_capacity(total);
    let mut numbering = PassageNumbers::default();
    for said in &stated.statements {
        let mut one = inner_turn(services, turn);
        let checked = check_statement(&library, &mut one, said, &mut numbering).await?;
        one.context.fallback_flags().iter().for_each(|flag| turn.fall_back(flag));
        services.metrics.inc(&names::STATEMENT_CHECKED_TOTAL, [checked.verdict.as_str()]);
        statements.push(checked.clone());
        told(CheckProgress { done: statements.len(), total, latest: checked });
    }
    let documents: Vec<&Document> = numbering.documents.iter().map(Arc::as_ref).collect();
    let notices = notices_of(services, turn, &documents, scope).await?;
    let flags = turn.context.fallback_flags();
    let quality = RetrievalQuality::with_penalty(1.0, &flags, 1.0);
    let transparency = TransparencyStatement::from_quality(&quality, turn.language);
    Ok(CheckedText {
        request_id: turn.context.request_id().to_owned(),
        language: turn.language,
        counts: VerdictCounts::of(&statements),
        statements,
        passed_over: stated.passed_over,
        fallback_mode: !flags.is_empty(),
        transparency: with_standing(transparency, &notices),
        notices,
        time_ms: milliseconds(turn.context.elapsed()),
    })
}

/// A statement's own turn: its stages are its own business, and hundreds of them would drown the record of the whole.
fn inner_turn(services: &Services, whole: &Turn<'_>) -> Turn<'static> {
    let clock = Arc::clone(&services.ports.clock);
    let context = RequestContext::new(whole.context.request_id(), Route::Tree, clock);
    let mut turn = Turn::new(context, services.settings(), &services.metrics, &|_| {});
    turn.language = whole.language;
    turn
}

/// The end of every check: what was decided goes on record.
pub(super) fn close_check(
    services: &Services,
    turn: &mut Turn<'_>,
    result: Result<CheckedText, AskError>,
) -> Result<CheckedText, AskError> {
    let audit = &mut turn.audit;
    "check".clone_into(&mut audit.routing.intent);
    turn.language.code().clone_into(&mut audit.routing.language);
    match &result {
        Ok(checked) => {
            "CHECK".clone_into(&mut audit.action);
            let passages = checked.statements.iter().flat_map(|statement| &statement.passages);
            audit.citations = passages
                .map(|passage| AuditCitation {
                    source_id: passage.citation.source_id.to_string(),
                    alias: u32::try_from(passage.citation.number).unwrap_or(u32::MAX),
                    text_sha256: sha256_hex(&passage.citation.snippet_full),
                })
                .collect();
            audit.withheld = checked
                .statements
                .iter()
                .filter_map(|statement| {
                    let label = statement.label?.as_str().to_owned();
                    Some(AuditWithheld { label, text_sha256: sha256_hex(&statement.text) })
                })
                .collect();
        }
        Err(AskError::Stopped) => "STOPPED".clone_into(&mut audit.action),
        Err(_) => "FAILED".clone_into(&mut audit.action),
    }
    keep_record(services, turn);
    result
}
