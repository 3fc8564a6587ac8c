//! The engine: one journey for the window, the command line and the evaluation.
//!
//! [`Engine::ask`] takes a question, streams [`AnswerEvent`]s and ends in one [`AskResponse`]. The paths of the
//! journey are the files below: [`terminology`], [`catalogue`], [`search`] (lanes to gates) and [`write`]
//! (generation to confidence). [`Engine::retrieve`] takes the same way as far as the ranking. Dropping the future, or
//! cancelling its token, stops it at any await.

mod address;
mod catalogue;
mod close;
mod curated;
mod gate;
mod gather;
mod generation;
mod instructions;
mod judge;
mod lanes;
mod measure;
mod outside;
mod rank;
mod reading;
mod refuse;
mod retrieve;
mod search;
mod sentences;
mod terminology;
mod turn;
mod write;

use std::sync::Arc;

use plumbline_telemetry::{Metrics, RequestContext, Route};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::breaker::{BannerItem, Breakers};
use crate::domain::{Document, DocumentId};
use crate::error::AskError;
use crate::intent::{Intent, IntentKind, classify, policy_named};
use crate::numbers::numbers;
use crate::ports::{
    AuditSink, Catalogue, Clock, CuratedMemory, Embedder, IdSource, Index, LanguageModel, Reranker, Scope,
    TokenCounter, Vocabulary,
};
use crate::request::{AskRequest, Choice};
use crate::response::{AnswerEvent, AskResponse, Stage, StageOutcome};
use crate::settings::{ModelAllowance, Owners, Settings, Thresholds};
use crate::text::is_invisible;
use reading::ReadingRates;
use turn::Turn;

pub use measure::Measured;
pub use retrieve::Retrieved;
pub use terminology::definition_of;

/// What the engine reaches the world through.
#[derive(Clone)]
pub struct Ports {
    /// The searchable library.
    pub index: Arc<dyn Index>,
    /// The list of documents.
    pub catalogue: Arc<dyn Catalogue>,
    /// Turns questions into vectors; without one, search is by words alone.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The vocabulary of record.
    pub vocabulary: Option<Arc<dyn Vocabulary>>,
    /// Curated memory.
    pub memory: Option<Arc<dyn CuratedMemory>>,
    /// The cross-encoder.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Language models; without one, answers are extracts.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// Counts tokens.
    pub counter: Arc<dyn TokenCounter>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Ids of requests.
    pub ids: Arc<dyn IdSource>,
    /// Where audit records go.
    pub audit: Arc<dyn AuditSink>,
}

/// What the user has set.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    /// The settings.
    pub settings: Settings,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Who owns which topic.
    pub owners: Owners,
}

/// Where events go while a question is being answered.
pub type EventSink<'e> = &'e (dyn Fn(AnswerEvent) + Send + Sync);

/// Runs the journey of one question after another; any number at the same time.
pub struct Engine {
    ports: Ports,
    configuration: Configuration,
    metrics: Metrics,
    breakers: Breakers,
    reading: ReadingRates,
}

impl Engine {
    /// An engine over these ports.
    pub fn new(ports: Ports, configuration: Configuration, metrics: Metrics) -> Self {
        let breakers = Breakers::new(configuration.settings.breaker, &ports.clock, &metrics);
        Self { ports, configuration, metrics, breakers, reading: ReadingRates::default() }
    }

    /// What is off at the moment, and until when.
    pub fn banner(&self) -> Vec<BannerItem> {
        self.breakers.banner()
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.configuration.settings
    }

    /// Answers one question.
    pub async fn ask(
        &self,
        request: AskRequest,
        cancel: &CancellationToken,
        events: EventSink<'_>,
    ) -> Result<AskResponse, AskError> {
        let id = self.ports.ids.request_id();
        let context = RequestContext::new(id, Route::Tree, Arc::clone(&self.ports.clock));
        let span = context.span().clone();
        let turn = Turn::new(context, &self.configuration.settings, &self.metrics, events);
        let mut question = Open { engine: self, turn, closed: false };
        async move {
            question.turn.accept(&request.query, &self.configuration.settings);
            let result = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(AskError::Stopped),
                result = self.journey(&request, &mut question.turn) => result,
            };
            question.close(result)
        }
        .instrument(span)
        .await
    }

    async fn journey(&self, request: &AskRequest, turn: &mut Turn<'_>) -> Result<AskResponse, AskError> {
        let query = self.checked(&request.query)?;
        if let Some(model) = &request.model {
            self.check_allowed(model)?;
        }
        let scope = scope_of(request);
        let started = turn.begin(Stage::Intent);
        let intent = classify(&query, &request.chat_history, self.configuration.settings.general.language);
        turn.route(&intent);
        turn.end(started, StageOutcome::Ok);

        match &request.choice {
            Some(Choice::Concept { uri }) => {
                let term = if let IntentKind::Terminology { term } = &intent.kind { term } else { &query };
                return self.chosen_concept(turn, term, uri).await;
            }
            Some(Choice::Define { term }) => return self.define(turn, term).await,
            Some(Choice::Document { id }) => {
                return self.chosen_document(turn, request, &intent, id, scope).await;
            }
            Some(Choice::SearchDocuments) => {
                return self.search(turn, request, &intent, scope, Vec::new()).await;
            }
            None => {}
        }
        match &intent.kind {
            IntentKind::Terminology { term } => self.define(turn, term).await,
            IntentKind::List(list) => self.list(turn, list, &scope).await,
            IntentKind::Fact { reference, field } => self.fact(turn, &intent, reference, *field, scope).await,
            IntentKind::Entity { references } => {
                self.records(turn, request, &intent, references, scope).await
            }
            IntentKind::Unclear { readings }
                if intent.confidence < numbers().intent.picker_below && request.chat_history.is_empty() =>
            {
                match self.ask_back(turn, &query, readings, &scope).await? {
                    Some(picker) => Ok(picker),
                    None => self.search(turn, request, &intent, scope, Vec::new()).await,
                }
            }
            IntentKind::Unclear { .. } | IntentKind::Semantic | IntentKind::Greeting => {
                let named = self.named_policy(&intent, &scope).await?;
                self.search(turn, request, &intent, scope, named).await
            }
        }
    }

    /// The policy that a question names by its subject, where there is exactly one of that name.
    async fn named_policy(&self, intent: &Intent, scope: &Scope) -> Result<Vec<Arc<Document>>, AskError> {
        let Some(reference) = policy_named(&intent.query, intent.language) else { return Ok(Vec::new()) };
        let found = self.ports.catalogue.resolve(&reference, scope).await?;
        Ok(if found.len() == 1 { found } else { Vec::new() })
    }

    /// What was asked, about the document that was picked for it.
    async fn chosen_document(
        &self,
        turn: &mut Turn<'_>,
        request: &AskRequest,
        intent: &Intent,
        id: &str,
        scope: Scope,
    ) -> Result<AskResponse, AskError> {
        let document = match DocumentId::new(id) {
            Ok(id) => self.ports.catalogue.document(&id, &scope).await?,
            Err(_) => None,
        };
        match (document, &intent.kind) {
            (Some(document), IntentKind::Fact { field, .. }) => {
                self.fact_of(turn, &document, *field, &scope).await
            }
            (Some(document), _) => self.search(turn, request, intent, scope, vec![document]).await,
            (None, _) => self.no_such_record(turn, id, &intent.references, &scope).await,
        }
    }

    fn check_allowed(&self, model: &str) -> Result<ModelAllowance, AskError> {
        let allowed = &self.configuration.settings.models.allow;
        allowed.get(model).copied().ok_or_else(|| AskError::ModelNotAllowed {
            model: model.to_owned(),
            allowed: allowed.keys().cloned().collect(),
        })
    }

    /// The question without what cannot be seen, or why it is none.
    fn checked(&self, query: &str) -> Result<String, AskError> {
        let visible: String = query.chars().filter(|c| !is_invisible(*c)).collect();
        let visible = visible.trim();
        let limit = self.configuration.settings.limits.question_chars;
        let chars = visible.chars().count();
        if chars > limit {
            return Err(AskError::QuestionTooLong { chars, limit });
        }
        if !visible.chars().any(char::is_alphanumeric) {
            return Err(AskError::EmptyQuestion);
        }
        Ok(visible.to_owned())
    }
}

/// A question that is being answered. It is closed once: with its result, or as stopped where its future is dropped.
struct Open<'a, 'e> {
    engine: &'a Engine,
    turn: Turn<'e>,
    closed: bool,
}

impl Open<'_, '_> {
    fn close(&mut self, result: Result<AskResponse, AskError>) -> Result<AskResponse, AskError> {
        self.closed = true;
        self.engine.close(&mut self.turn, result)
    }
}

impl Drop for Open<'_, '_> {
    fn drop(&mut self) {
        if !self.closed {
            let span = self.turn.context.span().clone();
            // Nobody is left to take the result; the record, the counters and the event are what it is for.
            let _ = span.in_scope(|| self.close(Err(AskError::Stopped)));
        }
    }
}

fn scope_of(request: &AskRequest) -> Scope {
    let tenant = if request.tenant_id.is_empty() { "default" } else { &request.tenant_id };
    Scope {
        tenant: tenant.to_owned(),
        user_tags: request.user_tags.clone(),
        collections: request.collections.clone(),
    }
}

/// The name of an intent in metrics and the audit record.
fn intent_name(intent: &Intent) -> &'static str {
    match intent.kind {
        IntentKind::Terminology { .. } => "terminology",
        IntentKind::List(_) => "list",
        IntentKind::Fact { .. } => "fact",
        IntentKind::Entity { .. } => "entity",
        IntentKind::Semantic => "semantic",
        IntentKind::Greeting => "greeting",
        IntentKind::Unclear { .. } => "unclear",
    }
}
