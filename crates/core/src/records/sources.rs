//! Where documents come from, as people name it: "the GOV.UK decisions", "ADR 5 of MADR".

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::words;

/// A source that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedSource {
    /// The source.
    pub source: String,
    /// The text without its name.
    pub without: String,
}

/// The one of these sources that a text names: by at least half of its name's own words. Nothing where there is only one.
pub(crate) fn source_named<'s>(
    text: &str,
    sources: impl IntoIterator<Item = &'s str>,
) -> Option<NamedSource> {
    let sources: BTreeSet<&str> = sources.into_iter().collect();
    if sources.len() < 2 {
        return None;
    }
    let mut users: BTreeMap<String, usize> = BTreeMap::new();
    for word in sources.iter().flat_map(|source| own_words(source)) {
        *users.entry(word).or_default() += 1;
    }
    let said = said(text);
    let mut named = sources.into_iter().filter_map(|source| {
        // What several sources are called tells none of them.
        let own: Vec<String> = own_words(source).into_iter().filter(|word| users[word] == 1).collect();
        let found: Vec<&(String, Range<usize>)> =
            said.iter().filter(|(word, _)| own.contains(word)).collect();
        let distinct: BTreeSet<&String> = found.iter().map(|(word, _)| word).collect();
        let is_named = !distinct.is_empty() && 2 * distinct.len() >= own.len();
        is_named.then(|| NamedSource {
            source: source.to_owned(),
            without: without(text, found.iter().map(|(_, range)| range)),
        })
    });
    named.next().filter(|_| named.next().is_none())
}

/// A text without what stands in these ranges, and with one space where there would be several.
fn without<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>> + Clone) -> String {
    let kept = text.char_indices().filter(|(at, _)| !ranges.clone().any(|range| range.contains(at)));
    let kept: String = kept.map(|(_, c)| c).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a source's name that could tell it from others: no kind of document, and not too short.
fn own_words(source: &str) -> BTreeSet<String> {
    let is_kind = |word: &str| {
        Pack::all().any(|pack| pack.intent.kind_named(word).is_some() || pack.words.kind.contains(word))
    };
    let parts = source.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    parts.filter(|word| word.len() >= numbers().intent.source_letters && !is_kind(word)).collect()
}

/// The words of a text and where they stand, marks inside them left out, and each two neighbours as one: "GOV.UK", "gov uk".
fn said(text: &str) -> Vec<(String, Range<usize>)> {
    let plain = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let mut at = 0;
    let mut single: Vec<(String, Range<usize>)> = Vec::new();
    for part in text.split(' ') {
        let trimmed = part.trim_matches(|c: char| !c.is_alphanumeric());
        let start = at + part.find(trimmed).unwrap_or_default();
        let bare = trimmed.strip_suffix("'s").or_else(|| trimmed.strip_suffix("’s")).unwrap_or(trimmed);
        if !words(bare).is_empty() {
            single.push((plain(bare), start..start + trimmed.len()));
        }
        at += part.len() + 1;
    }
    let pairs =
        single.windows(2).map(|pair| (format!("{}{}", pair[0].0, pair[1].0), pair[0].1.start..pair[1].1.end));
    let pairs: Vec<(String, Range<usize>)> = pairs.collect();
    single.into_iter().chain(pairs).collect()
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod tests;
