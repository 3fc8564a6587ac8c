//! Two statements that oppose each other.

use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

use super::DocumentId;

/// A sentence, list item or row of a document, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Its text, without markup.
    pub text: String,
    /// The heading above it; empty where there is none.
    pub heading: String,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// One of two sentences that oppose each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The document that it stands in.
    pub document: DocumentId,
    /// The sentence.
    pub sentence: Sentence,
}

/// Two sentences in force that oppose each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposition {
    /// The same as long as both say the same in the same documents.
    pub id: String,
    /// In what way they oppose each other.
    pub kind: ContradictionKind,
    /// One.
    pub first: Side,
    /// The other.
    pub second: Side,
    /// The words of each that oppose those of the other.
    pub opposes: (String, String),
}

impl Opposition {
    pub(crate) fn new(kind: ContradictionKind, first: Side, second: Side, opposes: (String, String)) -> Self {
        let of = |side: &Side| format!("{}\u{1f}{}", side.document, side.sentence.text);
        let id = sha256_hex(format!("{}\u{1e}{}\u{1e}{}", kind.as_str(), of(&first), of(&second)));
        Self { id: id.chars().take(16).collect(), kind, first, second, opposes }
    }
}

/// In what way two statements in force oppose each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ContradictionKind {
    /// One demands what the other forbids.
    MustAndMustNot,
    /// The same quantity has two values.
    DifferentValue,
    /// The same question has two answers.
    DifferentChoice,
    /// A record in force rests on one that is not.
    RestsOnSuperseded,
    /// One place says that a record is in force, and another that it is not.
    StatusDisagrees,
    /// An exception still stands after the day on which it ended.
    ExceptionPastDate,
}

impl ContradictionKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::MustAndMustNot,
        Self::DifferentValue,
        Self::DifferentChoice,
        Self::RestsOnSuperseded,
        Self::StatusDisagrees,
        Self::ExceptionPastDate,
    ];

    /// The name used in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MustAndMustNot => "must_and_must_not",
            Self::DifferentValue => "different_value",
            Self::DifferentChoice => "different_choice",
            Self::RestsOnSuperseded => "rests_on_superseded",
            Self::StatusDisagrees => "status_disagrees",
            Self::ExceptionPastDate => "exception_past_date",
        }
    }
}

/// What a user said of a contradiction. It holds until one of the two passages changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Mark {
    /// The two do not oppose each other.
    NotAContradiction,
    /// They do, and it is known.
    Known,
}
