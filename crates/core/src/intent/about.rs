//! Questions about the assistant itself, and what is said out of courtesy.

use std::collections::BTreeSet;

use super::prepared::Prepared;
use crate::domain::{About, Language};
use crate::language::Pack;

/// What is asked about the assistant, and in which language.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub what: Vec<About>,
    /// That of the wording: such questions are too short for a language to be read off their words.
    pub language: Language,
}

/// What a question asks about the assistant; nothing where any part of it asks something else.
pub(super) fn about(prepared: &Prepared, language: Language, in_conversation: bool) -> Option<Asked> {
    let (words, text) = (prepared.words(), prepared.text());
    Pack::by_preference(language).find_map(|pack| {
        let more = &pack.intent.follow_up;
        let unfinished = || !in_conversation && (more.bare.is_match(text) || more.more.is_match(text));
        let courtesy = pack.intent.courtesy_alone(&words).map(|courtesy| vec![courtesy]);
        let what = courtesy
            .or_else(|| itself(pack, text, in_conversation))
            // "Could you be wrong?" begins as many a courtesy does.
            .or_else(|| {
                itself(pack, Some(prepared.folded()).filter(|folded| *folded != text)?, in_conversation)
            })
            .or_else(|| unfinished().then(|| vec![About::Unfinished]))?;
        Some(Asked { what, language: pack.language })
    })
}

/// The topics of every question in the text: of the whole as it is worded, of each of its parts, or of the whole as it is
/// put together.
fn itself(pack: &Pack, text: &str, in_conversation: bool) -> Option<Vec<About>> {
    let rules = &pack.intent.about;
    let some = |topics: Vec<About>| (!topics.is_empty()).then_some(topics);
    some(rules.worded(text, in_conversation))
        .or_else(|| one_by_one(pack, text, in_conversation))
        .or_else(|| some(rules.composed(text)))
}

/// The topics of the questions that a text holds; none where one of them asks something else.
fn one_by_one(pack: &Pack, text: &str, in_conversation: bool) -> Option<Vec<About>> {
    let mut topics = BTreeSet::new();
    for question in pack.intent.about.questions(text) {
        let question = &question[pack.intent.courtesy(question)..];
        if pack.intent.courtesy_alone(question).is_some() {
            continue;
        }
        match pack.intent.about.topics(question, in_conversation) {
            asked if asked.is_empty() => return None,
            asked => topics.extend(asked),
        }
    }
    (!topics.is_empty()).then(|| topics.into_iter().collect())
}

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
