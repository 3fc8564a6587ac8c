//! What the user gets: one response per question, and the events on the way to it.

mod checked;
mod checked_text;
mod citation;
mod definition;
mod event;
mod proof;
mod quality;
mod record_draft;
mod refused;
mod route;
mod rows;
mod stage;

pub use crate::domain::{ConceptLink, ConceptNote, LabelMatch};
pub use checked::{
    CheckProgress, CheckedStatement, CheckedText, DecidingPassage, NamedDocument, StatementVerdict,
    VerdictCounts,
};
pub(crate) use citation::snippet;
pub use citation::{Citation, NearestPassage};
pub use definition::Definition;
pub use event::AnswerEvent;
pub use proof::{ProofBasis, StatementProof};
pub use quality::{ConfidenceLevel, ConfidenceScore, RetrievalQuality, TransparencyStatement};
pub use record_draft::RecordDraft;
pub use refused::{Clarification, ClarificationOption, RefusalReason, Suggestion};
pub use route::RouteTarget;
pub use rows::{FactAnswer, ListRow};
pub use stage::{Stage, StageOutcome, StageReport};

use serde::{Deserialize, Serialize};

/// What the assistant did with the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Action {
    /// Answered, with citations.
    Cite,
    /// Evidence shown verbatim and an owner named, because confidence is low.
    Route,
    /// Refused, with a reason.
    Refuse,
    /// Asked back.
    Clarify,
    /// Answered from the model's own knowledge, outside the library, where a user allowed it.
    Outside,
}

impl Action {
    /// The name in JSON, metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cite => "CITE",
            Self::Route => "ROUTE",
            Self::Refuse => "REFUSE",
            Self::Clarify => "CLARIFY",
            Self::Outside => "OUTSIDE",
        }
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum AnswerSource {
    /// The documents and their catalogue.
    #[default]
    Library,
    /// The vocabulary of record.
    Vocabulary,
    /// What the assistant knows of itself.
    Plumbline,
}

/// What kind of notice stands beside an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum NoticeKind {
    /// Older than six months.
    Stale,
    /// Superseded by another record.
    Superseded,
    /// Deprecated.
    Deprecated,
    /// Rejected.
    Rejected,
    /// Merely proposed.
    Proposed,
    /// Record and approval record disagree on the status.
    StatusDisagreement,
    /// It comes from a published library, whose generation and age it names.
    Published,
}

/// A remark on the age or standing of a cited document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// The document.
    pub document_id: String,
    /// The remark, in the user's language.
    pub text: String,
}

/// Why a sentence was withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum WithheldLabel {
    /// It names a number, date, id, name, link or quotation that no passage holds.
    Fabricated,
    /// Parts of it stand in passages other than the cited ones, and no single passage supports all of it.
    Misattributed,
    /// A passage says otherwise.
    Contradicted,
    /// Too little of it stands in the passages.
    Unsupported,
}

impl WithheldLabel {
    /// The label in metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fabricated => "fabricated",
            Self::Misattributed => "misattributed",
            Self::Contradicted => "contradicted",
            Self::Unsupported => "unsupported",
        }
    }
}

/// A sentence that the model wrote and the user does not get to see as an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Withheld {
    /// Why.
    pub label: WithheldLabel,
    /// The sentence, for whoever wants to look into it.
    pub text: String,
    /// What in it could not be found, where one thing can be named.
    pub detail: Option<String>,
}

/// The whole answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AskResponse {
    /// The request this answers.
    pub request_id: String,
    /// The answer as Markdown; citations stand in it as `[1]`, `[2]`.
    pub answer: String,
    /// What was done.
    pub action: Action,
    /// Where the answer comes from; responses that were kept before this was told came from the library.
    #[serde(default)]
    pub source: AnswerSource,
    /// Whether the question was refused.
    pub refused: bool,
    /// Why, where it was.
    pub refusal_reason: Option<RefusalReason>,
    /// The passages that the answer rests on, numbered from 1 as in the answer.
    pub citations: Vec<Citation>,
    /// The definition, for a question of terminology.
    pub definition: Option<Definition>,
    /// The rows, for a list.
    pub rows: Vec<ListRow>,
    /// The record that was drafted, as a file.
    #[serde(default)]
    pub draft: Option<RecordDraft>,
    /// The field that was asked for, for a fact.
    pub fact: Option<FactAnswer>,
    /// How sure the answer is, with its parts; absent where nothing was scored.
    pub confidence: Option<ConfidenceScore>,
    /// How well retrieval worked.
    pub retrieval_quality: RetrievalQuality,
    /// Whether any fallback was active.
    pub fallback_mode: bool,
    /// What the user should know about how this came to be.
    pub transparency: TransparencyStatement,
    /// What may be missing.
    pub warnings: Vec<String>,
    /// Age and standing of what is cited.
    pub notices: Vec<Notice>,
    /// Sentences that were withheld.
    pub withheld: Vec<Withheld>,
    /// How each statement of a model was judged; responses that were kept before this was told have none.
    #[serde(default)]
    pub proofs: Vec<StatementProof>,
    /// Ways on that one click takes.
    pub suggestions: Vec<Suggestion>,
    /// Passages shown with a refusal, never cited.
    pub nearest: Vec<NearestPassage>,
    /// The question asked back.
    pub clarification: Option<Clarification>,
    /// Whom to ask instead.
    pub route_to: Option<RouteTarget>,
    /// What each stage did.
    pub stages: Vec<StageReport>,
    /// The model that wrote the answer; absent where code composed it.
    pub model_used: Option<String>,
    /// How many passages were used.
    pub context_chunks_used: usize,
    /// How many tokens they took.
    pub context_tokens_used: usize,
    /// How long it took.
    pub generation_time_ms: f64,
    /// Whether the answer rests on retrieved passages or the vocabulary.
    pub grounded: bool,
}

impl AskResponse {
    /// What it told, with the files that it cites where it has their numbers: what is asked next may be about them.
    pub fn told(&self) -> String {
        let mut told = self.answer.clone();
        for citation in &self.citations {
            let file = citation.path.rsplit('/').next().unwrap_or(&citation.path);
            told = told.replace(&format!("[{}]", citation.number), &format!("[{file}]"));
        }
        told
    }
}
