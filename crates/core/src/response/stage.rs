use serde::{Deserialize, Serialize};

/// A step of the journey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Stage {
    /// What is asked for.
    Intent,
    /// The vocabulary of record.
    Vocabulary,
    /// Lists and facts.
    Catalogue,
    /// The question's vector.
    Embedding,
    /// Curated memory.
    Curated,
    /// Vector search.
    Dense,
    /// BM25.
    Lexical,
    /// Exact ids.
    Address,
    /// Model-made rewrites of the question.
    Rewrites,
    /// The cross-encoder.
    Rerank,
    /// Floor, duplicates, cuts.
    Filters,
    /// Whether that is enough.
    Gates,
    /// The outline.
    Planner,
    /// Tokens.
    Budget,
    /// The model's words, or extracts.
    Generation,
    /// Whether the passages support them.
    Grounding,
    /// The judge's rating.
    Judge,
    /// Confidence and action.
    Confidence,
    /// Every emitted source checked against the catalogue.
    Audit,
}

impl Stage {
    /// The name in JSON, metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Vocabulary => "vocabulary",
            Self::Catalogue => "catalogue",
            Self::Embedding => "embedding",
            Self::Curated => "curated",
            Self::Dense => "dense",
            Self::Lexical => "lexical",
            Self::Address => "address",
            Self::Rewrites => "rewrites",
            Self::Rerank => "rerank",
            Self::Filters => "filters",
            Self::Gates => "gates",
            Self::Planner => "planner",
            Self::Budget => "budget",
            Self::Generation => "generation",
            Self::Grounding => "grounding",
            Self::Judge => "judge",
            Self::Confidence => "confidence",
            Self::Audit => "audit",
        }
    }
}

/// How a stage went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "reason", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum StageOutcome {
    /// Done.
    Ok,
    /// Not run, and why.
    Skipped(String),
    /// Tried and failed, and why.
    Failed(String),
}

impl StageOutcome {
    /// The outcome without its reason, for metrics.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped(_) => "skipped",
            Self::Failed(_) => "failed",
        }
    }

    /// The reason, where there is one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ok => None,
            Self::Skipped(reason) | Self::Failed(reason) => Some(reason),
        }
    }
}

/// What one stage did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StageReport {
    /// The stage.
    pub stage: Stage,
    /// How it went.
    #[serde(flatten)]
    pub outcome: StageOutcome,
    /// How long it took, in milliseconds.
    pub ms: f64,
}
