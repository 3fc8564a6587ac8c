//! The term whose meaning a question asks for.

use super::reference::references;
use crate::language::{Pack, TerminologyRules};
use crate::numbers::numbers;

/// What a question has to do with the vocabulary.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Terminology {
    /// It asks for the meaning of this term.
    Term(String),
    /// It looks as if it did, but asks the documents; the term that could be looked up as well.
    Offer(Option<String>),
    /// Nothing.
    None,
}

/// Reads a folded question: exclusions first, then patterns.
pub(super) fn terminology<'p>(text: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Terminology {
    // IR3's patterns let a question mark pass; here nothing that ends a sentence is part of it.
    let text = text.trim_end_matches(ENDS);
    if packs.clone().any(|pack| pack.intent.terminology.exclusions.is_match(text)) {
        return Terminology::None;
    }
    let asked = packs.clone().find_map(|pack| {
        let captures = pack.intent.terminology.patterns.captures(text)?;
        Some((pack, captures.iter().skip(1).flatten().next()?.as_str()))
    });
    let Some((pack, asked)) = asked else { return Terminology::None };
    if !references(text).is_empty() {
        return Terminology::Offer(None);
    }
    let kept = packs.clone().any(|pack| pack.intent.terminology.kept.is_match(text));
    if !kept && packs.clone().any(|pack| pack.intent.terminology.further.is_match(text)) {
        return Terminology::Offer(pack.intent.terminology.offer(asked, packs));
    }
    match term(asked) {
        empty if empty.is_empty() => Terminology::None,
        term => Terminology::Term(term),
    }
}

impl TerminologyRules {
    /// The term inside a question that asks the documents, where what remains would be a question for a meaning.
    fn offer<'p>(&self, asked: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Option<String> {
        let mut rest = asked;
        while let Some(found) = self.around.find(rest) {
            rest = if found.start() == 0 { &rest[found.end()..] } else { &rest[..found.start()] };
        }
        let rest = term(rest);
        if rest.is_empty() || rest.split(' ').count() > numbers().intent.longest_term {
            return None;
        }
        let plain = format!("{}{rest}", self.plain);
        let excluded = |pack: &Pack| {
            pack.intent.terminology.exclusions.is_match(&plain)
                || pack.intent.terminology.further.is_match(&plain)
        };
        let joined = packs
            .clone()
            .any(|pack| pack.intent.reference.and.iter().any(|and| rest.contains(&format!(" {and} "))));
        (!joined && !packs.clone().any(excluded)).then_some(rest)
    }
}

/// What may end a sentence.
pub(super) const ENDS: [char; 6] = ['?', '.', '!', ' ', ',', '…'];

/// The term itself: without quotes, final punctuation and articles.
pub(super) fn term(asked: &str) -> String {
    let mut rest = asked;
    loop {
        let mut next = rest.trim_end_matches(ENDS).trim();
        next = quoted(next).unwrap_or(next);
        next = &next[article_length(next)..];
        if next == rest {
            return rest.to_owned();
        }
        rest = next;
    }
}

/// How much of the text's front is an article.
pub(super) fn article_length(text: &str) -> usize {
    Pack::all().find_map(|pack| pack.intent.terminology.article.find(text)).map_or(0, |article| article.end())
}

fn quoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

#[cfg(test)]
#[path = "terminology_tests.rs"]
mod tests;
