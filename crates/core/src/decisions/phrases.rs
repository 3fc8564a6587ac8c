//! The words of all languages by which sentences demand, choose and except: documents mix them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::language::{Language, StatementWords, fixed};

/// Phrases in one pattern, the longest first.
pub(super) struct Phrases(Regex);

impl Phrases {
    fn of(words: fn(&StatementWords) -> &Vec<String>) -> Self {
        let mut all: Vec<&str> = Language::all()
            .flat_map(|language| words(&language.documents().statements))
            .map(String::as_str)
            .collect();
        all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        let escaped: Vec<String> =
            all.into_iter().map(|phrase| regex::escape(phrase).replace(' ', r"\s+")).collect();
        Self(fixed(&format!(r"(?i)\b(?:{})\b", escaped.join("|"))))
    }

    /// Where the phrases stand in a text.
    pub(super) fn in_text<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        self.0.find_iter(text).map(|found| found.range())
    }

    /// Whether a text holds one.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Where the text ends with one, but for a few other words of so many bytes.
    pub(super) fn before(&self, text: &str, reach: usize) -> Option<Range<usize>> {
        self.0
            .find_iter(text)
            .last()
            .map(|found| found.range())
            .filter(|range| text.len() - range.end <= reach)
    }
}

macro_rules! phrases {
    ($($name:ident $field:ident;)*) => {
        $(pub(super) static $name: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|words| &words.$field));)*
    };
}

phrases! {
    MUST must;
    MUST_NOT must_not;
    MAY may;
    CONDITIONS conditions;
    AT_LEAST at_least;
    AT_MOST at_most;
    HALVES halves;
    CHOOSING choosing;
    EXCEPTIONS exceptions;
    ENDS ends;
    LASTING lasting;
    STANDING standing;
    GONE gone;
}
