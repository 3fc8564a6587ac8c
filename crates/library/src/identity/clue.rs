//! What a value was inferred from, and why a reference leads nowhere: as codes, which every window words in its language.

use plumbline_core::messages::Message;
use serde::{Deserialize, Serialize};

/// From what a value was inferred. Catalogues of earlier versions hold it in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clue {
    /// The first heading.
    #[serde(alias = "the first heading")]
    FirstHeading,
    /// The first line.
    #[serde(alias = "the first line")]
    FirstLine,
    /// The file's own properties.
    #[serde(alias = "the properties of the file")]
    FileProperties,
    /// The name of the file or its folder.
    #[serde(alias = "the name of the file or its folder")]
    FileName,
    /// The day of its first version.
    #[serde(alias = "the day of its first version")]
    FirstVersion,
    /// Month and day stand the other way round than usual.
    #[serde(alias = "month and day stand the other way round than usual, as no month has that number")]
    SwappedDate,
    /// Only month and year are given.
    #[serde(alias = "only month and year are given; the first of the month is taken")]
    NoDay,
    /// A note at the head.
    #[serde(alias = "a note at the head says so")]
    NoteAtHead,
    /// A key for something else holds a word for a status.
    OtherKey,
    /// Nothing says that it is a record.
    #[serde(alias = "nothing says that it is a record")]
    NoRecord,
    /// It has the sections of a decision record.
    #[serde(alias = "it has the sections of a decision record")]
    DecisionSections,
    /// It has a record's name and speaks of a decision.
    #[serde(alias = "it has a record's name and speaks of a decision")]
    DecisionName,
    /// It has the sections of a principle.
    #[serde(alias = "it has the sections of a principle")]
    PrincipleSections,
    /// Its name is that of a policy.
    #[serde(alias = "its name is that of a policy")]
    PolicyName,
    /// The words of the text.
    #[serde(alias = "the words of the text")]
    TextWords,
}

impl Clue {
    /// The clue in words.
    pub const fn message(self) -> Message {
        match self {
            Self::FirstHeading => Message::ClueFirstHeading,
            Self::FirstLine => Message::ClueFirstLine,
            Self::FileProperties => Message::ClueFileProperties,
            Self::FileName => Message::ClueFileName,
            Self::FirstVersion => Message::ClueFirstVersion,
            Self::SwappedDate => Message::ClueSwappedDate,
            Self::NoDay => Message::ClueNoDay,
            Self::NoteAtHead => Message::ClueNoteAtHead,
            Self::OtherKey => Message::ClueOtherKey,
            Self::NoRecord => Message::ClueNoRecord,
            Self::DecisionSections => Message::ClueDecisionSections,
            Self::DecisionName => Message::ClueDecisionName,
            Self::PrincipleSections => Message::CluePrincipleSections,
            Self::PolicyName => Message::CluePolicyName,
            Self::TextWords => Message::ClueTextWords,
        }
    }
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyUnresolved {
    /// No file of the library lies there.
    NoFile,
    /// No record of the library has that number.
    NoRecord,
    /// Several have it.
    SeveralRecords,
}

impl WhyUnresolved {
    /// The reason in words.
    pub const fn message(self) -> Message {
        match self {
            Self::NoFile => Message::ClueMissingFile,
            Self::NoRecord => Message::ClueMissingRecord,
            Self::SeveralRecords => Message::ClueSeveralRecords,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::How;
    use super::Clue;

    #[test]
    fn what_an_older_catalogue_kept_in_words_is_read_too() {
        let read = |json: &str| serde_json::from_str::<How>(json).unwrap();
        assert_eq!(read(r#"{"guessed": "the first heading"}"#), How::Guessed(Clue::FirstHeading));
        assert_eq!(read(r#"{"guessed": "first_heading"}"#), How::Guessed(Clue::FirstHeading));
        let kept = serde_json::to_string(&How::Guessed(Clue::NoDay)).unwrap();
        assert_eq!(kept, r#"{"guessed":"no_day"}"#, "it is written anew as a code");
    }
}
