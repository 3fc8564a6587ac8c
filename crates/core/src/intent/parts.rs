//! Several questions in one, told apart.

mod phrases;
mod sides;

use self::phrases::by_phrase;
use self::sides::by_side;
use super::Question;
use crate::text::words;

/// The questions that one text asks, each by itself; empty where it asks one. What points back to the question before it, or says
/// too little to be searched for, stays with it.
pub fn parts(question: &Question) -> Vec<Question> {
    if question.completed || !question.references.is_empty() || question.wish.is_for_a_record() {
        return Vec::new();
    }
    let told_apart = |texts: Option<Vec<String>>| alone(&texts?, question);
    told_apart(by_question(question))
        .or_else(|| told_apart(by_side(question)))
        .or_else(|| told_apart(by_phrase(question)))
        .unwrap_or_default()
}

/// These texts as questions, where each can be searched for by itself.
fn alone(texts: &[String], whole: &Question) -> Option<Vec<Question>> {
    let parts: Vec<Question> = texts.iter().map(|text| Question::read(text, whole.language)).collect();
    let stands_alone = |part: &Question| part.words.len() >= 2;
    (parts.len() > 1 && parts.iter().all(stands_alone)).then_some(parts)
}

/// A text that opens a question more than once.
fn by_question(question: &Question) -> Option<Vec<String>> {
    let text = question.text.as_str();
    let found = words(text);
    let intent = &question.language.pack().intent;
    let rules = &intent.several_questions;
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
    let parts: Vec<String> = starts
        .iter()
        .zip(&ends)
        .map(|(start, end)| text[*start..*end].trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
        .collect();
    // "And what are the main rules?" names nothing that they could be the rules of.
    let names_nothing = |part: &str| {
        let says_what = |word: &String| !rules.aspect.is_match(word) && !intent.list.vague.contains(word);
        !Question::read(part, question.language).words.iter().any(says_what)
    };
    let points_back = |part: &String| {
        names_nothing(part) || words(part).iter().any(|word| rules.back.contains(&word.folded))
    };
    (!parts.iter().skip(1).any(points_back)).then_some(parts)
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
