//! The SKOSMOS client: the vocabulary of record on servers, 2.x and 3.x.
//!
//! A term costs two round trips when it is found and two when it is not, in one time limit for both. What a server says in
//! an error is never repeated: it names hosts of its own.

mod address;
mod answer;
mod flights;
pub mod graph;
mod hits;
mod http;
mod server;
pub mod wire;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::future::join_all;
use futures::stream::FuturesOrdered;
use plumbline_core::detail::Detail;
use plumbline_core::domain::Language;
use plumbline_core::messages::Message;
use plumbline_core::ports::{Concept, Lookup, LookupOutcome, Vocabulary, VocabularyError};
use plumbline_core::response::{ConceptLink, LabelMatch};
use plumbline_telemetry::Clock;
use thiserror::Error;
use tokio::time::{timeout, timeout_at};

use crate::cache::{Cache, Key, Wanted};
use crate::matching::{NearestLabels, SuggestedLabel, fold_term, normalise_term};
use address::Address;
use answer::{Answer, names, stands_in};
use flights::Flights;
use http::{Connection, Failure};

/// However slow a server is, a look-up that nobody waits for any more ends here.
const LATEST: Duration = Duration::from_secs(3);
/// So many labels are compared with a term that was not found.
const MAX_LABELS: usize = 10_000;

/// A server and its vocabularies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The address of its front page, or of its REST interface.
    pub address: String,
    /// The ids of the vocabularies to ask, in order of authority; empty for all that it has, which is slow.
    pub vocabularies: Vec<String>,
}

/// What the client needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkosmosSettings {
    /// The servers in order of authority.
    pub servers: Vec<Server>,
    /// For a look-up in all.
    pub timeout_ms: u64,
    /// How long an answer is remembered.
    pub cache_ttl_seconds: u64,
    /// How many are.
    pub cache_max_size: u64,
}

impl SkosmosSettings {
    /// These servers, with the numbers that are laid down for all of them.
    pub fn of(servers: Vec<Server>) -> Self {
        Self { servers, timeout_ms: 300, cache_ttl_seconds: 600, cache_max_size: 5_000 }
    }
}

/// Why there is no client.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum SkosmosError {
    /// The settings name no server.
    NoServer,
    /// A server's address is of no use.
    Address {
        /// The address, without credentials.
        address: String,
        /// What is wrong with it.
        why: Message,
    },
    /// Connections cannot be made on this machine.
    Client(String),
}

impl SkosmosError {
    /// What is wrong, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::NoServer => Message::SkosmosNoServer.into(),
            Self::Address { address, why } => {
                let address = format!("{address:?}").into();
                Detail::of(Message::SkosmosAddress, [("address", address), ("why", (*why).into())])
            }
            Self::Client(detail) => Detail::of(Message::OllamaClient, [("detail", detail.as_str().into())]),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for SkosmosError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// The vocabulary of record on one or more SKOSMOS servers.
///
/// All servers are asked at once and heard in order of authority. The first that knows the term answers, alone or with
/// several concepts. One that fails before that is an error, whatever those after it say: it might have known the term,
/// and then theirs would have been the wrong definition.
pub struct SkosmosClient {
    servers: Vec<(Arc<str>, Arc<server::Server>)>,
    timeout: Duration,
    timeout_ms: u64,
    cache: Arc<Cache<Arc<Answer>>>,
    flights: Flights,
}

impl SkosmosClient {
    /// Reads the settings; nothing is connected yet.
    pub fn new(settings: SkosmosSettings, clock: Arc<dyn Clock>) -> Result<Self, SkosmosError> {
        if settings.servers.is_empty() {
            return Err(SkosmosError::NoServer);
        }
        let keep_for = Duration::from_secs(settings.cache_ttl_seconds);
        let server = |server: Server| {
            let address = Address::parse(&server.address)?;
            let scope = Arc::from(format!("{} {}", address.shown(), server.vocabularies.join(" ")));
            let connection = Connection::new(address)?;
            let server = server::Server::new(connection, server.vocabularies, Arc::clone(&clock), keep_for);
            Ok((scope, Arc::new(server)))
        };
        let servers = settings.servers.into_iter().map(server).collect::<Result<_, SkosmosError>>()?;
        let cache = Arc::new(Cache::new(settings.cache_max_size, keep_for, Arc::clone(&clock)));
        Ok(Self {
            servers,
            timeout: Duration::from_millis(settings.timeout_ms),
            timeout_ms: settings.timeout_ms,
            flights: Flights::new(Arc::clone(&cache)),
            cache,
        })
    }

    /// Connects to every server and learns its vocabularies, so that the first look-up has its whole time for itself.
    /// A server that does not answer is none of this call's business.
    pub async fn warm(&self, language: Language) {
        join_all(self.servers.iter().map(|(_, server)| server.list(language))).await;
    }

    /// The vocabularies that are asked, by id and title, in order of authority.
    pub async fn listed(&self, language: Language) -> Vec<(String, String)> {
        let lists = join_all(self.servers.iter().map(|(_, server)| server.vocabularies(language))).await;
        lists.into_iter().flatten().collect()
    }

    /// The concepts at the top of a vocabulary, by label.
    pub async fn top_concepts(
        &self,
        vocabulary: &str,
        language: Language,
    ) -> Result<Vec<ConceptLink>, VocabularyError> {
        for (_, server) in &self.servers {
            let told = |failure: Failure| failure.tell(&server.connection.address, self.timeout_ms);
            if let Some(concepts) = server.top_concepts(vocabulary, language).await.map_err(told)? {
                return Ok(concepts);
            }
        }
        Ok(Vec::new())
    }

    /// The servers' answer on a term or a URI, within the time limit.
    async fn ask(
        &self,
        wanted: Wanted,
        spelling: &str,
        language: Language,
    ) -> Result<Lookup, VocabularyError> {
        let told = |answer: &Answer| match &wanted {
            Wanted::Term(_) => answer.to_term(spelling, language),
            Wanted::Uri(_) => answer.to_uri(),
        };
        let key = |scope: &Arc<str>| Key { wanted: wanted.clone(), language, scope: Arc::clone(scope) };
        let mut unknown_to = 0;
        for (scope, _) in &self.servers {
            match self.cache.get(&key(scope)).map(|answer| told(&answer)) {
                Some(LookupOutcome::NotFound) => unknown_to += 1,
                Some(outcome) => return Ok(Lookup { outcome, cached: true }),
                None => break,
            }
        }
        if unknown_to == self.servers.len() {
            return Ok(Lookup { outcome: LookupOutcome::NotFound, cached: true });
        }
        let asked = self.servers.iter().skip(unknown_to).map(|(scope, server)| {
            let wanted = wanted.clone();
            let (spelling, own) = (spelling.to_owned(), Arc::clone(server));
            let begin = || async move {
                match wanted {
                    Wanted::Term(_) => own.look_up(&spelling, language).await,
                    Wanted::Uri(uri) => own.concept(&uri, language).await,
                }
            };
            let flight = self.flights.join(key(scope), begin);
            async move {
                flight.await.map_err(|failure| failure.tell(&server.connection.address, self.timeout_ms))
            }
        });
        let mut asked: FuturesOrdered<_> = asked.collect();
        let heard = async {
            while let Some(answer) = asked.next().await {
                let outcome = told(answer?.as_ref());
                if outcome != LookupOutcome::NotFound {
                    return Ok(Lookup { outcome, cached: false });
                }
            }
            Ok(Lookup { outcome: LookupOutcome::NotFound, cached: false })
        };
        let answer = timeout(self.timeout, heard).await;
        answer.unwrap_or(Err(VocabularyError::Timeout(self.timeout_ms)))
    }

    /// A concept that a look-up brought along, such as one in a picker.
    fn seen(&self, uri: &str, language: Language) -> Option<Concept> {
        let mut found: Vec<(usize, Concept)> = Vec::new();
        for (key, answer) in self.cache.fresh().filter(|(key, _)| key.language == language) {
            let authority =
                self.servers.iter().position(|(scope, _)| *scope == key.scope).unwrap_or(usize::MAX);
            let concept = answer.found.iter().map(|(_, concept)| concept).find(|concept| concept.uri == uri);
            found.extend(concept.map(|concept| (authority, concept.clone())));
        }
        let first = found.into_iter().min_by_key(|(authority, _)| *authority);
        first.map(|(_, concept)| Concept { matched: LabelMatch::Preferred, ..concept })
    }

    /// Labels that begin as a term that was not found does, from the servers that still have time for it.
    async fn ask_for_labels(&self, term: &str, language: Language) -> Vec<SuggestedLabel> {
        let wanted = Wanted::Term(fold_term(term));
        let asked = self.servers.iter().filter_map(|(scope, server)| {
            let key = Key { wanted: wanted.clone(), language, scope: Arc::clone(scope) };
            let missed = self.cache.get(&key).filter(|answer| answer.found.is_empty())?;
            let deadline = missed.asked_at + self.timeout;
            Some(async move {
                if let Ok(Ok(labels)) = timeout_at(deadline, server.suggest(term, language)).await {
                    missed.suggest(labels);
                }
                missed.suggested()
            })
        });
        join_all(asked).await.into_iter().flatten().collect()
    }
}

#[async_trait]
impl Vocabulary for SkosmosClient {
    async fn lookup(&self, term: &str, language: Language) -> Result<Lookup, VocabularyError> {
        match normalise_term(term) {
            Some(term) => self.ask(Wanted::Term(fold_term(&term)), &term, language).await,
            None => Ok(Lookup { outcome: LookupOutcome::NotFound, cached: false }),
        }
    }

    async fn concept(&self, uri: &str, language: Language) -> Result<Lookup, VocabularyError> {
        if let Some(concept) = self.seen(uri, language) {
            return Ok(Lookup { outcome: LookupOutcome::Found(Box::new(concept)), cached: true });
        }
        self.ask(Wanted::Uri(uri.to_owned()), uri, language).await
    }

    /// From the answers that are remembered. Where a look-up of this very term left some of its time, the servers are
    /// asked for labels with the same beginning; it never waits beyond the end of that time.
    async fn nearest_labels(&self, term: &str, language: Language, limit: usize) -> Vec<String> {
        let Some(term) = normalise_term(term) else { return Vec::new() };
        let begin_alike = self.ask_for_labels(&term, language).await;
        let seen = self.cache.fresh().flat_map(|(_, answer)| answer.labels());
        NearestLabels::new(begin_alike.into_iter().chain(seen).take(MAX_LABELS))
            .nearest(&term, language, limit)
    }

    /// From the answers that are remembered and name one concept.
    async fn expansions(&self, text: &str, language: Language) -> Vec<String> {
        let text = fold_term(text);
        let mut others: Vec<String> = Vec::new();
        for (_, answer) in self.cache.fresh().filter(|(key, _)| key.language == language) {
            let [(_, concept)] = answer.found.as_slice() else { continue };
            if names(concept).any(|label| stands_in(&text, &fold_term(label))) {
                others.extend(names(concept).filter(|label| !stands_in(&text, &fold_term(label))).cloned());
            }
        }
        others.sort();
        others.dedup();
        others
    }

    fn backend(&self) -> &'static str {
        "skosmos"
    }
}
