//! The questions that two builds are asked, each set with the library that it is about.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::Workspace;

/// Where data that is no part of the repository lies; without it, a folder `shared` beside the checkout.
const SHARED: &str = "PLUMBLINE_TEST_DATA";

/// Questions over one library.
pub struct Set {
    pub name: String,
    /// What is indexed.
    pub library: Vec<PathBuf>,
    /// Vocabulary files beside those that the library names.
    pub vocabularies: Vec<PathBuf>,
    pub questions: Vec<Question>,
}

/// A question with what is asked before it.
#[derive(Debug, PartialEq)]
pub struct Question {
    pub id: String,
    pub text: String,
    pub tags: Vec<String>,
    /// What the user said earlier in the conversation.
    pub before: Vec<String>,
}

pub fn all(workspace: &Workspace) -> Result<Vec<Set>> {
    let data = workspace.root.join("data");
    let golden = Set {
        name: "golden".to_owned(),
        library: vec![data.join("sample/library.toml")],
        vocabularies: Vec::new(),
        questions: lines(&data.join("evaluation/golden_queries.jsonl"))?
            .iter()
            .map(|line| question(line, "query"))
            .collect::<Result<_>>()?,
    };
    let mut sets = vec![golden];
    match shared(&workspace.root) {
        Some(folder) => sets.extend(of_shared(&folder)?),
        None => println!("questions: skipped, because there is no folder `shared` ({SHARED})"),
    }
    Ok(sets)
}

fn shared(root: &Path) -> Option<PathBuf> {
    let named = env::var_os(SHARED).map(PathBuf::from);
    let folder = named.or_else(|| Some(root.parent()?.join("shared")))?;
    folder.join("questions").is_dir().then_some(folder)
}

/// A set for each library of the shared questions.
fn of_shared(folder: &Path) -> Result<Vec<Set>> {
    let described = json(&folder.join("questions/libraries.json"))?;
    let questions = lines(&folder.join("questions/questions.jsonl"))?;
    let libraries = described["libraries"].as_array().map_or(&[][..], Vec::as_slice);
    let set = |library: &Value| {
        let paths = |key: &str| strings(&library[key]).iter().map(|path| folder.join(path)).collect();
        let asked = questions.iter().filter(|line| line["library"] == library["name"]);
        Ok(Set {
            name: text(&library["name"])?,
            library: paths("folders"),
            vocabularies: paths("vocabularies"),
            questions: asked.map(|line| question(line, "question")).collect::<Result<_>>()?,
        })
    };
    libraries.iter().map(set).collect()
}

/// A line of a set; the sets have different names for the question's text.
fn question(line: &Value, key: &str) -> Result<Question> {
    let history = line["history"].as_array().map_or(&[][..], Vec::as_slice);
    let users = history.iter().filter(|turn| turn["role"] == "user");
    Ok(Question {
        id: text(&line["id"])?,
        text: text(&line[key])?,
        tags: strings(&line["user_tags"]),
        before: users.map(|turn| text(&turn["content"])).collect::<Result<_>>()?,
    })
}

fn text(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).with_context(|| format!("a text was expected, not {value}"))
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn lines(file: &Path) -> Result<Vec<Value>> {
    let read = |line: &str| {
        serde_json::from_str(line).with_context(|| format!("{} holds a line that is no JSON", file.display()))
    };
    content(file)?.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

fn json(file: &Path) -> Result<Value> {
    serde_json::from_str(&content(file)?).with_context(|| format!("{} is no JSON", file.display()))
}

fn content(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Question, question};

    #[test]
    fn a_follow_up_keeps_what_the_user_said_and_not_what_was_answered() {
        let line = json!({
            "id": "Q-1", "query": "and who decided it?", "user_tags": ["secret"],
            "history": [{ "role": "user", "content": "What is ADR 3?" }, { "role": "assistant", "content": "A record." }],
        });
        let expected = Question {
            id: "Q-1".to_owned(),
            text: "and who decided it?".to_owned(),
            tags: vec!["secret".to_owned()],
            before: vec!["What is ADR 3?".to_owned()],
        };
        assert_eq!(question(&line, "query").unwrap(), expected);
        assert!(question(&line, "question").is_err(), "a question without its text is a fault of the set");
    }
}
