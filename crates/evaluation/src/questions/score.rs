use serde::{Deserialize, Serialize};

use super::given::Given;
use super::matching::{flat, has, same};
use super::question::{Behaviour, Expected};

/// How the documents of a vocabulary end; a concept's URI may be cited in their place.
pub(super) const VOCABULARY: &str = ".ttl";

/// What is right about an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// It was answered, refused or asked back as it should.
    pub behaviour: bool,
    /// Every document that it needs is cited; where refusing is right, none that does not belong.
    pub documents: bool,
    /// The words that it needs are there, and none of the others.
    pub content: bool,
    /// The share of the expected documents that are cited; absent where none is expected.
    pub recall: Option<f64>,
    /// The share of what is cited that belongs there; absent where nothing is cited.
    pub precision: Option<f64>,
}

impl Marks {
    /// Whether all three are right.
    pub fn all(&self) -> bool {
        self.behaviour && self.documents && self.content
    }
}

/// Holds what was given against what is expected.
pub fn score(expected: &Expected, given: &Given) -> Marks {
    let wanted = if expected.rows.is_empty() { &expected.documents } else { &expected.rows };
    let cited = |path: &String| given.citations.iter().any(|citation| stands_for(citation, path, expected));
    let one_of_them = expected.any_of.iter().any(cited);
    let recall = match (wanted.as_slice(), expected.any_of.as_slice()) {
        ([], []) => None,
        ([], _) => Some(f64::from(u8::from(one_of_them))),
        (wanted, _) => share(wanted.iter().map(cited)),
    };
    let fine = |citation: &String| expected.also_fine.iter().any(|path| same(citation, path));
    let documents = match recall {
        Some(recall) => recall == 1.0 && (expected.any_of.is_empty() || one_of_them),
        None => given.citations.iter().all(fine),
    };
    let belongs = |citation: &String| {
        let known = [&expected.any_of, wanted, &expected.documents, &expected.also_fine];
        known.into_iter().flatten().chain(&expected.concept).any(|path| same(citation, path))
    };
    // A wrong premise may be put right with a citation instead of being refused.
    let put_right = expected.behaviour == Behaviour::Refuse && given.citations.iter().any(fine);
    Marks {
        behaviour: put_right || given.behaviour.is_some_and(|done| done.passes_for(expected.behaviour)),
        documents,
        content: content(expected, &flat(&given.text), recall),
        recall,
        precision: share(given.citations.iter().map(belongs)),
    }
}

fn stands_for(citation: &str, path: &str, expected: &Expected) -> bool {
    let concept = || path.ends_with(VOCABULARY) && expected.concept.as_deref() == Some(citation);
    same(citation, path) || concept()
}

fn content(expected: &Expected, text: &str, recall: Option<f64>) -> bool {
    let all = expected.must_contain.iter().all(|words| has(words, text));
    let one_of_each =
        expected.must_contain_any.iter().all(|group| group.iter().any(|words| has(words, text)));
    let wrong = expected.must_not_contain.iter().any(|words| text.contains(&flat(words)));
    // A list that is complete need not be counted in words.
    let counted = expected.count.is_none_or(|count| recall == Some(1.0) || text.contains(&count.to_string()));
    all && one_of_each && !wrong && counted
}

/// The share that holds; absent where there is nothing.
pub(super) fn share(marks: impl Iterator<Item = bool>) -> Option<f64> {
    let marks: Vec<bool> = marks.collect();
    let right = marks.iter().filter(|mark| **mark).count();
    (!marks.is_empty()).then(|| right as f64 / marks.len() as f64)
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
