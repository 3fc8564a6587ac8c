//! What is chosen in place of one another: questions and what is commonly answered to them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::language::fixed;

const FILE: &str = include_str!("../../../../assets/alternatives.toml");

/// An answer to a question, as a sentence names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The question.
    pub question: &'static str,
    /// The name under which the answer goes first.
    pub name: &'static str,
    /// Where it stands.
    pub range: Range<usize>,
}

#[derive(Deserialize)]
struct Source {
    called: Vec<String>,
    answers: Vec<Vec<String>>,
}

struct Questions {
    names: Regex,
    /// Each name in small letters, with its questions and the answers that it gives to them.
    answers: BTreeMap<String, Vec<(String, String)>>,
    called: BTreeMap<String, Regex>,
}

static QUESTIONS: LazyLock<Questions> = LazyLock::new(|| {
    let source: BTreeMap<String, Source> = toml::from_str(FILE).unwrap_or_default();
    let mut answers: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut written: BTreeSet<String> = BTreeSet::new();
    let mut called = BTreeMap::new();
    for (question, source) in source {
        for names in source.answers {
            for name in &names {
                let known = answers.entry(name.to_lowercase()).or_default();
                known.push((question.clone(), names[0].to_lowercase()));
                written.insert(name.clone());
            }
        }
        called.insert(question, any_of(&source.called));
    }
    let mut written: Vec<String> = written.into_iter().collect();
    // "Azure DevOps" is not Azure.
    written.sort_by_key(|name| std::cmp::Reverse(name.len()));
    // A name with capitals may be a word without them.
    let any_case = |name: &str| if name.chars().any(char::is_uppercase) { "" } else { "(?i)" };
    let patterns: Vec<String> =
        written.iter().map(|name| format!("(?:{}{})", any_case(name), regex::escape(name))).collect();
    Questions { names: fixed(&format!(r"\b(?:{})\b", patterns.join("|"))), answers, called }
});

fn any_of(words: &[String]) -> Regex {
    let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    fixed(&format!(r"(?i)\b(?:{})\b", words.join("|")))
}

/// The answers that a sentence names.
pub(super) fn answers(text: &str) -> Vec<Answer> {
    let mut found = Vec::new();
    for name in QUESTIONS.names.find_iter(text) {
        let known = QUESTIONS.answers.get(&name.as_str().to_lowercase());
        found.extend(known.into_iter().flatten().map(|(question, answer)| Answer {
            question,
            name: answer,
            range: name.range(),
        }));
    }
    found
}

/// Whether a text has a word for the question itself.
pub(super) fn calls(text: &str, question: &str) -> bool {
    QUESTIONS.called.get(question).is_some_and(|words| words.is_match(text))
}

/// Whether a text opens with a word for a question.
pub(super) fn opens_with_question(text: &str) -> bool {
    let text = text.trim_start();
    QUESTIONS.called.values().any(|words| words.find(text).is_some_and(|found| found.start() == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_answers_that_exclude_each_other() {
        let source: BTreeMap<String, Source> = toml::from_str(FILE).unwrap();
        for (question, source) in source {
            assert!(source.answers.len() > 1 && !source.called.is_empty(), "{question}");
        }
    }

    #[test]
    fn names_are_told_from_words_and_from_longer_names() {
        let named = |text: &str| answers(text).into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(named("Messages go over Kafka."), ["kafka"]);
        assert_eq!(named("The rest of the year nothing may rust."), Vec::<&str>::new());
        assert_eq!(named("Pipelines run in Azure DevOps."), ["azure devops"]);
        assert_eq!(
            answers("We store it in Postgres.")[0].name,
            answers("We store it in PostgreSQL.")[0].name
        );
    }
}
