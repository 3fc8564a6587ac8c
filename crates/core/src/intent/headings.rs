//! The headings that an answer is wished under.

use std::ops::Range;

use super::folded::Folded;
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::aspect_wished;

/// The headings that a question names, as typed, and where in the folded text they are wished for.
pub(super) fn headings(typed: &str, folded: &Folded, pack: &Pack) -> Option<(Vec<String>, Range<usize>)> {
    let rules = &pack.intent.wish;
    let text = folded.text.as_str();
    let named = rules.headings.captures(text).and_then(|captures| {
        let (whole, names) = (captures.get(0)?, captures.name("names")?);
        Some((row(&typed[folded.origin(names.range())], pack), whole.range()))
    });
    let known = || {
        rules.headings_of_known.all_captures(text).find_map(|captures| {
            let (whole, names) = (captures.get(0)?, captures.name("names")?);
            let names = row(&typed[folded.origin(names.range())], pack);
            are_known(&names, pack).then(|| (names, whole.range()))
        })
    };
    named.filter(|(names, _)| !names.is_empty()).or_else(known)
}

/// Whether most of these are parts that records have; what has more words than a fragment is a sentence.
fn are_known(names: &[String], pack: &Pack) -> bool {
    let is_known = |name: &&String| {
        name.split_whitespace().count() <= numbers().intent.fragment_words
            && aspect_wished(name, pack.language).is_some()
    };
    names.len() > 1 && names.iter().filter(is_known).count() * 2 > names.len()
}

/// Headings that stand in a row: "Problem, Decision and Consequences".
fn row(row: &str, pack: &Pack) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in row.split([',', ';', '/', '+', '|', '&']) {
        let mut name: Vec<&str> = Vec::new();
        for word in part.split_whitespace().chain(std::iter::once("")) {
            if word.is_empty() || pack.words.and.iter().any(|and| and.eq_ignore_ascii_case(word)) {
                let plain = name.join(" ");
                let end = pack.intent.wish.heading_tail.find(&plain.to_lowercase()).map(|tail| tail.start());
                let plain = plain.get(..end.unwrap_or(plain.len())).unwrap_or(&plain);
                let plain = plain.trim_matches(|c: char| !c.is_alphanumeric());
                if !plain.is_empty() {
                    names.push(plain.to_owned());
                }
                name.clear();
            } else {
                name.push(word);
            }
        }
    }
    names
}

#[cfg(test)]
#[path = "headings_tests.rs"]
mod tests;
