//! The field of one record that a question asks for.

use std::ops::Range;

use super::prepared::Prepared;
use super::reference::references;
use crate::domain::{FactField, Kind, Reference};
use crate::language::{MASK, Pack, Patterns};
use crate::text::without_marks;

/// The field of the record that a question asks for: of the one it refers to, or of a policy that it names.
pub(super) fn fact<'p>(
    question: &Prepared<'_>,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<(Reference, FactField)> {
    let text = question.text();
    let (range, reference) = match named {
        [] => policy_in(question, packs.clone())?,
        [reference] => {
            let named = references(text).into_iter().next();
            (named.or_else(|| policy_in(question, packs.clone()))?.0, reference.clone())
        }
        _ => return None,
    };
    let (front, back) = (&text[..range.start], &text[range.end..]);
    let articles = packs.clone().flat_map(|pack| &pack.intent.facts.before);
    let front = articles
        .filter_map(|article| front.strip_suffix(' ')?.strip_suffix(article.as_str()))
        .find(|front| front.is_empty() || front.ends_with(' '))
        .unwrap_or(front);
    let masked = format!("{front}{MASK}{back}");
    let asks = |(field, patterns): &(FactField, Patterns)| patterns.is_match(&masked).then_some(*field);
    let field = packs.clone().find_map(|pack| pack.intent.facts.fields.iter().find_map(asks))?;
    Some((reference, field))
}

/// A policy that a question names by its subject, and where: "the data retention policy".
pub(super) fn policy_in<'p>(
    question: &Prepared<'_>,
    mut packs: impl Iterator<Item = &'p Pack>,
) -> Option<(Range<usize>, Reference)> {
    let text = question.text();
    packs.find_map(|pack| {
        pack.intent.facts.policy.all_captures(text).find_map(|captures| {
            let (whole, name) = (captures.get(0)?, captures.name("name")?);
            let skipped = last_word_end(name.as_str(), &pack.intent.facts.policy_after);
            let slug = slug(&name.as_str()[skipped..]);
            let start = if name.start() == whole.start() { name.start() + skipped } else { whole.start() };
            let start = start + text[start..].len() - text[start..].trim_start().len();
            let written = question.typed(start..whole.end())?;
            let reference = Reference { kind: Kind::Policy, number: None, name: Some(slug), written };
            (!reference.name.as_deref().unwrap_or_default().is_empty())
                .then_some((start..whole.end(), reference))
        })
    })
}

/// Where the last of these words ends in the text; 0 where there is none.
fn last_word_end(text: &str, words: &[String]) -> usize {
    let mut end = 0;
    let mut at = 0;
    for word in text.split(' ') {
        at += word.len();
        if words.iter().any(|w| w == word) {
            end = at;
        }
        at += 1;
    }
    end
}

fn slug(name: &str) -> String {
    let plain = without_marks(name);
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
