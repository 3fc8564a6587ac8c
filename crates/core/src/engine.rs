//! The engine: one journey for the window, the command line and the evaluation.
//!
//! [`Engine::ask`] takes a question, streams [`AnswerEvent`]s and ends in one [`AskResponse`]. [`journey`] is the way there,
//! from top to bottom; each of its stages is a function in a file of its own that gives the next value or ends the question.
//! [`Engine::retrieve`] and [`Engine::measure`] take the same way and stop earlier. Dropping the future, or cancelling its
//! token, stops it at any await.

mod about;
mod answers;
mod blank;
mod carried;
mod check;
mod clarify;
mod close;
mod codes;
mod curated;
mod defined;
mod definition;
mod draft;
mod evidence;
mod fact;
mod further;
mod gate;
mod generation;
mod graph;
mod instructions;
mod judge;
mod lanes;
mod list;
mod lookup;
mod meaning;
mod measure;
mod named;
mod names;
mod naming;
mod order;
mod outside;
mod parts;
mod rank;
mod reach;
mod read_statement;
mod reading_rates;
mod reason;
mod records;
mod refuse;
mod respond;
mod retrieve;
mod route;
mod sentences;
mod services;
mod sketch;
mod standing;
mod statements;
mod step;
mod terminology;
mod terms;
mod topic;
mod turn;

use std::sync::Arc;

use plumbline_telemetry::{Metrics, RequestContext, Route};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::breaker::BannerItem;
use crate::error::AskError;
use crate::intent::{Intent, Question, classify, parts};
use crate::messages::Message;
use crate::ports::{
    AuditSink, Catalogue, Clock, Contradictions, CuratedMemory, Embedder, IdSource, Index, LanguageModel,
    Reader, Reranker, Scope, TokenCounter, Vocabulary,
};
use crate::refusal::{RefusalFacts, refusal_text};
use crate::request::AskRequest;
use crate::response::{AnswerEvent, AskResponse, CheckedText, RefusalReason, Stage};
use crate::settings::{Owners, Settings, Thresholds};
use crate::text::is_invisible;
use carried::or_carried_on;
use check::{check_text, close_check};
use close::close;
use codes::codes_as_files;
use defined::{as_defined, exempt_definitions};
use draft::{Draft, draft, told_by_sections};
use evidence::gather;
use gate::{Gated, gate};
use measure::measured;
use named::of_named;
use order::order_by_reading;
use outside::or_outside;
use parts::from_parts;
use reach::{Sweep, passages_wanted, reach};
use reason::Outcome;
use records::Records;
use respond::conclude;
use retrieve::{evidence_alone, retrieved};
use route::route;
use services::Services;
use step::{OrEnd, Step, outcome};
use terminology::or_undefined;
use turn::Turn;

pub use check::CheckSink;
pub use definition::definition_of;
pub use measure::Measured;
pub use retrieve::Retrieved;

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
    /// Statements that oppose each other; without it, a draft tells of none.
    pub contradictions: Option<Arc<dyn Contradictions>>,
    /// Curated memory.
    pub memory: Option<Arc<dyn CuratedMemory>>,
    /// The cross-encoder.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Tells what a passage answers and what follows from it; without one, cosines and words decide.
    pub reader: Option<Arc<dyn Reader>>,
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
    services: Services,
}

impl Engine {
    /// An engine over these ports.
    pub fn new(ports: Ports, configuration: Configuration, metrics: Metrics) -> Self {
        Self { services: Services::new(ports, configuration, metrics) }
    }

    /// What is off at the moment, and until when.
    pub fn banner(&self) -> Vec<BannerItem> {
        self.services.breakers.banner()
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.services.metrics
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.services.settings()
    }

    /// A digest of settings and thresholds.
    pub fn config_hash(&self) -> String {
        self.services.config_hash()
    }

    /// Answers one question.
    pub async fn ask(
        &self,
        request: AskRequest,
        cancel: &CancellationToken,
        events: EventSink<'_>,
    ) -> Result<AskResponse, AskError> {
        let services = &self.services;
        let (turn, span) = self.begin(events);
        let mut open = Unanswered { services, turn, closed: false };
        async move {
            open.turn.accept(&request.query, services.settings());
            let result = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(AskError::Stopped),
                step = journey(services, &mut open.turn, &request) => outcome(step),
            };
            open.close(result)
        }
        .instrument(span)
        .await
    }

    /// Checks a text, statement by statement: what passages bear it out, say otherwise, or are missing. Passages are found and
    /// judged as for a model's reply, and no model is asked.
    pub async fn check(
        &self,
        text: &str,
        scope: &Scope,
        cancel: &CancellationToken,
        told: CheckSink<'_>,
    ) -> Result<CheckedText, AskError> {
        let services = &self.services;
        let scope = Scope { tenant: tenant_of(&scope.tenant), ..scope.clone() };
        let (mut turn, span) = self.begin(&|_| {});
        async move {
            turn.accept(text, services.settings());
            let result = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(AskError::Stopped),
                checked = check_text(services, &mut turn, text, &scope, told) => checked,
            };
            close_check(services, &mut turn, result)
        }
        .instrument(span)
        .await
    }

    /// Searches the documents as [`Engine::ask`] does for `wanted` passages, and stops before it decides anything. The
    /// rankings hold all that was fetched, several times as many: whoever counts documents has chunks enough. The whole
    /// library is searched, whatever the question names or curated memory holds. It leaves no audit record.
    pub async fn retrieve(&self, query: &str, scope: &Scope, wanted: usize) -> Result<Retrieved, AskError> {
        let services = &self.services;
        let (mut turn, span) = self.begin(&|_| {});
        let stopped_early = async {
            let question = understand(services, &mut turn, &AskRequest::new(query), scope).await?.question;
            let evidence =
                evidence_alone(services, &mut turn, question, scope, Sweep::Always, wanted).await?;
            Ok(retrieved(services, &mut turn, evidence))
        };
        stopped_early.instrument(span).await
    }

    /// Searches as [`Engine::ask`] does and stops before anything is cut, so that every question has its numbers. It leaves no
    /// audit record.
    pub async fn measure(&self, query: &str, scope: &Scope) -> Result<Measured, AskError> {
        let services = &self.services;
        let (mut turn, span) = self.begin(&|_| {});
        let wanted = services.settings().retrieval.total_chunks;
        let stopped_early = async {
            let question = understand(services, &mut turn, &AskRequest::new(query), scope).await?.question;
            let evidence =
                evidence_alone(services, &mut turn, question, scope, Sweep::WhereNeeded, wanted).await?;
            let nothing = || AskError::Context { detail: Message::PortNothingToSearch.into() };
            let evidence = evidence.ok_or_else(nothing)?;
            Ok(measured(services, &turn, evidence).await)
        };
        stopped_early.instrument(span).await
    }

    fn begin<'e>(&self, events: EventSink<'e>) -> (Turn<'e>, tracing::Span) {
        let ports = &self.services.ports;
        let context = RequestContext::new(ports.ids.request_id(), Route::Tree, Arc::clone(&ports.clock));
        let span = context.span().clone();
        (Turn::new(context, self.services.settings(), &self.services.metrics, events), span)
    }
}

/// The journey of one question.
async fn journey(services: &Services, turn: &mut Turn<'_>, request: &AskRequest) -> Step<AskResponse> {
    let scope = scope_of(request);
    let intent = understand(services, turn, request, &scope).await.or_end()?;
    let records = route(services, turn, request, &intent, &scope).await?;
    let answered = from_documents(services, turn, request, &intent, &scope, &records).await;
    let response = outcome(answered).or_end()?;
    let response = or_carried_on(services, turn, request, &intent, &scope, response).await?;
    let response = match &records.undefined {
        Some(term) => or_undefined(services, turn, term, response).await,
        None => response,
    };
    let response = with_offers(services, turn, &intent, response);
    let response = or_outside(services, turn, request, &intent.question, response).await;
    Step::Continue(with_unknown(turn, &records, response))
}

/// The documents' path: evidence, gates, draft, response.
async fn from_documents(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    intent: &Intent,
    scope: &Scope,
    records: &Records,
) -> Step<AskResponse> {
    let no_writer = services.writer(request).is_none();
    let parts = if no_writer { parts(&intent.question) } else { Vec::new() };
    if !parts.is_empty() {
        return from_parts(services, turn, request, parts, scope, records).await;
    }
    let question = intent.question.clone();
    let (gated, draft) = drafted(services, turn, request, question, scope, records).await?;
    conclude(services, turn, scope, &gated, draft).await
}

/// Evidence, gates and draft for one question.
async fn drafted(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    question: Question,
    scope: &Scope,
    records: &Records,
) -> Step<(Gated, Draft)> {
    let reach = reach(services, turn, request, &question, scope, &records.documents).await?;
    let wanted = passages_wanted(services, request, &question);
    let no_writer = services.writer(request).is_none();
    let told = if no_writer { of_named(services, turn, &question, &reach).await } else { None };
    let mut evidence = match told {
        Some(told) => told,
        None => gather(services, turn, question, &request.chat_history, reach).await.or_end()?,
    };
    fact::of_spoken_of(services, turn, &evidence, &records.worded, scope).await?;
    if no_writer && evidence.told.is_empty() {
        evidence.told = told_by_sections(&evidence, turn.language).unwrap_or_default();
    }
    if let Some(term) = &records.term {
        exempt_definitions(&mut evidence, term);
    }
    // A model that writes would only be delayed; and what a term means is told by who defines it, not by who uses it.
    let reads = no_writer && evidence.told.is_empty();
    if reads && records.term.is_none() {
        order_by_reading(services, turn, &mut evidence).await;
    }
    let gated = gate(services, turn, evidence, wanted, reads).await?;
    fact::of_found(services, turn, &gated, &records.fields, scope).await?;
    let draft = match records.term.as_deref().and_then(|term| as_defined(turn, &gated, term)) {
        Some(defined) => defined,
        None => draft(services, turn, request, scope, &gated).await?,
    };
    Step::Continue((gated, draft))
}

/// What a request asks for; a question that is none, or a model that is not allowed, ends it.
async fn understand(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    scope: &Scope,
) -> Result<Intent, AskError> {
    let text = checked(services, &request.query)?;
    if let Some(model) = &request.model {
        services.check_allowed(model)?;
    }
    let started = turn.begin(Stage::Intent);
    let expected = services.settings().general.language;
    let text = codes_as_files(services, &text, scope).await?;
    let mut history = request.chat_history.clone();
    for message in &mut history {
        message.content = codes_as_files(services, &message.content, scope).await?;
    }
    let of = |text: &str| {
        classify(Question::in_conversation(text, &history, expected), !request.chat_history.is_empty())
    };
    let intent = match list::of_source(services, &text, scope, of).await? {
        Some(intent) => intent,
        None => of(&text),
    };
    turn.route(&intent);
    turn.end(started, Outcome::Ok);
    Ok(intent)
}

/// The question without what cannot be seen, or why it is none.
fn checked(services: &Services, query: &str) -> Result<String, AskError> {
    let visible: String = query.chars().filter(|c| !is_invisible(*c)).collect();
    let visible = visible.trim();
    let limit = services.settings().limits.question_chars;
    let chars = visible.chars().count();
    if chars > limit {
        return Err(AskError::QuestionTooLong { chars, limit });
    }
    if !visible.chars().any(char::is_alphanumeric) {
        return Err(AskError::EmptyQuestion);
    }
    Ok(visible.to_owned())
}

/// The vocabulary as a button, where the question looked like one for a meaning.
fn with_offers(
    services: &Services,
    turn: &Turn<'_>,
    intent: &Intent,
    mut response: AskResponse,
) -> AskResponse {
    if let (Some(term), Some(_)) = (&intent.vocabulary_offer, &services.ports.vocabulary) {
        response.suggestions.push(definition::offer(term, turn.language));
    }
    response
}

/// A word on every record that was named and does not exist.
fn with_unknown(turn: &Turn<'_>, records: &Records, mut response: AskResponse) -> AskResponse {
    for reference in &records.unknown {
        let facts = RefusalFacts { reference: Some(reference.display()), ..RefusalFacts::default() };
        response.warnings.push(refusal_text(RefusalReason::EntityNotFound, &facts, turn.language));
    }
    response
}

/// A question that is being answered. It is closed once: with its result, or as stopped where its future is dropped.
struct Unanswered<'a, 'e> {
    services: &'a Services,
    turn: Turn<'e>,
    closed: bool,
}

impl Unanswered<'_, '_> {
    fn close(&mut self, result: Result<AskResponse, AskError>) -> Result<AskResponse, AskError> {
        self.closed = true;
        close(self.services, &mut self.turn, result)
    }
}

impl Drop for Unanswered<'_, '_> {
    fn drop(&mut self) {
        if !self.closed {
            let span = self.turn.context.span().clone();
            // Nobody is left to take the result; the record, the counters and the event are what it is for.
            let _ = span.in_scope(|| self.close(Err(AskError::Stopped)));
        }
    }
}

fn scope_of(request: &AskRequest) -> Scope {
    Scope {
        tenant: tenant_of(&request.tenant_id),
        user_tags: request.user_tags.clone(),
        collections: request.collections.clone(),
    }
}

fn tenant_of(given: &str) -> String {
    if given.is_empty() { "default".to_owned() } else { given.to_owned() }
}
