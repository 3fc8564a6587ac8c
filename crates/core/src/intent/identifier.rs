//! Whether a question wishes for a record's id or name and for nothing else.

use std::ops::Range;

use crate::language::{Pack, Patterns};
use crate::text::words;

/// What of a record is wished for and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    Id,
    /// Its title beside its id.
    Name,
}

/// What the folded question wishes for, and where the words stand that only wish.
pub(super) fn identifier(text: &str, pack: &Pack) -> (Option<Identity>, Vec<Range<usize>>) {
    let rules = &pack.intent.wish.identifier;
    let restricting: Vec<Range<usize>> = ranges(&rules.restricting, text);
    let alone = ranges(&rules.alone, text);
    let asked = asked(text, pack).filter(|_| {
        // Where more is asked beside it, the id alone is no answer.
        !alone.is_empty() || !restricting.is_empty() || !asks_more(text, pack)
    });
    let is_restricted = !restricting.is_empty() || !alone.is_empty();
    let which = rules.which.find(text).filter(|_| is_restricted).map(|found| found.range());
    let mut wishing = alone;
    wishing.extend(asked.into_iter().flatten());
    let named = |range: &Range<usize>| {
        let wished = &text[range.clone()];
        rules.names.is_match(wished) || rules.called.is_match(wished)
    };
    let identity = if wishing.iter().any(named) {
        Some(Identity::Name)
    } else {
        (!wishing.is_empty() || which.is_some()).then_some(Identity::Id)
    };
    wishing.extend(which);
    wishing.extend(restricting);
    (identity, wishing)
}

/// The words of a question for the id or the name of a record, but for those that say which record.
fn asked(text: &str, pack: &Pack) -> Option<Vec<Range<usize>>> {
    pack.intent.wish.identifier.asked.all_captures(text).find_map(|captures| {
        let (whole, topic) = (captures.get(0)?, captures.name("topic")?);
        let says = words(topic.as_str()).iter().all(|word| pack.words.is_content(&word.folded));
        says.then(|| vec![whole.start()..topic.start(), topic.end()..whole.end()])
    })
}

/// Whether a second question is joined to the first: "and who approved it".
fn asks_more(text: &str, pack: &Pack) -> bool {
    let words = words(text);
    words
        .windows(2)
        .any(|pair| pack.words.and.contains(&pair[0].folded) && pack.words.question.contains(&pair[1].folded))
}

fn ranges(patterns: &Patterns, text: &str) -> Vec<Range<usize>> {
    patterns.find_all(text).map(|found| found.range()).collect()
}

#[cfg(test)]
#[path = "identifier_tests.rs"]
mod tests;
