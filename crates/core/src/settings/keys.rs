//! Every setting by name, and what is allowed in it.

use toml::Value;

pub(super) struct Key {
    pub section: &'static str,
    pub name: &'static str,
    pub rule: Rule,
}

pub(super) enum Rule {
    Bool,
    OneOf(&'static [&'static str]),
    Address,
    OptionalAddress,
    OptionalText,
    Whole(i64, i64),
    Number(f64, f64),
    /// The table of allowed models.
    Models,
}

const fn key(section: &'static str, name: &'static str, rule: Rule) -> Key {
    Key { section, name, rule }
}

const SHARE: Rule = Rule::Number(0.0, 1.0);
const PERCENT: Rule = Rule::Whole(0, 100);
const TOKENS: Rule = Rule::Whole(16, 1_048_576);

pub(super) static KEYS: &[Key] = &[
    key("general", "language", Rule::OneOf(&["en", "nl"])),
    key("general", "privacy", Rule::Bool),
    key("general", "outside_knowledge", Rule::Bool),
    key("models", "ollama_url", Rule::Address),
    key("models", "answer", Rule::OptionalText),
    key("models", "planner", Rule::OptionalText),
    key("models", "judge", Rule::OptionalText),
    key("models", "embedder", Rule::OptionalText),
    key("models", "reranker", Rule::OptionalText),
    key("models", "temperature", Rule::Number(0.0, 2.0)),
    key("models", "seed", Rule::Whole(0, i64::MAX)),
    key("models", "timeout_seconds", Rule::Whole(1, 3600)),
    key("models", "prompt_tokens_per_second", Rule::Number(0.1, 100_000.0)),
    key("models", "allow", Rule::Models),
    key("budget", "max_context_tokens", TOKENS),
    key("budget", "max_history_tokens", Rule::Whole(0, 1_048_576)),
    key("budget", "max_response_tokens", TOKENS),
    key("budget", "system_prompt_tokens", Rule::Whole(0, 1_048_576)),
    key("retrieval", "min_similarity", SHARE),
    key("retrieval", "rerank_floor", SHARE),
    key("retrieval", "max_chunks_per_doc", Rule::Whole(1, 100)),
    key("retrieval", "total_chunks", Rule::Whole(1, 100)),
    key("retrieval", "over_fetch", Rule::Whole(1, 100)),
    key("retrieval", "overlap_threshold", SHARE),
    key("retrieval", "rerank_pool", Rule::Whole(1, 1000)),
    key("retrieval", "rerank_keep", Rule::Whole(1, 1000)),
    key("retrieval", "kind_boost_rerank", SHARE),
    key("retrieval", "kind_boost_fused", Rule::Number(1.0, 10.0)),
    key("retrieval", "lexical_weight", Rule::Number(0.0, 10.0)),
    key("retrieval", "lane_deadline_ms", Rule::Whole(1, 600_000)),
    key("retrieval", "rerank_deadline_ms", Rule::Whole(1, 600_000)),
    key("retrieval", "confidence_threshold", PERCENT),
    key("retrieval", "abstain_at", PERCENT),
    key("retrieval", "fallback_penalty", SHARE),
    key("grounding", "min_content_share", SHARE),
    key("curated", "pinned_accept", SHARE),
    key("curated", "pinned_border", SHARE),
    key("curated", "judge_accept", SHARE),
    key("curated", "note_accept", SHARE),
    key("curated", "note_spares", SHARE),
    key("curated", "note_references", Rule::Whole(1, 100)),
    key("curated", "reference_score", SHARE),
    key("vocabulary", "timeout_ms", Rule::Whole(1, 60_000)),
    key("vocabulary", "cache_ttl_seconds", Rule::Whole(0, 31_536_000)),
    key("vocabulary", "cache_max_size", Rule::Whole(0, 10_000_000)),
    key("vocabulary", "skosmos_url", Rule::OptionalAddress),
    key("vocabulary", "skosmos_vocabularies", Rule::OptionalText),
    key("breaker", "failure_threshold", Rule::Whole(1, 1000)),
    key("breaker", "success_threshold", Rule::Whole(1, 1000)),
    key("breaker", "timeout_seconds", Rule::Whole(1, 86_400)),
    key("limits", "question_chars", Rule::Whole(1, 1_000_000)),
    key("limits", "stale_after_months", Rule::Whole(0, 1200)),
];

/// The names of the seed's environment variables, and the settings they mean.
pub(super) static SHORT_VARIABLES: [(&str, &str); 13] = [
    ("OLLAMA_BASE_URL", "models.ollama_url"),
    ("CHAT_MODEL", "models.answer"),
    ("RAG_TEMPERATURE", "models.temperature"),
    ("RAG_TIMEOUT_SECONDS", "models.timeout_seconds"),
    ("RAG_MAX_CONTEXT_TOKENS", "budget.max_context_tokens"),
    ("RAG_MAX_HISTORY_TOKENS", "budget.max_history_tokens"),
    ("RAG_MAX_RESPONSE_TOKENS", "budget.max_response_tokens"),
    ("RAG_SYSTEM_PROMPT_TOKENS", "budget.system_prompt_tokens"),
    ("RAG_MIN_SIMILARITY_SCORE", "retrieval.min_similarity"),
    ("RAG_MAX_CHUNKS_PER_DOC", "retrieval.max_chunks_per_doc"),
    ("RAG_TOTAL_CONTEXT_CHUNKS", "retrieval.total_chunks"),
    ("RAG_CHUNK_OVERLAP_THRESHOLD", "retrieval.overlap_threshold"),
    ("RAG_CONFIDENCE_THRESHOLD", "retrieval.confidence_threshold"),
];

impl Key {
    /// `section.name`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// `PLUMBLINE_SECTION_NAME`.
    pub fn variable(&self) -> String {
        format!("PLUMBLINE_{}_{}", self.section, self.name).to_uppercase()
    }

    pub fn find(path: &str) -> Option<&'static Self> {
        let (section, name) = path.split_once('.')?;
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }
}

impl Rule {
    /// What is allowed, as the end of "must be …".
    pub fn allowed(&self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::OneOf(values) => {
                values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(" or ")
            }
            Self::Address | Self::OptionalAddress => {
                "an address that begins with http:// or https:// and holds no user name or password".to_owned()
            }
            Self::OptionalText => "text".to_owned(),
            Self::Whole(least, i64::MAX) => format!("a whole number from {least} on"),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Models => "a table of models such as \
                { \"llama3.2\" = { context_window = 8192, max_response = 1024 } }, with 16 <= max_response < context_window; \
                false instead of the inner table takes a model off the list"
                .to_owned(),
        }
    }

    /// The value as it is kept, or nothing where it clears an optional setting.
    pub fn accept(&self, value: &Value) -> Result<Option<Value>, ()> {
        match (self, value) {
            (Self::Bool, Value::Boolean(_)) => Ok(Some(value.clone())),
            (Self::OneOf(values), Value::String(text)) if values.contains(&text.as_str()) => {
                Ok(Some(value.clone()))
            }
            (Self::OptionalText | Self::OptionalAddress, Value::String(text)) if text.trim().is_empty() => {
                Ok(None)
            }
            (Self::OptionalText, Value::String(text)) => Ok(Some(Value::String(text.trim().to_owned()))),
            (Self::Address | Self::OptionalAddress, Value::String(text)) => address(text).map(Some).ok_or(()),
            (Self::Whole(least, most), Value::Integer(number)) if (least..=most).contains(&number) => {
                Ok(Some(value.clone()))
            }
            (Self::Number(least, most), Value::Float(number)) if (least..=most).contains(&number) => {
                Ok(Some(value.clone()))
            }
            (Self::Number(..), Value::Integer(number)) => self.accept(&Value::Float(*number as f64)),
            (Self::Models, Value::Table(models)) if models.iter().all(|(_, entry)| is_allowance(entry)) => {
                Ok(Some(value.clone()))
            }
            _ => Err(()),
        }
    }

    /// Reads what a variable or a flag says.
    pub fn read(&self, text: &str) -> Value {
        let text = text.trim();
        let read = match self {
            Self::Bool => match text.to_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(Value::Boolean(true)),
                "false" | "0" | "no" | "off" => Some(Value::Boolean(false)),
                _ => None,
            },
            Self::Whole(..) => text.parse().ok().map(Value::Integer),
            Self::Number(..) => text.parse().ok().map(Value::Float),
            Self::Models => toml::from_str::<toml::Table>(&format!("models = {text}"))
                .ok()
                .and_then(|mut table| table.remove("models")),
            Self::OneOf(_) | Self::Address | Self::OptionalAddress | Self::OptionalText => None,
        };
        read.unwrap_or_else(|| Value::String(text.to_owned()))
    }

    /// The value as an error may show it: a password stays out of messages and logs.
    pub fn shown(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Address | Self::OptionalAddress, Value::String(text)) => match text.rsplit_once('@') {
                Some((_, host)) => format!("\"…@{host}\""),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }
}

fn address(text: &str) -> Option<Value> {
    let text = text.trim().trim_end_matches('/');
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
    let host = rest.split('/').next().unwrap_or_default();
    let sound =
        !host.is_empty() && !host.starts_with(':') && !rest.contains(['@', '?', '#', '"', '<', '>', '\\']);
    (sound && !rest.contains(char::is_whitespace)).then(|| Value::String(text.to_owned()))
}

fn is_allowance(entry: &Value) -> bool {
    let Value::Table(entry) = entry else {
        return entry.as_bool() == Some(false);
    };
    let size = |name| entry.get(name).and_then(Value::as_integer).unwrap_or(-1);
    let (window, response) = (size("context_window"), size("max_response"));
    entry.len() == 2 && (16..window).contains(&response) && window <= 16_777_216
}
