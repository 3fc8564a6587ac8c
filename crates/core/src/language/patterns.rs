//! Patterns of the packs, compiled once, and the fixed ones of the program.

use std::sync::OnceLock;

use regex::{Captures, Match, Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::error::PackError;

/// Patterns that are tried in their order.
#[derive(Debug)]
pub(crate) struct Patterns {
    each: Vec<Regex>,
    /// All of them in one pass: most texts meet none, and to learn that from each takes several times as long.
    all: OnceLock<RegexSet>,
}

impl Patterns {
    fn new(each: Vec<Regex>) -> Self {
        Self { each, all: OnceLock::new() }
    }

    pub fn is_match(&self, text: &str) -> bool {
        match self.each.as_slice() {
            [] => false,
            [only] => only.is_match(text),
            _ => self.all().is_match(text),
        }
    }

    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.meeting(text).find_map(|pattern| pattern.find(text))
    }

    pub fn find_all<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        self.meeting(text).flat_map(move |pattern| pattern.find_iter(text))
    }

    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.meeting(text).find_map(|pattern| pattern.captures(text))
    }

    /// The matches of every pattern that meets the text.
    pub fn all_captures<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        self.meeting(text).filter_map(move |pattern| pattern.captures(text))
    }

    /// Those that may meet a text, in their order: none of several where none does.
    fn meeting(&self, text: &str) -> impl Iterator<Item = &Regex> {
        let any = self.each.len() == 1 || self.is_match(text);
        self.each.iter().filter(move |_| any)
    }

    fn all(&self) -> &RegexSet {
        self.all.get_or_init(|| {
            let patterns = self.each.iter().map(Regex::as_str);
            // Each of them was compiled by itself, so that together they only need the room.
            RegexSetBuilder::new(patterns)
                .size_limit(usize::MAX)
                .build()
                .unwrap_or_else(|problem| stop(&problem))
        })
    }
}

/// Compiles the patterns of a file.
#[derive(Clone, Copy)]
pub(super) struct Compiler<'f> {
    pub file: &'f str,
}

impl Compiler<'_> {
    pub fn regex(self, key: &str, pattern: &str) -> Result<Regex, PackError> {
        self.build(key, pattern, &mut RegexBuilder::new(pattern))
    }

    /// Whatever the case of the letters.
    pub fn caseless(self, key: &str, pattern: &str) -> Result<Regex, PackError> {
        self.build(key, pattern, RegexBuilder::new(pattern).case_insensitive(true))
    }

    fn build(self, key: &str, pattern: &str, builder: &mut RegexBuilder) -> Result<Regex, PackError> {
        builder.build().map_err(|problem| PackError::Pattern {
            file: self.file.to_owned(),
            key: key.to_owned(),
            pattern: pattern.to_owned(),
            problem: problem.to_string(),
        })
    }

    pub fn pattern(self, key: &str, pattern: &str) -> Result<Patterns, PackError> {
        self.patterns(key, &[pattern])
    }

    pub fn patterns<S: AsRef<str>>(self, key: &str, patterns: &[S]) -> Result<Patterns, PackError> {
        let compiled = patterns.iter().map(|pattern| self.regex(key, pattern.as_ref()));
        Ok(Patterns::new(compiled.collect::<Result<_, _>>()?))
    }

    /// Tries parts of patterns that are put together over all languages, where the file would not be known any more.
    pub fn parts<S: AsRef<str>>(self, key: &str, parts: &[S]) -> Result<(), PackError> {
        self.patterns(key, parts).map(|_| ())
    }
}

/// One pattern for any of these, the longest first; it meets nothing where there are none.
pub(super) fn any_of<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
    if words.is_empty() {
        return r"[^\s\S]".to_owned();
    }
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    format!("(?:{})", words.join("|"))
}

/// A pattern that is part of the program and of no language. A broken one ends the program where it is first needed,
/// which any test that comes by finds; a check that went on without it would let everything pass.
pub fn fixed(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|problem| stop(&problem))
}

/// Ends what cannot go on.
#[expect(clippy::panic, reason = "there is no answer to give without the patterns that check it")]
pub(super) fn stop(problem: &dyn std::fmt::Display) -> ! {
    panic!("{problem}")
}
