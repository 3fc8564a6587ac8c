//! Clients of model servers: chat, vectors, scores, and what `doctor` needs to know.
//!
//! A server is Ollama or speaks OpenAI's protocol; what is the same for both stands here, what differs in [`ollama`] and
//! [`openai`]. A server cuts in silence where it can, so nothing is left to its defaults; what it says of itself reaches the
//! user shortened and without the token. `tests/fixtures` holds what real servers answered.

mod address;
mod chat;
mod diagnose;
mod embedder;
mod error;
mod http;
mod lines;
mod ollama;
mod openai;
mod remedy;
mod reranker;
mod thoughts;
mod token;
mod token_store;
mod written;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo};
use plumbline_core::settings::{ModelAllowance, ModelSettings, ServerKind};
use serde_json::Value;

pub use diagnose::{AddressFamily, Diagnosis, ModelReport, Problem, ProblemKind, diagnose};
pub use embedder::ServerEmbedder;
pub use error::{Fault, ServerError};
pub use ollama::{LoadedModel, ModelCard, PullProgress, PullStream, PulledModel, same_model};
pub use reranker::ServerReranker;
pub use token::{Token, TokenSource};
pub use token_store::{Kept, Keyring, KeyringUnusable, SystemKeyring, TokenStore};

use address::Address;
use http::Connection;

/// What a model is taken to hold where neither server nor settings say.
const UNKNOWN_CONTEXT: usize = 4096;
/// What it may write then.
const UNKNOWN_RESPONSE: usize = 1024;

/// How long anything but a chat may take; a chat brings its own limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Until a connection is there.
    pub connect: Duration,
    /// A question about models or the server.
    pub lookup: Duration,
    /// One batch of vectors, with the time to load the model.
    pub embed: Duration,
    /// A pull without any progress.
    pub pull_stall: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            lookup: Duration::from_secs(10),
            embed: Duration::from_secs(120),
            pull_stall: Duration::from_secs(300),
        }
    }
}

/// One model server. Clones share it.
#[derive(Clone)]
pub struct ModelServer {
    connection: Arc<Connection>,
    deadlines: Deadlines,
    settings: Arc<ModelSettings>,
    /// The contexts that Ollama gave: it clamps what is beyond them and does not say so.
    contexts: Arc<Mutex<HashMap<String, usize>>>,
}

impl ModelServer {
    /// A client for the server in the settings; nothing is connected yet.
    pub fn new(settings: &ModelSettings, token: Option<TokenSource>) -> Result<Self, ServerError> {
        Self::with_deadlines(settings, token, Deadlines::default())
    }

    /// As [`ModelServer::new`], with other deadlines.
    pub fn with_deadlines(
        settings: &ModelSettings,
        token: Option<TokenSource>,
        deadlines: Deadlines,
    ) -> Result<Self, ServerError> {
        let server = settings.server;
        let connection = Address::parse(settings.address(), server)
            .and_then(|address| Connection::new(address, deadlines.connect, token))
            .map_err(|fault| ServerError { server, fault })?;
        Ok(Self {
            connection: Arc::new(connection),
            deadlines,
            settings: Arc::new(settings.clone()),
            contexts: Arc::default(),
        })
    }

    /// What kind of server it is.
    pub fn kind(&self) -> ServerKind {
        self.settings.server
    }

    /// The server's address as it may be shown.
    pub fn address(&self) -> &str {
        self.connection.address.shown()
    }

    /// Whether the server is this very machine.
    pub fn is_on_this_machine(&self) -> bool {
        self.connection.address.is_loopback()
    }

    /// Whether nobody on the way to the server can read along.
    pub fn is_encrypted(&self) -> bool {
        self.connection.address.is_secure()
    }

    /// The models that may be used.
    pub fn allowed(&self) -> &BTreeMap<String, ModelAllowance> {
        &self.settings.allow
    }

    fn allowance(&self, model: &str) -> Option<ModelAllowance> {
        self.settings.allow.iter().find(|(name, _)| same_model(name, model)).map(|(_, allowance)| *allowance)
    }

    fn named(&self, fault: Fault) -> ServerError {
        ServerError { server: self.kind(), fault }
    }

    fn told(&self, fault: Fault) -> ModelError {
        fault.into_model_error(self.kind(), &self.connection.address)
    }

    /// What a model holds, of which so much is for the reply.
    fn within_allowance(&self, model: &str, context: Option<usize>) -> ModelInfo {
        let allowed = self.allowance(model);
        let context = context.or(allowed.map(|allowed| allowed.context_window)).unwrap_or(UNKNOWN_CONTEXT);
        let response = allowed.map_or(UNKNOWN_RESPONSE, |allowed| allowed.max_response);
        ModelInfo { context_window: context, max_response: response.min(context) }
    }

    async fn size(&self, model: &str) -> Result<ModelInfo, Fault> {
        match self.kind() {
            ServerKind::Ollama => self.size_ollama(model).await,
            ServerKind::Openai => self.size_openai(model).await,
        }
    }

    async fn size_ollama(&self, model: &str) -> Result<ModelInfo, Fault> {
        let card = self.card(model).await?;
        if !card.chats() {
            return Err(Fault::Incapable { model: model.to_owned(), job: Message::OllamaJobChat });
        }
        let info = self.within_allowance(model, card.context());
        let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
        contexts.insert(model.to_owned(), info.context_window);
        Ok(info)
    }

    /// The context that the model really has; Ollama is asked for it once, another server may have been started anew since.
    async fn context(&self, model: &str) -> Result<usize, Fault> {
        let known = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).get(model).copied();
        match known {
            Some(context) => Ok(context),
            None => Ok(self.size(model).await?.context_window),
        }
    }

    async fn ask(&self, mut request: ChatRequest, format: Option<&Value>) -> Result<chat::Reply, Fault> {
        let limit = request.first_token;
        let work = async {
            let connection = Arc::clone(&self.connection);
            match self.kind() {
                ServerKind::Ollama => {
                    request.num_ctx = request.num_ctx.min(self.context(&request.model).await?);
                    ollama::chat(connection, &request, format).await
                }
                ServerKind::Openai => {
                    let list = self.listed().await?;
                    let missing = || Fault::ModelMissing(request.model.clone());
                    let entry = list.find(&request.model).ok_or_else(missing)?;
                    openai::chat(connection, &request, format, &list, entry).await
                }
            }
        };
        tokio::time::timeout(limit, work).await.unwrap_or(Err(Fault::Timeout(limit)))
    }
}

#[async_trait]
impl LanguageModel for ModelServer {
    async fn inspect(&self, model: &str) -> Result<ModelInfo, ModelError> {
        self.size(model).await.map_err(|problem| self.told(problem))
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        let reply = self.ask(request, None).await.map_err(|problem| self.told(problem))?;
        let server = self.clone();
        Ok(reply.map(move |piece| piece.map_err(|problem| server.told(problem))).boxed())
    }
}
