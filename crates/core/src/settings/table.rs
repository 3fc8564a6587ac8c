//! The table of settings: each is declared here once, with its default, what is allowed in it and what it does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::declare::{optional, settings};
use super::keys::Rule::{self, Address, Bool, Models, Number, OneOf, OptionalAddress, OptionalText, Whole};
use super::keys::{Key, PERCENT, SHARE, TOKENS};
use crate::domain::Language;

settings! {
    /// Language, privacy and what is allowed at all.
    [general] GeneralSettings {
        /// Of window and messages; answers are in the documents' language.
        language: Language = Language::EN, Rule::Language;
        /// Whether the text of questions stays out of logs and audit records.
        privacy: bool = false, Bool;
        /// Whether a model may answer from its own knowledge, marked as such, where the library holds nothing.
        outside_knowledge: bool = false, Bool;
    }

    /// Language models and how they are asked.
    [models] ModelSettings {
        /// What serves the models: "ollama", or "openai" for any server that speaks OpenAI's protocol (llama.cpp's, LM Studio, vLLM, a
        /// gateway of the organisation).
        server: ServerKind = ServerKind::Ollama, OneOf(ServerKind::NAMES);
        /// Where Ollama is.
        ollama_url: String = "http://localhost:11434".to_owned(), Address, ["OLLAMA_BASE_URL"];
        /// Where the server is that speaks OpenAI's protocol, as its own clients are told: with `/v1` where it has that.
        openai_url: String = "http://localhost:8080/v1".to_owned(), Address, ["OPENAI_BASE_URL"];
        /// The model that answers; absent: answers are composed of verbatim sentences, no model takes part.
        answer: Option<String> = None, OptionalText, ["CHAT_MODEL"], such as "llama3.2";
        /// The model that rewrites questions and checks the outline; absent: neither happens.
        planner: Option<String> = None, OptionalText, such as "llama3.2";
        /// The model that rates how well an answer is supported; absent: the other two signals decide.
        judge: Option<String> = None, OptionalText, such as "qwen3:8b";
        /// The server's model that turns texts into vectors, for libraries in other languages; absent: the built-in one, English and
        /// Dutch.
        embedder: Option<String> = None, OptionalText, such as "bge-m3";
        /// What puts passages in order: a folder with a BERT-style cross-encoder (model.safetensors, tokenizer.json, config.json),
        /// or the server's model as a judge; absent: the lanes' own order.
        reranker: Option<String> = None, OptionalText, such as "qwen3:8b";
        /// What tells whether a passage answers and whether a statement follows from it: a folder with a cross-encoder of four
        /// outputs; "off": cosines and words decide alone; absent: the built-in one, English and Dutch.
        reader: Option<String> = None, OptionalText, such as "off";
        /// Low, so that answers repeat.
        temperature: f32 = 0.1, Number(0.0, 2.0), ["RAG_TEMPERATURE"];
        /// Fixed, so that answers repeat.
        seed: u64 = 42, Whole(0, i64::MAX);
        /// Between two tokens, and in all for planner and judge.
        timeout_seconds: u64 = 30, Whole(1, 3600), ["RAG_TIMEOUT_SECONDS"];
        /// How fast a model is taken to read its prompt until that has been measured.
        prompt_tokens_per_second: f64 = 20.0, Number(0.1, 100_000.0);
        /// The models that may be used, and how much of each. A file of yours adds to this list; `"name" = false` takes one off.
        allow: BTreeMap<String, ModelAllowance> = allowed_models(), Models;
    }

    /// A small model that Plumbline runs by itself, with the `llama-server` program of llama.cpp.
    #[derive(Eq)]
    [managed] ManagedSettings {
        /// Whether it is used in place of the server above. Nothing is downloaded and nothing runs before this is asked for.
        enabled: bool = false, Bool;
        /// Where `llama-server` is; absent: wherever the system finds programs.
        program: Option<String> = None, OptionalText, such as "/usr/local/bin/llama-server";
        /// From where the model is downloaded when that is asked for: a GGUF file.
        address: Option<String> = None, OptionalAddress, such as "https://models.example.org/small-model.gguf";
        /// The SHA-256 of that file, 64 hexadecimal digits. What is something else is thrown away.
        sha256: Option<String> = None, OptionalText, such as "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
        /// A GGUF file that is here already, in place of a download.
        file: Option<String> = None, OptionalText, such as "/data/small-model.gguf";
        /// Memory that it may take; where it takes more it is ended.
        memory_mb: u64 = 4096, Whole(16, 1_048_576);
        /// Tokens of prompt and reply together.
        context: usize = 8192, TOKENS;
        /// The port of this machine that is tried first; where it is taken, another one is.
        port: u16 = 11_500, Whole(1, 65_535);
    }

    /// How a model's context window is shared out, in tokens.
    #[derive(Copy, Eq)]
    [budget] BudgetSettings {
        /// Passages.
        max_context_tokens: usize = 3000, TOKENS, ["RAG_MAX_CONTEXT_TOKENS"];
        /// The conversation so far.
        max_history_tokens: usize = 1000, Whole(0, 1_048_576), ["RAG_MAX_HISTORY_TOKENS"];
        /// The answer.
        max_response_tokens: usize = 1024, TOKENS, ["RAG_MAX_RESPONSE_TOKENS"];
        /// Kept free for the system prompt at the least.
        system_prompt_tokens: usize = 500, Whole(0, 1_048_576), ["RAG_SYSTEM_PROMPT_TOKENS"];
    }

    /// Lanes, fusion, filters, and what confidence decides.
    #[derive(Copy)]
    [retrieval] RetrievalSettings {
        /// Passages under it are noise.
        min_similarity: f32 = 0.30, SHARE, ["RAG_MIN_SIMILARITY_SCORE"];
        /// The same where a reranker decides the order: it rescues passages that cosine ranks low.
        rerank_floor: f32 = 0.18, SHARE;
        /// At most this many passages of one document.
        max_chunks_per_doc: usize = 3, Whole(1, 100), ["RAG_MAX_CHUNKS_PER_DOC"];
        /// At most this many passages in all that an answer may rest on.
        total_chunks: usize = 5, Whole(1, 100), ["RAG_TOTAL_CONTEXT_CHUNKS"];
        /// Times as many candidates are fetched as are used.
        over_fetch: usize = 3, Whole(1, 100);
        /// Passages more alike than this are duplicates.
        overlap_threshold: f64 = 0.9, SHARE, ["RAG_CHUNK_OVERLAP_THRESHOLD"];
        /// Candidates that a reranker reads.
        rerank_pool: usize = 60, Whole(1, 1000);
        /// Candidates that it keeps.
        rerank_keep: usize = 16, Whole(1, 1000);
        /// Added to the reranker's score of a kind that the question names.
        kind_boost_rerank: f32 = 0.15, SHARE;
        /// The factor for such a kind where there is no reranker.
        kind_boost_fused: f32 = 1.15, Number(1.0, 10.0);
        /// How far the question's words lift a passage that holds all of them: this part of the way from the best cosine to 1;
        /// half the question, a quarter of that. 0: the cosine alone decides.
        lexical_weight: f32 = 0.8, Number(0.0, 10.0);
        /// A lane that takes longer is left out, and the answer says so.
        lane_deadline_ms: u64 = 2000, Whole(1, 600_000);
        /// The same for a reranker, and for reading passages sentence by sentence.
        rerank_deadline_ms: u64 = 20_000, Whole(1, 600_000);
        /// Under it the evidence and its owner are shown instead of an answer.
        confidence_threshold: u8 = 60, PERCENT, ["RAG_CONFIDENCE_THRESHOLD"];
        /// At or under it the question is refused.
        abstain_at: u8 = 40, PERCENT;
        /// The factor on confidence while something is degraded.
        fallback_penalty: f64 = 0.8, SHARE;
    }

    /// What the passages must hold of a sentence.
    #[derive(Copy)]
    [grounding] GroundingSettings {
        /// Share of its content words that its cited passages must hold; as much of it, up to 0.6, must stand close together.
        min_content_share: f64 = 0.6, SHARE;
    }

    /// When curated memory is taken.
    #[derive(Copy)]
    [curated] CuratedSettings {
        /// A pinned question as near as this is taken.
        pinned_accept: f32 = 0.85, SHARE;
        /// From here a reranker is asked; without one it is not taken.
        pinned_border: f32 = 0.70, SHARE;
        /// What the reranker must give then.
        judge_accept: f32 = 0.50, SHARE;
        /// A background note as near as this shapes the framing.
        note_accept: f32 = 0.60, SHARE;
        /// From here a note with enough references spares the search of the library.
        note_spares: f32 = 0.70, SHARE;
        /// How many are enough.
        note_references: usize = 3, Whole(1, 100);
        /// The score at which a note's references enter.
        reference_score: f32 = 0.75, SHARE;
    }

    /// The vocabulary of record.
    #[derive(Eq)]
    [vocabulary] VocabularySettings {
        /// For a look-up in all.
        timeout_ms: u64 = 300, Whole(1, 60_000);
        /// How long a look-up is remembered.
        cache_ttl_seconds: u64 = 600, Whole(0, 31_536_000);
        /// How many are.
        cache_max_size: u64 = 5000, Whole(0, 10_000_000);
        /// Where SKOSMOS is; absent: the vocabulary files of the library are used.
        skosmos_url: Option<String> = None, OptionalAddress, such as "https://skosmos.example.org";
        /// The ids of its vocabularies to ask, in order of authority, separated by commas; absent: all that the server has, which is
        /// slow.
        skosmos_vocabularies: Option<String> = None, OptionalText, such as "energy, assets";
    }

    /// Libraries that a team publishes.
    #[derive(Copy, Eq)]
    [team] TeamSettings {
        /// How often it is looked for a newer generation of those that are followed, in seconds. 0: only when it is asked for.
        follow_seconds: u64 = 900, Whole(0, 604_800);
    }

    /// When a service is left alone.
    #[derive(Copy, Eq)]
    [breaker] BreakerSettings {
        /// Consecutive failures before it is.
        failure_threshold: u32 = 5, Whole(1, 1000);
        /// Successes before it is used as usual again.
        success_threshold: u32 = 2, Whole(1, 1000);
        /// How long it is left alone.
        timeout_seconds: u64 = 30, Whole(1, 86_400);
    }

    /// What is too long and too old.
    #[derive(Copy, Eq)]
    [limits] LimitSettings {
        /// A longer question is not read.
        question_chars: usize = 8000, Whole(1, 1_000_000);
        /// A document without an update for longer carries a notice.
        stale_after_months: i64 = 6, Whole(0, 1200);
    }
}

/// What serves the models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ServerKind {
    /// Ollama, in its own protocol.
    Ollama,
    /// Any server that speaks OpenAI's protocol.
    Openai,
}

impl ServerKind {
    /// As the settings spell them.
    const NAMES: &'static [&'static str] = &["ollama", "openai"];

    /// The setting with the address of such a server.
    pub const fn address_key(self) -> &'static str {
        match self {
            Self::Ollama => "models.ollama_url",
            Self::Openai => "models.openai_url",
        }
    }
}

impl ModelSettings {
    /// Where the server is that is asked.
    pub fn address(&self) -> &str {
        match self.server {
            ServerKind::Ollama => &self.ollama_url,
            ServerKind::Openai => &self.openai_url,
        }
    }
}

/// How much of a model may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelAllowance {
    /// Tokens of prompt and reply together.
    pub context_window: usize,
    /// Tokens of the reply at most.
    pub max_response: usize,
}

fn allowed_models() -> BTreeMap<String, ModelAllowance> {
    let models = [("llama3.2", 8192, 1024), ("qwen3:8b", 32768, 2048), ("deepseek-r1:32b", 65536, 4096)];
    models
        .map(|(model, context_window, max_response)| {
            (model.to_owned(), ModelAllowance { context_window, max_response })
        })
        .into()
}

impl Key {
    /// The setting of this path.
    pub fn find(path: &str) -> Option<&'static Self> {
        let (section, name) = path.split_once('.')?;
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }
}
