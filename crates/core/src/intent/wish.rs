//! What a question wishes of what it asks about: all of it, a form, a part; and which of its words only say so.

use std::ops::Range;

use super::folded::Folded;
use crate::domain::Language;
use crate::language::Pack;
use crate::text::WordList;

/// What a question wishes beside its subject.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// The whole of a record: "summarise", "tell me about".
    pub whole: bool,
    /// What parts two things.
    pub compare: bool,
    /// What each of several documents says.
    pub several: bool,
    /// The form of the answer.
    pub shape: Shape,
    /// One of the options that a record weighs, counted from 1.
    pub option: Option<usize>,
}

/// The form that an answer is wished in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Shape {
    /// None in particular.
    #[default]
    Free,
    /// Under these headings, as typed.
    Headings(Vec<String>),
    /// So many points.
    Points(usize),
    /// So many sentences.
    Sentences(usize),
    /// What speaks for it, and what against it.
    ForAndAgainst,
    /// The record's id and nothing else.
    Identifier,
}

impl Wish {
    /// Reads a question as typed; with it, where the words stand that only wish.
    pub(super) fn read(typed: &str, language: Language) -> (Self, Vec<Range<usize>>) {
        let folded = Folded::of(typed);
        let text = folded.text.as_str();
        let mut wish = Self::default();
        let mut wishing: Vec<Range<usize>> = Vec::new();
        for rules in Pack::by_preference(language).map(|pack| &pack.intent.wish) {
            let mut found = |ranges: Vec<Range<usize>>| {
                let any = !ranges.is_empty();
                wishing.extend(ranges);
                any
            };
            let all =
                |patterns: &crate::language::Patterns| patterns.find_all(text).map(|m| m.range()).collect();
            wish.whole |= found(all(&rules.whole));
            wish.compare |= found(all(&rules.compare));
            wish.several |= found(all(&rules.several));
            found(all(&rules.idle));
            if found(all(&rules.identifier)) {
                wish.shape = Shape::Identifier;
            }
            if found(all(&rules.for_and_against)) {
                wish.shape = Shape::ForAndAgainst;
            }
            for (patterns, shape) in
                [(&rules.points, Shape::Points as fn(usize) -> Shape), (&rules.sentences, Shape::Sentences)]
            {
                if let Some(captures) = patterns.captures(text)
                    && let (Some(whole), Some(count)) =
                        (captures.get(0), captures.name("n").and_then(|n| number(n.as_str())))
                {
                    found(vec![whole.range()]);
                    wish.shape = shape(count);
                }
            }
            if let Some(captures) = rules.option.captures(text) {
                wish.option = captures.name("n").and_then(|n| number(n.as_str()));
            }
            if let Some(captures) = rules.headings.captures(text)
                && let (Some(whole), Some(names)) = (captures.get(0), captures.name("names"))
            {
                found(vec![whole.range()]);
                let names = headings(&typed[folded.origin(names.range())], language);
                wish.shape = Shape::Headings(names);
            }
        }
        let wishing = wishing.into_iter().map(|range| folded.origin(range)).collect();
        (wish, wishing)
    }

    /// Whether anything beside the subject is wished.
    pub fn is_for_a_record(&self) -> bool {
        self.whole || self.shape != Shape::Free
    }
}

fn number(word: &str) -> Option<usize> {
    let spelt = || {
        Pack::all().find_map(|pack| {
            let one = pack.words.one.iter().any(|one| one == word).then_some(1);
            one.or_else(|| pack.words.numbers.get(word).copied())
        })
    };
    word.parse().ok().or_else(|| usize::try_from(spelt()?).ok()).filter(|number| *number > 0)
}

/// Headings that stand in a row: "Problem, Decision and Consequences".
fn headings(row: &str, language: Language) -> Vec<String> {
    let and = &WordList::of(language).and;
    let mut names: Vec<String> = Vec::new();
    for part in row.split([',', ';', '/']) {
        let mut name: Vec<&str> = Vec::new();
        for word in part.split_whitespace().chain(std::iter::once("")) {
            if word.is_empty() || and.iter().any(|and| and.eq_ignore_ascii_case(word)) {
                let plain = name.join(" ");
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
#[path = "wish_tests.rs"]
mod tests;
