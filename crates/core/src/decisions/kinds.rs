use serde::{Deserialize, Serialize};

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
