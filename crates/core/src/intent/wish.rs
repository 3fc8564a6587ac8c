//! What a question wishes of what it asks about: all of it, a form, a part; and which of its words only say so.

use std::ops::Range;

use super::described::described;
use super::folded::Folded;
use super::headings::headings;
use super::identifier::{Identity, identifier};
use crate::domain::{FactField, Language};
use crate::language::{Pack, Patterns};

/// What a question wishes beside its subject.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// The whole of a record: "summarise", "tell me about".
    pub whole: bool,
    /// To see a record, which is all of it where one is named: "show me".
    pub show: bool,
    /// What parts two things.
    pub compare: bool,
    /// What each of several documents says.
    pub several: bool,
    /// The form of the answer.
    pub shape: Shape,
    /// A field of a record that is known by what it says.
    pub field: Option<FactField>,
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
    /// The record's id and title and nothing else.
    Name,
}

impl Wish {
    /// Reads a question as typed; with it, where the words stand that only wish.
    pub(super) fn read(typed: &str, folded: &Folded, language: Language) -> (Self, Vec<Range<usize>>) {
        let text = folded.text.as_str();
        let mut wish = Self::default();
        let mut wishing: Vec<Range<usize>> = Vec::new();
        for pack in Pack::by_preference(language) {
            let rules = &pack.intent.wish;
            let (identity, restricting) = identifier(text, pack);
            wish.shape = match identity {
                Some(Identity::Id) => Shape::Identifier,
                Some(Identity::Name) => Shape::Name,
                None => wish.shape,
            };
            let mut found = |ranges: Vec<Range<usize>>| {
                let any = !ranges.is_empty();
                wishing.extend(ranges);
                any
            };
            let all = |patterns: &Patterns| patterns.find_all(text).map(|m| m.range()).collect();
            wish.whole |= found(all(&rules.whole));
            wish.show |= found(all(&rules.show));
            wish.compare |= found(around_topics(&rules.compare, text));
            wish.several |= found(around_topics(&rules.several, text));
            if let Some((field, asking)) = described(text, pack) {
                wish.field.get_or_insert(field);
                found(vec![asking]);
            }
            found(all(&rules.idle));
            found(restricting);
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
            if !matches!(wish.shape, Shape::Headings(_))
                && let Some((names, range)) = headings(typed, folded, pack)
            {
                found(vec![range]);
                wish.shape = Shape::Headings(names);
            }
        }
        let wishing = wishing.into_iter().map(|range| folded.origin(range)).collect();
        (wish, wishing)
    }

    /// Whether several documents are to have their say.
    pub fn is_for_several(&self) -> bool {
        self.several || self.compare
    }

    /// Whether anything beside the subject is wished.
    pub fn is_for_a_record(&self) -> bool {
        self.whole || self.field.is_some() || self.shape != Shape::Free
    }
}

/// Where these patterns are met, without what they call the topic.
fn around_topics(patterns: &Patterns, text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for captures in patterns.all_captures(text) {
        let Some(whole) = captures.get(0).map(|whole| whole.range()) else { continue };
        match captures.name("topic").map(|topic| topic.range()) {
            Some(topic) => ranges.extend([whole.start..topic.start, topic.end..whole.end]),
            None => ranges.push(whole),
        }
    }
    ranges
}

/// A number in figures or in words.
pub(super) fn number(word: &str) -> Option<usize> {
    let spelt = || {
        Pack::all().find_map(|pack| {
            let one = pack.words.one.iter().any(|one| one == word).then_some(1);
            one.or_else(|| pack.words.numbers.get(word).copied())
        })
    };
    word.parse().ok().or_else(|| usize::try_from(spelt()?).ok()).filter(|number| *number > 0)
}

#[cfg(test)]
#[path = "wish_tests.rs"]
mod tests;
