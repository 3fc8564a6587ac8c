//! The words of all languages by which sentences demand, choose and except: documents mix them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::fold::fold;
use crate::language::{Affirmed, Language, StatementWords, fixed};

/// Phrases in one pattern, the longest first.
pub(super) struct Phrases(Regex);

impl Phrases {
    /// Words by which something is forbidden stand apart where an adverb comes between them: "must therefore not".
    fn of(words: fn(&StatementWords) -> &Vec<String>, apart: bool) -> Self {
        let mut all: Vec<&str> = Language::all()
            .flat_map(|language| words(&language.documents().statements))
            .map(String::as_str)
            .collect();
        all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        let between = if apart { r"\s+(?:\w+\s+)?" } else { r"\s+" };
        let escaped: Vec<String> =
            all.into_iter().map(|phrase| regex::escape(phrase).replace(' ', between)).collect();
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
    ($($name:ident $field:ident $apart:literal;)*) => {
        $(pub(super) static $name: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|words| &words.$field, $apart));)*
    };
}

phrases! {
    MUST must false;
    MUST_NOT must_not true;
    MAY may false;
    NEED_NOT need_not false;
    IS_NOT is_not false;
    CLAUSES clauses false;
    PAST past false;
    CONDITIONS conditions false;
    AT_LEAST at_least false;
    AT_MOST at_most false;
    HALVES halves false;
    CHOOSING choosing false;
    EXCEPTIONS exceptions false;
    ENDS ends false;
    LASTING lasting false;
    STANDING standing false;
    STOOD stood false;
    YEAR_ENDS year_ends false;
    GONE gone false;
}

/// Where a text forbids or denies, and the same words where it would demand or allow; none where no language knows how.
pub(super) fn affirmed(text: &str, allows: bool) -> Option<(Range<usize>, String)> {
    let range =
        [&*MUST_NOT, &*NEED_NOT, &*IS_NOT].into_iter().find_map(|phrases| phrases.in_text(text).next())?;
    let phrase = fold(&text[range.clone()]);
    let mut words = phrase.split_whitespace();
    let ends = (words.next()?, words.next_back());
    let known = |one: &&Affirmed| {
        let mut forbidden = one.forbidden.split_whitespace();
        (forbidden.next(), forbidden.next_back()) == (Some(ends.0), ends.1)
    };
    let affirmed =
        Language::all().find_map(|language| language.documents().statements.affirmed.iter().find(known))?;
    let words = if allows { &affirmed.allowed } else { &affirmed.demanded };
    Some((range, words.clone()))
}
