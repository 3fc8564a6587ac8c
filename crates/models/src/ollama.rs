//! The Ollama client: chat, vectors, scores, and what `doctor` needs to know.
//!
//! The server cuts in silence, so nothing is left to its defaults; what it says of itself reaches the user shortened
//! and without the token. `tests/fixtures/ollama` holds what a real server answered.

mod address;
mod chat;
mod diagnose;
mod embedder;
mod error;
mod http;
mod lines;
mod models;
mod pull;
mod reranker;
mod thoughts;
mod token;
mod token_store;
mod wire;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo};
use plumbline_core::settings::{ModelAllowance, ModelSettings};
use serde_json::Value;

pub use diagnose::{AddressFamily, Diagnosis, ModelReport, Problem, ProblemKind, diagnose};
pub use embedder::OllamaEmbedder;
pub use error::OllamaError;
pub use models::{LoadedModel, ModelCard, PulledModel, same_model};
pub use pull::{PullProgress, PullStream};
pub use reranker::OllamaReranker;
pub use token::{Token, TokenSource};
pub use token_store::{Kept, Keyring, KeyringUnusable, TokenStore};

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

/// One Ollama server. Clones share it.
#[derive(Clone)]
pub struct OllamaClient {
    connection: Arc<Connection>,
    deadlines: Deadlines,
    settings: Arc<ModelSettings>,
    /// The contexts that `/api/show` gave: the server clamps what is beyond them and does not say so.
    contexts: Arc<Mutex<HashMap<String, usize>>>,
}

impl OllamaClient {
    /// A client for the server in the settings; nothing is connected yet.
    pub fn new(settings: &ModelSettings, token: Option<TokenSource>) -> Result<Self, OllamaError> {
        Self::with_deadlines(settings, token, Deadlines::default())
    }

    /// As [`OllamaClient::new`], with other deadlines.
    pub fn with_deadlines(
        settings: &ModelSettings,
        token: Option<TokenSource>,
        deadlines: Deadlines,
    ) -> Result<Self, OllamaError> {
        let address = Address::parse(&settings.ollama_url)?;
        Ok(Self {
            connection: Arc::new(Connection::new(address, deadlines.connect, token)?),
            deadlines,
            settings: Arc::new(settings.clone()),
            contexts: Arc::default(),
        })
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

    fn told(&self, problem: OllamaError) -> ModelError {
        problem.into_model_error(self.address())
    }

    async fn size(&self, model: &str) -> Result<ModelInfo, OllamaError> {
        let card = self.show(model).await?;
        if !card.chats() {
            return Err(OllamaError::Incapable { model: model.to_owned(), job: Message::OllamaJobChat });
        }
        let allowed = self.allowance(model);
        let context =
            card.context().or(allowed.map(|allowed| allowed.context_window)).unwrap_or(UNKNOWN_CONTEXT);
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).insert(model.to_owned(), context);
        let response = allowed.map_or(UNKNOWN_RESPONSE, |allowed| allowed.max_response);
        Ok(ModelInfo { context_window: context, max_response: response.min(context) })
    }

    /// The context that the model really has, asked for once.
    async fn context(&self, model: &str) -> Result<usize, OllamaError> {
        let known = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).get(model).copied();
        match known {
            Some(context) => Ok(context),
            None => Ok(self.size(model).await?.context_window),
        }
    }

    async fn ask(
        &self,
        mut request: ChatRequest,
        format: Option<&Value>,
    ) -> Result<chat::Reply, OllamaError> {
        let limit = request.first_token;
        let work = async {
            request.num_ctx = request.num_ctx.min(self.context(&request.model).await?);
            chat::chat(Arc::clone(&self.connection), &request, format).await
        };
        tokio::time::timeout(limit, work).await.unwrap_or(Err(OllamaError::Timeout(limit)))
    }
}

#[async_trait]
impl LanguageModel for OllamaClient {
    async fn inspect(&self, model: &str) -> Result<ModelInfo, ModelError> {
        self.size(model).await.map_err(|problem| self.told(problem))
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        let reply = self.ask(request, None).await.map_err(|problem| self.told(problem))?;
        let client = self.clone();
        Ok(reply.map(move |piece| piece.map_err(|problem| client.told(problem))).boxed())
    }
}
