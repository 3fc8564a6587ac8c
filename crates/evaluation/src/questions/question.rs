use plumbline_core::request::ChatMessage;
use serde::{Deserialize, Serialize};

/// One question with what a right answer to it must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its id in the set.
    pub id: String,
    /// The library that it is asked of.
    pub library: String,
    /// The number of its form: a fact, a reason, a list, a follow-up and so on.
    pub form: u8,
    /// The language that it is asked in.
    pub language: String,
    /// The conversation before it.
    #[serde(default)]
    pub history: Vec<ChatMessage>,
    /// The question as a user types it.
    pub question: String,
    /// What a right answer must hold.
    pub expected: Expected,
}

/// What a right answer must hold. A misspelt rule would be held against nobody, so an unknown one is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// What is right to do with the question.
    pub behaviour: Behaviour,
    /// Documents that must all be cited.
    pub documents: Vec<String>,
    /// Documents that may be cited as well.
    pub also_fine: Vec<String>,
    /// Words that must all be there.
    pub must_contain: Vec<String>,
    /// Words that must not be there.
    pub must_not_contain: Vec<String>,
    /// A remark for whoever judges by hand.
    #[serde(default)]
    pub note: String,
    /// Documents of which one must be cited.
    #[serde(default)]
    pub any_of: Vec<String>,
    /// Groups of words, of each of which one must be there.
    #[serde(default)]
    pub must_contain_any: Vec<Vec<String>>,
    /// Every document that belongs to a list.
    #[serde(default)]
    pub rows: Vec<String>,
    /// How many rows a list has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// The concept of the vocabulary, by its URI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concept: Option<String>,
}

/// What was done with a question, or is right to do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Answered from documents.
    Answer,
    /// One field of one record.
    Fact,
    /// A definition of the vocabulary of record.
    Define,
    /// A list of documents.
    List,
    /// Asked back.
    Clarify,
    /// Refused.
    Refuse,
    /// Answered from what the assistant knows of itself.
    AboutItself,
}

impl Behaviour {
    /// The name in JSON and in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Fact => "fact",
            Self::Define => "define",
            Self::List => "list",
            Self::Clarify => "clarify",
            Self::Refuse => "refuse",
            Self::AboutItself => "about_itself",
        }
    }

    /// Whether doing this is right where `expected` is: what counts is not to refuse what has an answer, and not to
    /// answer what has none; giving every candidate is as good as asking back.
    pub fn passes_for(self, expected: Self) -> bool {
        use Behaviour::{AboutItself, Answer, Clarify, Define, Fact, List, Refuse};
        match expected {
            Answer => matches!(self, Answer | Fact | Define | List),
            Fact => matches!(self, Fact | Answer | List),
            Define => matches!(self, Define | Answer | Fact),
            List => matches!(self, List | Answer | Fact),
            Clarify => matches!(self, Clarify | Answer | List | Fact),
            Refuse => matches!(self, Refuse | Clarify),
            AboutItself => matches!(self, AboutItself),
        }
    }

    /// Whether it gives the user something from the library.
    pub fn answers(self) -> bool {
        matches!(self, Self::Answer | Self::Fact | Self::Define | Self::List)
    }
}
