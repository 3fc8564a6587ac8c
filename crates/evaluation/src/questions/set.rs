use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::Deserialize;

use super::question::Question;
use crate::lines::{SetError, lines, said};

const QUESTIONS: &str = "questions.jsonl";
const LIBRARIES: &str = "libraries.json";

/// Questions with the libraries that they are asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionSet {
    /// The folder that all paths of the set are relative to.
    pub root: PathBuf,
    /// How the names of documents end; other files of the libraries are left out.
    pub file_types: Vec<String>,
    /// The libraries.
    pub libraries: Vec<QuestionLibrary>,
    /// The questions, in the set's order.
    pub questions: Vec<Question>,
}

/// A library that questions are asked of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct QuestionLibrary {
    /// Its name.
    pub name: String,
    /// Folders of documents.
    pub folders: Vec<String>,
    /// Files or folders of vocabularies.
    #[serde(default)]
    pub vocabularies: Vec<String>,
}

/// The file of libraries; what else stands there is for people.
#[derive(Deserialize)]
struct Libraries {
    file_types: Vec<String>,
    libraries: Vec<QuestionLibrary>,
}

impl QuestionSet {
    /// Reads the questions and libraries of a folder; paths in both are relative to the folder above it.
    pub fn read(folder: &Path) -> Result<Self, SetError> {
        let path = folder.join(LIBRARIES);
        let text = std::fs::read_to_string(&path)
            .map_err(|source| SetError::Unreadable { path: path.clone(), source })?;
        let Libraries { file_types, libraries } =
            serde_json::from_str(&text).map_err(|error| wrong(&path, error.line(), said(&error)))?;
        let questions = questions(&folder.join(QUESTIONS), Some(&libraries))?;
        Ok(Self { root: folder.join(".."), file_types, libraries, questions })
    }

    /// Reads the questions of a folder to ask them of a library that is open already, so that it need not be said where
    /// libraries lie.
    pub fn read_for_open_library(folder: &Path) -> Result<Self, SetError> {
        let path = folder.join(QUESTIONS);
        if !path.is_file() {
            let (folder, below) = (folder.to_owned(), below(folder));
            return Err(SetError::NoFile { folder, file: QUESTIONS, below });
        }
        if folder.join(LIBRARIES).is_file() {
            return Self::read(folder);
        }
        let (root, questions) = (folder.join(".."), questions(&path, None)?);
        Ok(Self { root, file_types: Vec::new(), libraries: Vec::new(), questions })
    }

    /// A document's path as a question writes it.
    pub fn path_for(&self, question: &Question, path: &str) -> String {
        let library = self.libraries.iter().find(|library| library.name == question.library);
        library.map_or_else(|| path.to_owned(), |library| library.path_in_set(&self.root, path))
    }
}

/// Folders in a folder that hold questions.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.join(QUESTIONS).is_file()).collect();
    found.sort();
    found
}

/// The questions of a file, each of one of the libraries where these are known.
fn questions(path: &Path, libraries: Option<&[QuestionLibrary]>) -> Result<Vec<Question>, SetError> {
    let mut first_use: BTreeMap<String, usize> = BTreeMap::new();
    let mut questions = Vec::new();
    for (line, content) in lines(path)? {
        let question: Question =
            serde_json::from_str(&content).map_err(|error| wrong(path, line, said(&error)))?;
        if let Some(earlier) = first_use.insert(question.id.clone(), line) {
            let values = [("id", question.id.into()), ("earlier", earlier.to_string().into())];
            return Err(wrong(path, line, Detail::of(Message::GoldenUsedTwice, values)));
        }
        if libraries.is_some_and(|known| known.iter().all(|library| library.name != question.library)) {
            let values = [("file", LIBRARIES.to_owned().into()), ("library", question.library.into())];
            return Err(wrong(path, line, Detail::of(Message::QuestionSetNoLibrary, values)));
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(SetError::Empty { path: path.to_owned() });
    }
    Ok(questions)
}

fn wrong(path: &Path, line: usize, detail: Detail) -> SetError {
    SetError::Line { path: path.to_owned(), line, detail }
}

impl QuestionLibrary {
    /// A document's path in the set, from its path in one of the library's folders. Where several folders hold that
    /// path it stays as it is, and is compared by its end.
    pub fn path_in_set(&self, root: &Path, path: &str) -> String {
        let mut holding = self.folders.iter().filter(|folder| root.join(folder).join(path).is_file());
        match (holding.next(), holding.next()) {
            (Some(folder), None) => format!("{}/{path}", folder.trim_end_matches('/')),
            _ => path.to_owned(),
        }
    }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
