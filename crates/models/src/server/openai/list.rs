use serde::Deserialize;
use serde_json::{Map, Value};

use crate::server::same_model;

/// Where servers say how many tokens a model holds, the surest first: as it is loaded, as it is served, as it was trained.
const CONTEXTS: [&str; 6] = [
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_context_window",
];
/// What llama.cpp tells of a model under `meta`, and which of it belongs to the weights.
const META_CONTEXT: &str = "n_ctx";
const META_WEIGHTS: [&str; 5] = ["ftype", "n_embd", "n_params", "n_vocab", "size"];
/// Who owns the models of a server: the one thing by which servers differ that all of them tell.
const OWNERS: [(&str, &str); 5] = [
    ("llamacpp", "llama.cpp"),
    ("vllm", "vLLM"),
    ("organization_owner", "LM Studio"),
    ("organization-owner", "LM Studio"),
    ("library", "Ollama"),
];

/// The models of a server.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::server) struct Listed {
    pub data: Vec<Entry>,
    /// The same models in Ollama's form, with what they can do, as llama.cpp lists them.
    #[serde(default)]
    models: Vec<Value>,
}

/// One model.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::server) struct Entry {
    pub id: String,
    #[serde(flatten)]
    told: Map<String, Value>,
}

impl Listed {
    /// The model of this name.
    pub(in crate::server) fn find(&self, model: &str) -> Option<&Entry> {
        self.data.iter().find(|entry| entry.is(model))
    }

    /// Whether a model can do something, where the server tells what it can do.
    pub(super) fn can(&self, entry: &Entry, what: &str) -> Option<bool> {
        let tagged =
            self.models.iter().find(|one| one["name"].as_str().is_some_and(|name| entry.is(name)))?;
        let capabilities = tagged["capabilities"].as_array()?;
        Some(capabilities.iter().any(|capability| capability == what))
    }

    /// The server's name, where its models give it away.
    pub(super) fn product(&self) -> Option<&'static str> {
        let owner = self.data.first()?.told.get("owned_by")?.as_str()?;
        OWNERS.iter().find(|(known, _)| *known == owner).map(|(_, product)| *product)
    }
}

impl Entry {
    /// Every name that it has.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.told.get("aliases").and_then(Value::as_array).into_iter().flatten();
        std::iter::once(self.id.as_str()).chain(aliases.filter_map(Value::as_str))
    }

    pub(in crate::server) fn is(&self, model: &str) -> bool {
        self.names().any(|name| same_model(name, model))
    }

    /// How many tokens it holds, where the server tells.
    pub(super) fn context(&self) -> Option<usize> {
        let loaded = self.meta(META_CONTEXT).into_iter();
        let told = loaded.chain(CONTEXTS.iter().filter_map(|name| self.told.get(*name)));
        let mut sizes = told.filter_map(Value::as_u64).filter(|size| *size > 0);
        sizes.next().and_then(|size| usize::try_from(size).ok())
    }

    /// Bytes of its weights, where the server tells.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.meta("size").and_then(Value::as_u64)
    }

    /// What the server tells of its weights.
    pub(super) fn weights(&self) -> String {
        let meta = META_WEIGHTS.iter().filter_map(|name| Some(format!("{name}={}", self.meta(name)?)));
        let root = self.told.get("root").map(|root| format!("root={root}"));
        meta.chain(root).collect::<Vec<_>>().join(" ")
    }

    fn meta(&self, name: &str) -> Option<&Value> {
        self.told.get("meta")?.get(name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Listed {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn the_context_is_read_wherever_a_server_tells_it() {
        for (entry, context) in [
            (json!({"id": "m", "meta": {"n_ctx": 2048, "n_ctx_train": 8192}}), Some(2048)),
            (json!({"id": "m", "meta": null, "max_model_len": 32768}), Some(32768)),
            (json!({"id": "m", "loaded_context_length": 4096, "max_context_length": 131_072}), Some(4096)),
            (json!({"id": "m", "context_length": 200_000}), Some(200_000)),
            (json!({"id": "m", "context_length": "many", "max_model_len": 0}), None),
            (json!({"id": "m"}), None),
        ] {
            let list = read(json!({"data": [entry]}));
            assert_eq!(list.data[0].context(), context, "{entry}");
        }
    }

    #[test]
    fn servers_are_told_apart_by_whom_their_models_belong_to() {
        for (owner, product) in [
            (json!("llamacpp"), Some("llama.cpp")),
            (json!("vllm"), Some("vLLM")),
            (json!("organization_owner"), Some("LM Studio")),
            (json!("library"), Some("Ollama")),
            (json!("somebody"), None),
            (json!(null), None),
        ] {
            assert_eq!(read(json!({"data": [{"id": "m", "owned_by": owner}]})).product(), product, "{owner}");
        }
        assert_eq!(read(json!({"data": []})).product(), None);
    }

    #[test]
    fn a_model_is_known_by_every_name_that_it_has() {
        let list = read(json!({
            "data": [{"id": "/models/a.gguf", "aliases": ["small", "a"]}, {"id": "B"}],
            "models": [{"name": "small", "capabilities": ["completion"]}],
        }));
        let small = list.find("small").unwrap();
        assert_eq!(small.id, "/models/a.gguf");
        assert_eq!((list.can(small, "completion"), list.can(small, "embedding")), (Some(true), Some(false)));
        let other = list.find("b:latest").unwrap();
        assert_eq!((other.id.as_str(), list.can(other, "completion")), ("B", None));
        assert!(list.find("c").is_none());
    }
}
