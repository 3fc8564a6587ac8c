//! OpenAI's protocol, as llama.cpp's server, LM Studio, vLLM and gateways speak it.
//!
//! Nothing in it says how long a prompt may be or asks for it not to be cut, so the list of models is asked for what they
//! hold, and the server's counts are held against ours.

mod chat;
mod list;
mod wire;

use plumbline_core::messages::Message;
use plumbline_core::ports::ModelInfo;
use reqwest::Method;

pub(super) use chat::chat;
pub(super) use list::{Entry, Listed};

use super::diagnose::{Greeted, ModelReport};
use super::embedder::Embedded;
use super::http::{Deadline, check_kind, read_json};
use super::{Fault, ModelServer};
use wire::{EmbedBody, Vectors};

impl ModelServer {
    /// The models that the server lists.
    pub(super) async fn listed(&self) -> Result<Listed, Fault> {
        Ok(self.list().await?.0)
    }

    /// The list, with who answered.
    async fn list(&self) -> Result<(Listed, Greeted), Fault> {
        let deadline = Deadline::after(self.deadlines.lookup);
        let none: Option<&()> = None;
        let response = self.connection.send(Method::GET, "/models", none, "", deadline).await?;
        let from = response.remote_addr();
        check_kind(&response)?;
        let list: Listed = read_json(&self.connection, response, deadline).await?;
        let product = list.product();
        Ok((list, Greeted { version: None, from, product }))
    }

    /// Whether such a server answers.
    pub(super) async fn greet_openai(&self) -> Result<Greeted, Fault> {
        let listed = self.list().await.map_err(|problem| match problem {
            Fault::Malformed(_) => Fault::OtherServer(Message::OpenaiNoList),
            other => other,
        });
        Ok(listed?.1)
    }

    /// The models that are served, with what is known of each.
    pub(super) async fn report_openai(&self) -> Result<Vec<ModelReport>, Fault> {
        let list = self.listed().await?;
        let report = |entry: &Entry| {
            let settings = &self.settings;
            // The settings' spelling is the one that the settings understand.
            let known = settings.allow.keys().find(|model| entry.is(model));
            let name = known.cloned().unwrap_or_else(|| self.connection.shown(&entry.id));
            // Most servers do not tell what a model can do; the settings say which one is to embed.
            let is_embedder = settings.embedder.as_deref().is_some_and(|model| entry.is(model));
            ModelReport {
                size: entry.bytes(),
                context_length: entry.context(),
                loaded_context: None,
                chats: list.can(entry, "completion").unwrap_or(!is_embedder),
                embeds: list.can(entry, "embedding").unwrap_or(is_embedder),
                allowed: known.is_some(),
                name,
            }
        };
        Ok(list.data.iter().map(report).collect())
    }

    /// What a model holds: by the server's account, else by the settings'.
    pub(super) async fn size_openai(&self, model: &str) -> Result<ModelInfo, Fault> {
        let list = self.listed().await?;
        let entry = list.find(model).ok_or_else(|| Fault::ModelMissing(model.to_owned()))?;
        if list.can(entry, "completion") == Some(false) {
            return Err(Fault::Incapable { model: model.to_owned(), job: Message::OllamaJobChat });
        }
        Ok(self.within_allowance(model, entry.context()))
    }

    /// Whether a model is there and may embed.
    pub(super) async fn check_embeds_openai(&self, model: &str) -> Result<(), Fault> {
        let list = self.listed().await?;
        let entry = list.find(model).ok_or_else(|| Fault::ModelMissing(model.to_owned()))?;
        match list.can(entry, "embedding") {
            Some(false) => Err(Fault::Incapable { model: model.to_owned(), job: Message::OllamaJobEmbed }),
            _ => Ok(()),
        }
    }

    /// What the server tells of the weights of a model.
    pub(super) async fn identify_openai(&self, model: &str) -> Result<String, Fault> {
        let list = self.listed().await?;
        let entry = list.find(model).ok_or_else(|| Fault::ModelMissing(model.to_owned()))?;
        Ok(format!("model={} {}", entry.id, entry.weights()))
    }

    pub(super) async fn embed_openai(&self, model: &str, input: &[&str]) -> Result<Embedded, Fault> {
        let body = EmbedBody { model, input, encoding_format: "float" };
        let limit = self.deadlines.embed;
        let answer: Vectors =
            self.connection.json(Method::POST, "/embeddings", Some(&body), model, limit).await?;
        let tokens = answer.usage.and_then(|usage| usage.prompt_tokens).filter(|tokens| *tokens > 0);
        let mut vectors = vec![None; input.len()];
        for item in answer.data {
            // The order is the server's own; the place says which text is meant.
            let place = vectors.get_mut(item.index).filter(|place| place.is_none());
            *place.ok_or(Fault::Malformed("there is not one vector for each text"))? = Some(item.embedding);
        }
        let vectors: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        let vectors = vectors.ok_or(Fault::Malformed("there is not one vector for each text"))?;
        Ok(Embedded { vectors, tokens })
    }
}
