use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::evaluation::EvaluationProgress;

/// A folder of questions, as far as they can be asked of the open library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DevelopmentSet {
    /// The folder.
    pub path: String,
    /// How many questions are asked.
    pub questions: u32,
    /// How many are left out, since the library does not hold what they name.
    pub left_out: u32,
    /// The first documents that it does not hold.
    pub unknown: Vec<String>,
    /// How many there are.
    pub unknown_count: u32,
}

/// How well a group of questions was answered, in questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarkedGroup {
    /// The form's number, the language, or `overall`.
    pub name: String,
    /// How many there are.
    pub questions: u32,
    /// Answered, refused or asked back as they should be.
    pub behaviour: u32,
    /// With the right documents.
    pub documents: u32,
    /// With the right words.
    pub content: u32,
    /// With all three.
    pub all: u32,
    /// The mean share of what is cited that belongs there; absent where nothing is cited.
    pub precision: Option<f64>,
    /// The median length of the answers in characters; absent where nothing was answered.
    pub median_length: Option<u32>,
}

/// What an answer can be wrong in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// It was answered, refused or asked back where it should not have been.
    Behaviour,
    /// Documents are missing, or do not belong.
    Documents,
    /// Words are missing, or do not belong.
    Content,
}

/// What a right answer holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExpectedAnswer {
    /// `answer`, `fact`, `define`, `list`, `clarify`, `refuse` or `about_itself`.
    pub behaviour: String,
    /// Documents that it must cite or list.
    pub documents: Vec<String>,
    /// Documents of which it must cite one.
    pub one_of: Vec<String>,
    /// Documents that it may cite as well.
    pub also_fine: Vec<String>,
    /// Words that it must have; where one of several is enough they stand in one line.
    pub words: Vec<String>,
    /// Words that it must not have.
    pub unwanted: Vec<String>,
    /// What whoever wrote the question remarks.
    pub note: String,
}

/// What came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GivenAnswer {
    /// What was done; absent where there was no response.
    pub behaviour: Option<String>,
    /// What was cited or listed.
    pub documents: Vec<String>,
    /// What the user reads, or why there was no response.
    pub text: String,
}

/// A question that was not answered wholly as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuestionFailure {
    /// Its id in the set.
    pub id: String,
    /// The number of its form.
    pub form: u32,
    /// Its language.
    pub language: String,
    /// The conversation before it, turn by turn.
    pub history: Vec<String>,
    /// The question.
    pub question: String,
    /// What is wrong with the answer.
    pub mistakes: Vec<Mistake>,
    /// What was expected.
    pub expected: ExpectedAnswer,
    /// What came.
    pub given: GivenAnswer,
}

/// A finished run of a development set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DevelopmentReport {
    /// When it ended, ISO 8601.
    pub finished_at: String,
    /// How long it took.
    pub seconds: f64,
    /// The folder whose questions were asked.
    pub path: String,
    /// The model that answered; absent for extracts.
    pub model: Option<String>,
    /// All questions.
    pub overall: MarkedGroup,
    /// By form.
    pub by_form: Vec<MarkedGroup>,
    /// By the language that they are asked in.
    pub by_language: Vec<MarkedGroup>,
    /// Those that were not answered wholly as expected.
    pub failures: Vec<QuestionFailure>,
}

/// The state of development sets in the evaluation view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Development {
    /// The set that is asked; absent where none was chosen or it cannot be asked.
    pub set: Option<DevelopmentSet>,
    /// Why the chosen folder cannot be asked, and what to do; absent where it can.
    pub unusable: Option<String>,
    /// How far the run is; absent where none is going on.
    pub running: Option<EvaluationProgress>,
    /// The last finished run.
    pub last: Option<DevelopmentReport>,
}
