use serde::{Deserialize, Serialize};

use super::{Citation, NearestPassage, Notice, TransparencyStatement, WithheldLabel};
use crate::domain::{Language, TextSpan};

/// What the library says to a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum StatementVerdict {
    /// A passage bears it out.
    Supported,
    /// One does, of another document than the statement names for it.
    SupportedElsewhere,
    /// A passage says otherwise.
    Contradicted,
    /// No passage bears it out.
    NotSupported,
}

impl StatementVerdict {
    /// The name in JSON, metrics and on record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::SupportedElsewhere => "supported_elsewhere",
            Self::Contradicted => "contradicted",
            Self::NotSupported => "not_supported",
        }
    }
}

/// A passage that decides on a statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DecidingPassage {
    /// The passage. Its number is the same wherever it decides in one text.
    pub citation: Citation,
    /// The words that it shares with the statement, in characters of the whole passage.
    pub marked: Vec<TextSpan>,
}

/// A document that a statement names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NamedDocument {
    /// As the statement names it.
    pub written: String,
    /// The documents that it can mean: none where there is no such document.
    pub document_ids: Vec<String>,
}

/// A statement, checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckedStatement {
    /// The statement as it stands in the text.
    pub text: String,
    /// Where it stands, in characters.
    pub span: TextSpan,
    /// What the library says to it.
    pub verdict: StatementVerdict,
    /// Why it is not supported, where it is not.
    pub label: Option<WithheldLabel>,
    /// The same in the user's language.
    pub reason: Option<String>,
    /// What in it could not be found, where one thing can be named.
    pub detail: Option<String>,
    /// The documents that it names.
    pub named: Vec<NamedDocument>,
    /// The passages that bear it out, or the one that says otherwise.
    pub passages: Vec<DecidingPassage>,
    /// The passage that comes nearest, where none decides.
    pub nearest: Option<NearestPassage>,
}

/// How many statements got which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictCounts {
    /// Borne out.
    pub supported: usize,
    /// Borne out by another document than they name.
    pub supported_elsewhere: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Not borne out.
    pub not_supported: usize,
}

impl VerdictCounts {
    /// Counts the verdicts of these statements.
    pub fn of(statements: &[CheckedStatement]) -> Self {
        let count = |verdict| statements.iter().filter(|statement| statement.verdict == verdict).count();
        Self {
            supported: count(StatementVerdict::Supported),
            supported_elsewhere: count(StatementVerdict::SupportedElsewhere),
            contradicted: count(StatementVerdict::Contradicted),
            not_supported: count(StatementVerdict::NotSupported),
        }
    }

    /// Whether every statement is borne out, by what it names for it where it names something.
    pub const fn all_supported(&self) -> bool {
        self.supported_elsewhere + self.contradicted + self.not_supported == 0
    }
}

/// A text, checked statement by statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckedText {
    /// The request that this answers.
    pub request_id: String,
    /// The language of the text, and of the reasons.
    pub language: Language,
    /// Its statements, in order.
    pub statements: Vec<CheckedStatement>,
    /// How many got which verdict.
    pub counts: VerdictCounts,
    /// Headings, questions, code and what else states nothing: so many were passed over.
    pub passed_over: usize,
    /// Age and standing of the documents that decide.
    pub notices: Vec<Notice>,
    /// Whether any fallback was active.
    pub fallback_mode: bool,
    /// What the user should know about how this came to be.
    pub transparency: TransparencyStatement,
    /// How long it took.
    pub time_ms: f64,
}

/// How far a check is, told after every statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckProgress {
    /// So many statements have their verdict.
    pub done: usize,
    /// So many there are.
    pub total: usize,
    /// The one that just got its own.
    pub latest: CheckedStatement,
}
