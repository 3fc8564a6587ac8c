//! Ollama's own protocol.

mod cards;
mod chat;
mod pull;
mod wire;

use plumbline_core::messages::Message;
use reqwest::Method;

pub use cards::{LoadedModel, ModelCard, PulledModel, same_model};
pub use pull::{PullProgress, PullStream};

pub(super) use chat::chat;

use super::diagnose::{Greeted, ModelReport};
use super::embedder::Embedded;
use super::http::{Deadline, check_kind, read_json};
use super::{Fault, ModelServer};
use wire::{EmbedBody, KEEP_ALIVE, Version};

impl ModelServer {
    /// Whether Ollama answers.
    pub(super) async fn greet_ollama(&self) -> Result<Greeted, Fault> {
        let deadline = Deadline::after(self.deadlines.lookup);
        let none: Option<&()> = None;
        let response = self.connection.send(Method::GET, "/api/version", none, "", deadline).await?;
        let from = response.remote_addr();
        check_kind(&response)?;
        let answer: Version =
            read_json(&self.connection, response, deadline).await.map_err(|problem| match problem {
                Fault::Malformed(_) => Fault::OtherServer(Message::OllamaNoVersion),
                other => other,
            })?;
        let version = Some(self.connection.shown(&answer.version));
        Ok(Greeted { version, from, product: Some("Ollama") })
    }

    /// The models that are pulled, with what is known of each.
    pub(super) async fn report_ollama(&self) -> Result<Vec<ModelReport>, Fault> {
        let pulled = self.list_pulled().await?;
        let loaded = self.list_loaded().await.unwrap_or_default();
        let mut reports = Vec::new();
        for model in pulled {
            // A model that cannot be looked at is still pulled.
            let card = self.card(&model.name).await.unwrap_or_default();
            let loaded = loaded.iter().find(|loaded| same_model(&loaded.name, &model.name));
            reports.push(ModelReport {
                size: Some(model.size),
                context_length: card.context(),
                loaded_context: loaded.and_then(|loaded| loaded.context_length),
                chats: card != ModelCard::default() && card.chats(),
                embeds: card.embeds(),
                allowed: self.allowance(&model.name).is_some(),
                name: model.name,
            });
        }
        Ok(reports)
    }

    /// What decides the vectors of a model, beside their length.
    pub(super) async fn identify_ollama(&self, model: &str) -> Result<String, Fault> {
        let pulled = self.list_pulled().await?;
        let found = pulled.into_iter().find(|pulled| same_model(&pulled.name, model));
        let found = found.ok_or_else(|| Fault::ModelMissing(model.to_owned()))?;
        Ok(format!("model={}", found.digest))
    }

    pub(super) async fn embed_ollama(&self, model: &str, input: &[&str]) -> Result<Embedded, Fault> {
        let body = EmbedBody { model, input, truncate: false, keep_alive: KEEP_ALIVE };
        let limit = self.deadlines.embed;
        let answer: wire::Embedded =
            self.connection.json(Method::POST, "/api/embed", Some(&body), model, limit).await?;
        let answered = answer.model.ok_or(Fault::Malformed("it names no model"))?;
        if !same_model(&answered, model) {
            let answered = self.connection.shown(&answered);
            return Err(Fault::OtherModel { asked: model.to_owned(), answered });
        }
        Ok(Embedded { vectors: answer.embeddings, tokens: None })
    }
}
