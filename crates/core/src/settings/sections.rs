use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::Language;

/// Language, privacy and what is allowed at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GeneralSettings {
    /// Of window and messages.
    pub language: Language,
    /// Whether the text of questions stays out of logs and audit records.
    pub privacy: bool,
    /// Whether a model may answer from its own knowledge where the library holds nothing.
    pub outside_knowledge: bool,
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

/// Language models and how they are asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelSettings {
    /// Where Ollama is.
    pub ollama_url: String,
    /// The model that answers; without one, answers are extracts.
    pub answer: Option<String>,
    /// The model that rewrites questions and checks the outline.
    pub planner: Option<String>,
    /// The model that rates how well an answer is supported.
    pub judge: Option<String>,
    /// Ollama's model that turns texts into vectors; without one, the built-in embedder does.
    pub embedder: Option<String>,
    /// What puts passages in order: a folder with a cross-encoder, or Ollama's model that rates them.
    pub reranker: Option<String>,
    /// Low, so that answers repeat.
    pub temperature: f32,
    /// Fixed, so that answers repeat.
    pub seed: u64,
    /// Between two tokens, and in all for planner and judge.
    pub timeout_seconds: u64,
    /// How fast a model is taken to read its prompt until that has been measured.
    pub prompt_tokens_per_second: f64,
    /// The models that may be used.
    pub allow: BTreeMap<String, ModelAllowance>,
}

/// How a model's context window is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BudgetSettings {
    /// Passages.
    pub max_context_tokens: usize,
    /// The conversation so far.
    pub max_history_tokens: usize,
    /// The answer.
    pub max_response_tokens: usize,
    /// Kept free for the system prompt at the least.
    pub system_prompt_tokens: usize,
}

/// Lanes, fusion, filters, and what confidence decides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RetrievalSettings {
    /// Passages under it are noise.
    pub min_similarity: f32,
    /// The same where a reranker decides the order.
    pub rerank_floor: f32,
    /// At most this many passages of one document.
    pub max_chunks_per_doc: usize,
    /// At most this many passages in all.
    pub total_chunks: usize,
    /// Times as many candidates are fetched as are used.
    pub over_fetch: usize,
    /// Passages more alike than this are duplicates.
    pub overlap_threshold: f64,
    /// Candidates that a reranker reads.
    pub rerank_pool: usize,
    /// Candidates that it keeps.
    pub rerank_keep: usize,
    /// Added to the reranker's score of a kind that the question names.
    pub kind_boost_rerank: f32,
    /// The factor for such a kind where there is no reranker.
    pub kind_boost_fused: f32,
    /// How far the question's words lift a passage that holds all of them, from the best cosine towards 1.
    pub lexical_weight: f32,
    /// A lane that takes longer is left out.
    pub lane_deadline_ms: u64,
    /// A reranker that takes longer is left out.
    pub rerank_deadline_ms: u64,
    /// Under it the evidence and its owner are shown instead of an answer.
    pub confidence_threshold: u8,
    /// At or under it the question is refused.
    pub abstain_at: u8,
    /// The factor on confidence while something is degraded.
    pub fallback_penalty: f64,
}

/// What the passages must hold of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GroundingSettings {
    /// Share of its content words.
    pub min_content_share: f64,
}

/// When curated memory is taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CuratedSettings {
    /// A pinned question as near as this is taken.
    pub pinned_accept: f32,
    /// From here a reranker is asked.
    pub pinned_border: f32,
    /// What the reranker must give then.
    pub judge_accept: f32,
    /// A background note as near as this shapes the framing.
    pub note_accept: f32,
    /// From here a note with enough references spares the search of the library.
    pub note_spares: f32,
    /// How many are enough.
    pub note_references: usize,
    /// The score at which a note's references enter.
    pub reference_score: f32,
}

/// The vocabulary of record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VocabularySettings {
    /// For a look-up in all.
    pub timeout_ms: u64,
    /// How long a look-up is remembered.
    pub cache_ttl_seconds: u64,
    /// How many are.
    pub cache_max_size: u64,
    /// Where SKOSMOS is; without it the library's vocabulary files are used.
    pub skosmos_url: Option<String>,
    /// The ids of its vocabularies to ask, in order of authority, separated by commas; all of them, slowly, where absent.
    pub skosmos_vocabularies: Option<String>,
}

/// When a service is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BreakerSettings {
    /// Consecutive failures before it is.
    pub failure_threshold: u32,
    /// Successes before it is used as usual again.
    pub success_threshold: u32,
    /// How long it is left alone.
    pub timeout_seconds: u64,
}

/// What is too long and too old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LimitSettings {
    /// A longer question is not read.
    pub question_chars: usize,
    /// A document without an update for longer carries a notice.
    pub stale_after_months: i64,
}

// `config/default.toml` in Rust, so that a default can never fail; a test holds the two together.

impl Default for GeneralSettings {
    fn default() -> Self {
        Self { language: Language::EN, privacy: false, outside_knowledge: false }
    }
}

impl Default for ModelSettings {
    fn default() -> Self {
        let allow = [("llama3.2", 8192, 1024), ("qwen3:8b", 32768, 2048), ("deepseek-r1:32b", 65536, 4096)];
        Self {
            ollama_url: "http://localhost:11434".to_owned(),
            answer: None,
            planner: None,
            judge: None,
            embedder: None,
            reranker: None,
            temperature: 0.1,
            seed: 42,
            timeout_seconds: 30,
            prompt_tokens_per_second: 20.0,
            allow: allow
                .map(|(model, context_window, max_response)| {
                    (model.to_owned(), ModelAllowance { context_window, max_response })
                })
                .into(),
        }
    }
}

impl Default for BudgetSettings {
    fn default() -> Self {
        Self {
            max_context_tokens: 3000,
            max_history_tokens: 1000,
            max_response_tokens: 1024,
            system_prompt_tokens: 500,
        }
    }
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            min_similarity: 0.30,
            rerank_floor: 0.18,
            max_chunks_per_doc: 3,
            total_chunks: 5,
            over_fetch: 3,
            overlap_threshold: 0.9,
            rerank_pool: 60,
            rerank_keep: 16,
            kind_boost_rerank: 0.15,
            kind_boost_fused: 1.15,
            lexical_weight: 0.8,
            lane_deadline_ms: 2000,
            rerank_deadline_ms: 20_000,
            confidence_threshold: 60,
            abstain_at: 40,
            fallback_penalty: 0.8,
        }
    }
}

impl Default for GroundingSettings {
    fn default() -> Self {
        Self { min_content_share: 0.5 }
    }
}

impl Default for CuratedSettings {
    fn default() -> Self {
        Self {
            pinned_accept: 0.85,
            pinned_border: 0.70,
            judge_accept: 0.50,
            note_accept: 0.60,
            note_spares: 0.70,
            note_references: 3,
            reference_score: 0.75,
        }
    }
}

impl Default for VocabularySettings {
    fn default() -> Self {
        Self {
            timeout_ms: 300,
            cache_ttl_seconds: 600,
            cache_max_size: 5000,
            skosmos_url: None,
            skosmos_vocabularies: None,
        }
    }
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { failure_threshold: 5, success_threshold: 2, timeout_seconds: 30 }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self { question_chars: 8000, stale_after_months: 6 }
    }
}
