use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::lines::{SetError, lines, said};

/// A question that the passages answer, or do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalQuestion {
    /// Its id in the set.
    pub id: String,
    /// The question.
    pub text: String,
    /// Whether the library holds an answer.
    pub answerable: bool,
    /// The sentences that answer it, where the set names them.
    pub gold: Vec<String>,
}

/// Questions with and without an answer, over one library of all their passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefusalSet {
    /// The questions: the answerable ones first.
    pub questions: Vec<RefusalQuestion>,
    /// Title and text of every passage, each once.
    pub passages: BTreeSet<(String, String)>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    input: String,
    passages: Vec<ClapNqPassage>,
    #[serde(default)]
    output: Vec<Output>,
}

#[derive(Deserialize)]
struct ClapNqPassage {
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    selected_sentences: Vec<String>,
}

impl RefusalSet {
    /// Reads the two files of ClapNQ: questions with an answer, and questions without.
    pub fn read(answerable: &Path, unanswerable: &Path) -> Result<Self, SetError> {
        let mut set = Self::default();
        set.add(answerable, true)?;
        set.add(unanswerable, false)?;
        Ok(set)
    }

    fn add(&mut self, path: &Path, answerable: bool) -> Result<(), SetError> {
        let before = self.questions.len();
        for (line, content) in lines(path)? {
            let row: Row = serde_json::from_str(&content).map_err(|error| SetError::Line {
                path: path.to_owned(),
                line,
                detail: said(&error),
            })?;
            let gold: Vec<String> =
                row.output.into_iter().flat_map(|output| output.selected_sentences).collect();
            self.passages.extend(row.passages.into_iter().map(|passage| (passage.title, passage.text)));
            self.questions.push(RefusalQuestion { id: row.id, text: row.input, answerable, gold });
        }
        if self.questions.len() == before {
            return Err(SetError::Empty { path: path.to_owned() });
        }
        Ok(())
    }
}
