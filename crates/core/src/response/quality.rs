use serde::{Deserialize, Serialize};

/// A confidence as a band, which is what the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ConfidenceLevel {
    /// Under 0.60.
    Low,
    /// From 0.60.
    Medium,
    /// From 0.85.
    High,
}

/// Hybrid confidence with its parts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConfidenceScore {
    /// 0 to 100, before any penalty for a fallback.
    pub overall: u8,
    /// Mean cosine of the used chunks, 0 to 1.
    pub retrieval_score: f64,
    /// How much of the answer (or, in extracts, of the question) the passages cover, 0 to 1.
    pub coverage_score: f64,
    /// The judge model's rating, 0 to 100; absent without one, and then the other two are renormalised.
    pub llm_score: Option<u8>,
    /// 0 to 100 after the penalty: what the action was decided on.
    pub adjusted: u8,
}

/// How well retrieval worked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RetrievalQuality {
    /// 0 to 1, after the penalty.
    pub confidence_score: f64,
    /// The band it falls in.
    pub confidence_level: ConfidenceLevel,
    /// Whether a fallback is active.
    pub fallback_active: bool,
    /// Which ones.
    pub fallback_reasons: Vec<String>,
    /// Whether confidence was reduced for it.
    pub degraded: bool,
}

/// What the user is told about the answer's quality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TransparencyStatement {
    /// The statement.
    pub statement: Option<String>,
    /// Whether to show it.
    pub show_to_user: bool,
}
