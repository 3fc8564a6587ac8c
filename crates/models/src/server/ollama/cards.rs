use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{Card, ModelBody, ModelList, Version};
use crate::server::{Fault, ModelServer, ServerError};

/// A model that is pulled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PulledModel {
    /// Its name with its tag.
    pub name: String,
    /// Bytes on disk.
    pub size: u64,
    /// Changes with every change of its content.
    pub digest: String,
}

/// A model in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// Its name with its tag.
    pub name: String,
    /// The context it was loaded with, which is what it really has; absent on old servers.
    pub context_length: Option<usize>,
    /// When it will be unloaded.
    pub expires_at: Option<String>,
}

/// What a model is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelCard {
    /// What it was trained for, in tokens.
    pub trained_context: Option<usize>,
    /// What its author set, in tokens.
    pub set_context: Option<usize>,
    /// What it can do; absent on old servers.
    pub capabilities: Option<Vec<String>>,
    /// Whether it turns its tokens into one vector, as embedding models do.
    pub pools: bool,
}

impl ModelCard {
    fn read(card: Card) -> Self {
        let info = card.model_info;
        let architecture = info.get("general.architecture").and_then(Value::as_str).unwrap_or_default();
        let of_architecture = |name: &str| info.get(&format!("{architecture}.{name}"));
        let size = |value: &Value| {
            value.as_u64().and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0)
        };
        let any_context = || {
            let ends = info.iter().filter(|(name, _)| name.ends_with(".context_length"));
            ends.filter_map(|(_, value)| size(value)).min()
        };
        let mut parameters = card.parameters.lines().map(str::split_whitespace);
        let set_context = parameters.find_map(|mut words| match (words.next(), words.next()) {
            (Some("num_ctx"), Some(value)) => value.parse().ok().filter(|size| *size > 0),
            _ => None,
        });
        Self {
            trained_context: of_architecture("context_length").and_then(size).or_else(any_context),
            set_context,
            capabilities: card.capabilities,
            pools: of_architecture("pooling_type").is_some(),
        }
    }

    /// The context that may be asked for: the server gives no more than the model was trained for and says nothing.
    pub fn context(&self) -> Option<usize> {
        match (self.trained_context, self.set_context) {
            (Some(trained), Some(set)) => Some(trained.min(set)),
            (trained, set) => trained.or(set),
        }
    }

    /// Whether it writes text; an old server does not tell.
    pub fn chats(&self) -> bool {
        self.can("completion").unwrap_or(!self.pools)
    }

    /// Whether its vectors mean anything: a chat model gives vectors too, when asked for some.
    pub fn embeds(&self) -> bool {
        self.can("embedding").unwrap_or(self.pools)
    }

    fn can(&self, what: &str) -> Option<bool> {
        self.capabilities.as_ref().map(|list| list.iter().any(|capability| capability == what))
    }
}

impl ModelServer {
    /// The server's version.
    pub async fn version(&self) -> Result<String, ServerError> {
        let none: Option<&()> = None;
        let limit = self.deadlines.lookup;
        let answer: Result<Version, Fault> =
            self.connection.json(Method::GET, "/api/version", none, "", limit).await;
        answer.map(|answer| answer.version).map_err(|fault| self.named(fault))
    }

    /// The models that are pulled.
    pub async fn pulled(&self) -> Result<Vec<PulledModel>, ServerError> {
        self.list_pulled().await.map_err(|fault| self.named(fault))
    }

    /// The models in memory.
    pub async fn loaded(&self) -> Result<Vec<LoadedModel>, ServerError> {
        self.list_loaded().await.map_err(|fault| self.named(fault))
    }

    /// What a model is.
    pub async fn show(&self, model: &str) -> Result<ModelCard, ServerError> {
        self.card(model).await.map_err(|fault| self.named(fault))
    }

    pub(in crate::server) async fn list_pulled(&self) -> Result<Vec<PulledModel>, Fault> {
        let none: Option<&()> = None;
        let list: ModelList<PulledModel> =
            self.connection.json(Method::GET, "/api/tags", none, "", self.deadlines.lookup).await?;
        Ok(list.models)
    }

    pub(in crate::server) async fn list_loaded(&self) -> Result<Vec<LoadedModel>, Fault> {
        let none: Option<&()> = None;
        let list: ModelList<LoadedModel> =
            self.connection.json(Method::GET, "/api/ps", none, "", self.deadlines.lookup).await?;
        Ok(list.models)
    }

    pub(in crate::server) async fn card(&self, model: &str) -> Result<ModelCard, Fault> {
        let body = ModelBody { model };
        let limit = self.deadlines.lookup;
        let card: Card = self.connection.json(Method::POST, "/api/show", Some(&body), model, limit).await?;
        Ok(ModelCard::read(card))
    }
}

/// Whether two names mean one model: case makes no difference, and no tag means `latest`.
pub fn same_model(one: &str, other: &str) -> bool {
    let bare = |name: &str| {
        let name = name.to_lowercase();
        name.strip_suffix(":latest").map(str::to_owned).unwrap_or(name)
    };
    bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn card(value: Value) -> ModelCard {
        ModelCard::read(serde_json::from_value(value).unwrap())
    }

    #[test]
    fn names_compare_without_case_and_without_latest() {
        for (one, other, same) in [
            ("SmolLM2:135M", "smollm2:135m", true),
            ("all-minilm", "all-minilm:latest", true),
            ("llama3.2", "llama3.2:1b", false),
            ("llama3.2:latest", "llama3.3", false),
        ] {
            assert_eq!(same_model(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn the_context_is_the_smaller_of_what_was_trained_and_what_was_set() {
        let info = json!({"general.architecture": "qwen2", "qwen2.context_length": 32768});
        assert_eq!(card(json!({"model_info": info})).context(), Some(32768));
        let set = "stop                           \"<|im_end|>\"\nnum_ctx                        4096";
        assert_eq!(card(json!({"model_info": info, "parameters": set})).context(), Some(4096));
        assert_eq!(card(json!({"model_info": info, "parameters": "num_ctx 65536"})).context(), Some(32768));
        assert_eq!(card(json!({"model_info": {}, "parameters": set})).context(), Some(4096));
        assert_eq!(card(json!({"model_info": {}, "parameters": "num_ctx many"})).context(), None);
        let other = json!({"model_info": {"mllama.context_length": 131072, "mllama.vision.block_count": 3}});
        assert_eq!(card(other).context(), Some(131_072), "without a named architecture");
        assert_eq!(card(json!({"model_info": {"a.context_length": 0}})).context(), None);
    }

    #[test]
    fn an_old_server_that_lists_no_capabilities_is_read_by_the_model_itself() {
        let bert = card(json!({"model_info": {"general.architecture": "bert", "bert.pooling_type": 1}}));
        assert!(bert.embeds() && !bert.chats());
        let llama = card(json!({"model_info": {"general.architecture": "llama"}}));
        assert!(llama.chats() && !llama.embeds());
        let both = card(json!({"model_info": {}, "capabilities": ["completion", "embedding"]}));
        assert!(both.chats() && both.embeds());
    }
}
