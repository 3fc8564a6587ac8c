use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::context::Route;
use crate::hash::sha256_hex;

/// Everything that decided one response. Passages, prompts and replies are in it by their hash only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// When the response was given.
    pub timestamp: Timestamp,
    /// The id shared with the logs.
    pub request_id: String,
    /// The question; absent under the privacy setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// SHA-256 of the question.
    pub query_sha256: String,
    /// The generation of the library that was searched.
    pub library_generation: u64,
    /// Hash of the settings and thresholds in force.
    pub config_hash: String,
    /// What the question was taken for.
    pub routing: AuditRouting,
    /// What was found.
    pub retrieval: AuditRetrieval,
    /// The gates passed, in order.
    #[serde(default)]
    pub gates: Vec<AuditGate>,
    /// The model call; absent where none was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<AuditGeneration>,
    /// Citations shown.
    #[serde(default)]
    pub citations: Vec<AuditCitation>,
    /// Citation markers that were not shown.
    #[serde(default)]
    pub dropped: Vec<AuditDroppedMarker>,
    /// Sentences that were not shown.
    #[serde(default)]
    pub withheld: Vec<AuditWithheld>,
    /// The confidence of the response; absent where none was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<AuditConfidence>,
    /// `CITE`, `ROUTE`, `REFUSE`, `CLARIFY` or `OUTSIDE`; `CHECK` for a text that was checked.
    pub action: String,
    /// Why it was refused; absent where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal_reason: Option<String>,
    /// The fallbacks that were active.
    #[serde(default)]
    pub fallback_flags: Vec<String>,
    /// The stages passed, in order.
    #[serde(default)]
    pub stages: Vec<AuditStage>,
    /// Time from question to response in milliseconds.
    pub total_ms: f64,
}

/// What the question was taken for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRouting {
    /// The intent chosen.
    pub intent: String,
    /// How sure the choice was, 0 to 1.
    pub confidence: f64,
    /// The class of rules that chose it.
    pub class: String,
    /// One collection or several.
    pub route: Route,
    /// Where the question was sent.
    pub destination: String,
    /// The question's language.
    pub language: String,
    /// The term asked about; absent where there is none and under the privacy setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// The document referred to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRetrieval {
    /// The lanes searched.
    #[serde(default)]
    pub lanes: Vec<AuditLane>,
    /// Whether nothing usable was found.
    pub no_context: bool,
    /// Passages found, over all lanes.
    pub hits: u64,
    /// Mean score of the passages used; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_score: Option<f64>,
    /// The passages considered.
    #[serde(default)]
    pub candidates: Vec<AuditCandidate>,
}

/// One lane of the search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditLane {
    /// Its name.
    pub lane: String,
    /// `ok`, `skipped` or `failed`.
    pub status: String,
    /// Passages it found.
    pub hits: u64,
    /// Time it took in milliseconds.
    pub ms: f64,
}

/// One passage that was considered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditCandidate {
    /// Its source.
    pub source_id: String,
    /// SHA-256 of its text.
    pub text_sha256: String,
    /// Its cosine to the question; absent where nothing was embedded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// Its lexical score; absent where the text index did not find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lexical: Option<f64>,
    /// The lanes that found it.
    #[serde(default)]
    pub lanes: Vec<String>,
    /// Whether it was put there because the question names it.
    pub forced: bool,
    /// Whether it is a lexical witness.
    pub witness: bool,
    /// What became of it: used, or what it fell to.
    pub outcome: String,
}

/// One gate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditGate {
    /// Its name.
    pub gate: String,
    /// What it decided.
    pub outcome: String,
    /// The number it looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The number it compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
}

/// The model call that wrote the answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditGeneration {
    /// What the model was asked to do.
    pub job: String,
    /// The model.
    pub model: String,
    /// SHA-256 of the prompt.
    pub prompt_sha256: String,
    /// SHA-256 of the reply as it came.
    pub reply_sha256: String,
    /// Tokens of the prompt, as the server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, as the server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
}

/// One citation that was shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditCitation {
    /// The source cited.
    pub source_id: String,
    /// The number it had in the prompt.
    pub alias: u32,
    /// SHA-256 of the passage cited.
    pub text_sha256: String,
}

/// One citation marker that was not shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditDroppedMarker {
    /// The marker as the model wrote it.
    pub marker: String,
    /// Why it was dropped.
    pub reason: String,
}

/// One sentence that was not shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditWithheld {
    /// What was wrong with it.
    pub label: String,
    /// SHA-256 of the sentence.
    pub text_sha256: String,
}

/// How sure the response is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditConfidence {
    /// 0 to 100, before fallbacks.
    pub overall: f64,
    /// 0 to 1, after fallbacks.
    pub adjusted: f64,
    /// `high`, `medium` or `low`.
    pub level: String,
}

/// One stage of the request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditStage {
    /// Its name.
    pub stage: String,
    /// `ok`, `skipped` or `failed`.
    pub outcome: String,
    /// Why it was skipped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time it took in milliseconds.
    pub ms: f64,
}

impl AuditRecord {
    /// Sets the question and its hash.
    pub fn set_query(&mut self, query: &str) {
        self.query_sha256 = sha256_hex(query);
        self.query = Some(query.to_owned());
    }

    /// Takes the user's own words out, for the privacy setting; the question's hash stays.
    pub fn redact(&mut self) {
        self.query = None;
        self.routing.term = None;
    }
}
