//! A unit of a reply, read once and held against several passages.

use std::collections::BTreeMap;
use std::ops::Range;

use super::claims::Claims;
use super::clause::{Clause, Counted, clause_ranges, read_clauses};
use super::passage::ReadPassage;
use super::plain::plain;
use super::support::Statement;
use super::vocabulary::Vocabulary;
use crate::domain::Language;
use crate::numbers::numbers;
use crate::text::{Word, detect, words};

/// A unit of a reply, read once and held against several passages.
pub(super) struct UnitReading<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
    by_language: BTreeMap<Language, Version>,
}

/// A unit, read to be held against passages of one language.
struct Version {
    /// The text without its links, made plain.
    plain: String,
    claims: Claims,
    clauses: Vec<Clause>,
}

impl<'a> UnitReading<'a> {
    /// Reads a unit for passages in these languages; where its own does not show, it is taken to be theirs.
    pub fn new(text: &'a str, languages: &[Language], vocabulary: &Vocabulary) -> Self {
        let detected = detect(text);
        let all = words(text);
        let read = |ranges: &[Range<usize>]| -> BTreeMap<Language, Version> {
            let version = |held: &Language| {
                (*held, Version::read(text, &all, ranges, detected.unwrap_or(*held), *held, vocabulary))
            };
            languages.iter().map(version).collect()
        };
        let ranges = clause_ranges(text, detected.or(languages.first().copied()).unwrap_or(Language::EN));
        let by_language = read(&ranges);
        match by_language.values().next().and_then(|version| merged(&ranges, &version.clauses)) {
            Some(merged) => Self { text, by_language: read(&merged), ranges: merged },
            None => Self { text, by_language, ranges },
        }
    }

    /// As it was written.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The clauses as written.
    pub fn parts(&self) -> impl Iterator<Item = &'a str> {
        self.ranges.iter().map(|range| &self.text[range.clone()])
    }

    /// The claims of the unit, one by one.
    pub fn each_claim(&self) -> Vec<Claims> {
        self.by_language.values().flat_map(|version| version.claims.each()).collect()
    }

    /// All that it claims, to be held against passages of a language.
    pub fn claims(&self, language: Language) -> Option<&Claims> {
        self.by_language.get(&language).map(|version| &version.claims)
    }

    /// Whether every clause has enough words to be judged by them.
    pub fn is_wordy(&self) -> bool {
        let mut clauses = self.by_language.values().flat_map(|version| &version.clauses);
        clauses.all(|clause| clause.meanings.len() > numbers().grounding.bare_phrase_words)
    }

    /// Whether the first content word, most likely what the unit is about, stands in the passage.
    pub fn subject_is_held(&self, passage: &ReadPassage) -> bool {
        let version = self.by_language.get(&passage.language);
        let first =
            version.and_then(|version| version.clauses.first()).and_then(|clause| clause.meanings.first());
        first.is_some_and(|meaning| passage.holds(*meaning))
    }

    /// The clauses, to be held against passages of a language.
    pub fn statements<'r>(
        &'r self,
        language: Language,
        vocabulary: &'r Vocabulary,
    ) -> impl Iterator<Item = Statement<'r>> {
        let version = self.by_language.get(&language);
        version.into_iter().flat_map(move |version| {
            version.clauses.iter().zip(&self.ranges).map(move |(clause, range)| Statement {
                clause,
                text: self.text[range.clone()].trim_end_matches(|c: char| !c.is_alphanumeric()),
                unit: &version.claims,
                unit_plain: &version.plain,
                vocabulary,
                language,
            })
        })
    }
}

impl Version {
    /// Reads a text that is written in `language` for passages that are written in `held`.
    fn read(
        text: &str,
        all: &[Word],
        ranges: &[Range<usize>],
        language: Language,
        held: Language,
        vocabulary: &Vocabulary,
    ) -> Self {
        let claims = Claims::of(text, all, language);
        let mut known = |word: &str| vocabulary.look_up(word, language, held);
        let clauses = read_clauses(text, all, ranges, &claims, language, Counted::Content, &mut known);
        let unlinked =
            claims.links.iter().fold(text.to_owned(), |text, link| text.replace(&link.written, " "));
        Self { plain: plain(&unlinked), claims, clauses }
    }
}

/// Clauses that are too short to be judged alone joined to the one before, or behind; `None` where there are none.
fn merged(ranges: &[Range<usize>], clauses: &[Clause]) -> Option<Vec<Range<usize>>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    let mut last_is_small = false;
    for (range, clause) in ranges.iter().zip(clauses) {
        let small = clause.meanings.len() <= numbers().grounding.bare_phrase_words;
        match merged.last_mut() {
            Some(last) if small || last_is_small => {
                last.end = range.end;
                last_is_small = false;
            }
            _ => {
                merged.push(range.clone());
                last_is_small = small;
            }
        }
    }
    (merged.len() < ranges.len()).then_some(merged)
}
