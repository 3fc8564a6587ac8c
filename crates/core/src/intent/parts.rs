//! Several questions in one, told apart.

use super::Question;
use crate::text::words;

/// The questions that one text asks, each by itself; empty where it asks one. What points back to the question before it, or says
/// too little to be searched for, stays with it.
pub fn parts(question: &Question) -> Vec<Question> {
    if question.completed || !question.references.is_empty() || question.wish.is_for_a_record() {
        return Vec::new();
    }
    let text = question.text.as_str();
    let found = words(text);
    let rules = &question.language.pack().intent.several_questions;
    let mut starts = vec![0];
    let mut ends = Vec::new();
    for pair in found.windows(2).skip(1) {
        let [before, opener] = pair else { continue };
        if !rules.openers.contains(&opener.folded) {
            continue;
        }
        let is_joined = rules.joins.contains(&before.folded);
        let is_apart = text[before.range.end..opener.range.start].contains(['?', ';', '+', '&', '\n']);
        if is_joined || is_apart {
            ends.push(if is_joined { before.range.start } else { before.range.end });
            starts.push(opener.range.start);
        }
    }
    ends.push(text.len());
    let parts: Vec<Question> = starts
        .iter()
        .zip(&ends)
        .map(|(start, end)| text[*start..*end].trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|part| Question::read(part, question.language))
        .collect();
    let points_back =
        |part: &Question| words(&part.text).iter().any(|word| rules.back.contains(&word.folded));
    let stands_alone = |part: &Question| part.words.len() >= 2;
    let are_apart =
        parts.len() > 1 && parts.iter().all(stands_alone) && !parts.iter().skip(1).any(points_back);
    if are_apart { parts } else { Vec::new() }
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
