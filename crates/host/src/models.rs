use plumbline_contract::{CommandError, DoctorCheck, EmbedderInfo, ModelList, PullProgress, TokenStatus};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// Looks at every service, with another address of Ollama where one is given.
    pub async fn doctor(&self, ollama_url: Option<String>) -> Result<Vec<DoctorCheck>, CommandError> {
        let _ = ollama_url;
        Err(unfinished())
    }

    /// The models that are allowed or pulled.
    pub async fn models(&self) -> Result<ModelList, CommandError> {
        Err(unfinished())
    }

    /// Has Ollama download a model.
    pub async fn pull_model(
        &self,
        name: String,
        events: impl Fn(Vec<PullProgress>) + Send + Sync + 'static,
    ) -> Result<(), CommandError> {
        let _ = name;
        let _ = &events;
        Err(unfinished())
    }

    /// Stops a download.
    pub async fn stop_pull(&self, name: String) -> Result<(), CommandError> {
        let _ = name;
        Err(unfinished())
    }

    /// The models that can embed, and what switching costs.
    pub async fn embedders(&self) -> Result<Vec<EmbedderInfo>, CommandError> {
        Err(unfinished())
    }

    /// Embeds with another model; how far it is comes as a broadcast.
    pub async fn switch_embedder(&self, id: String) -> Result<(), CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// Where the token for a remote Ollama is kept.
    pub async fn token(&self) -> Result<TokenStatus, CommandError> {
        Err(unfinished())
    }

    /// Keeps a token.
    pub async fn set_token(&self, token: String) -> Result<TokenStatus, CommandError> {
        let _ = token;
        Err(unfinished())
    }

    /// Forgets the token.
    pub async fn clear_token(&self) -> Result<TokenStatus, CommandError> {
        Err(unfinished())
    }
}
