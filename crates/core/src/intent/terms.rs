//! Terms that are asked for in ways that no grammar foresees: one of them, or all about something.

use super::prepared::Prepared;
use super::reference::references;
use super::terminology::term;
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::{Word, words};

/// What is left of a question without the words that only ask for a meaning, where some do: it may be a term, however it was asked for.
pub(super) fn term_if_known(question: &Prepared) -> Option<String> {
    let text = question.text();
    let asks = |word: &Word| Pack::all().any(|pack| pack.intent.terminology.asking.contains(&word.folded));
    let all = words(text);
    let says = |word: &&Word| !asks(word) && Pack::all().all(|pack| pack.words.is_content(&word.folded));
    let (first, last) = (all.iter().find(says)?, all.iter().rfind(says)?);
    // Marks inside a word belong to it: "G-CSC".
    let start = text[..first.range.start].rfind(' ').map_or(0, |at| at + 1);
    let end = text[last.range.end..].find(' ').map_or(text.len(), |at| last.range.end + at);
    let rest = term(&text[start..end]);
    let is_short = rest.split(' ').count() <= numbers().intent.longest_term;
    (is_short && all.iter().any(asks) && references(&rest).is_empty()).then_some(rest)
}

/// The topic that all terms are asked about.
pub(super) fn listed<'p>(question: &Prepared, mut packs: impl Iterator<Item = &'p Pack>) -> Option<String> {
    packs.find_map(|pack| {
        let topic = pack.intent.terminology.listed.captures(question.text())?.name("topic")?.range();
        question.typed(topic)
    })
}
