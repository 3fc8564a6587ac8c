//! Questions about the assistant as they are put together: an address, a topic, and nothing else that says something.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use crate::kinds::About;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, any_of};

/// The parts of such questions, and what they ask together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComposedWords {
    parts: BTreeMap<String, Vec<String>>,
    fillers: Vec<String>,
    readings: Vec<ReadingWords>,
}

/// What some parts ask together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingWords {
    is: About,
    /// The parts that must all be there.
    needs: Vec<String>,
    /// Those that may be there as well.
    #[serde(default)]
    may: Vec<String>,
}

/// The parts and readings of a language, ready for use.
pub(super) struct Composed {
    parts: Vec<Regex>,
    fillers: Regex,
    readings: Vec<Reading>,
    /// Whatever holds nothing but parts and fillers: nearly every question has a word of its own and needs no further look.
    nothing_else: Regex,
}

struct Reading {
    is: About,
    needs: Vec<usize>,
    may: Vec<usize>,
}

/// A stretch of a question and every part that it is.
struct Span {
    range: Range<usize>,
    parts: Vec<usize>,
    claimed: bool,
}

impl ComposedWords {
    pub fn compile(
        self,
        fill: impl Fn(&str) -> String,
        compiler: Compiler<'_>,
    ) -> Result<Composed, PackError> {
        let whole_words = |key: &str, words: &[String]| {
            compiler.regex(key, &format!(r"\b{}(?:\b|$)", any_of(words.iter().map(|word| fill(word)))))
        };
        let all_words = self.parts.values().flatten().chain(&self.fillers);
        let known = any_of(all_words.map(|word| fill(word)));
        let names: Vec<&String> = self.parts.keys().collect();
        let numbers = |wanted: &[String]| -> Result<Vec<usize>, PackError> {
            let number = |part: &String| {
                names.iter().position(|name| *name == part).ok_or_else(|| PackError::Value {
                    file: compiler.file.to_owned(),
                    key: "about.composed.readings".to_owned(),
                    problem: format!("there is no part `{part}`"),
                })
            };
            wanted.iter().map(number).collect()
        };
        let reading = |words: &ReadingWords| {
            Ok(Reading { is: words.is, needs: numbers(&words.needs)?, may: numbers(&words.may)? })
        };
        Ok(Composed {
            nothing_else: compiler
                .regex("about.composed", &format!(r"^(?:{known}|[^\p{{Alphabetic}}\p{{N}}])*$"))?,
            readings: self.readings.iter().map(reading).collect::<Result<_, PackError>>()?,
            parts: self
                .parts
                .iter()
                .map(|(name, words)| whole_words(&format!("about.composed.parts.{name}"), words))
                .collect::<Result<_, PackError>>()?,
            fillers: whole_words("about.composed.fillers", &self.fillers)?,
        })
    }
}

impl Composed {
    /// What a question asks about the assistant. Nothing where a word of it is neither part nor filler, nor where a part
    /// belongs to none of its readings: such a question has a subject of its own.
    pub fn topics(&self, question: &str) -> Vec<About> {
        if !self.nothing_else.is_match(question) {
            return Vec::new();
        }
        let mut spans = self.spans(question);
        if spans.is_empty() || self.says_more(question, &spans) {
            return Vec::new();
        }
        let mut topics = Vec::new();
        for reading in &self.readings {
            if reading.claim(&mut spans) {
                topics.push(reading.is);
            }
        }
        if spans.iter().any(|span| !span.claimed) {
            return Vec::new();
        }
        topics.sort_unstable();
        topics.dedup();
        topics
    }

    /// Where its parts stand, the first and longest first; none of them inside another.
    fn spans(&self, question: &str) -> Vec<Span> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for (part, pattern) in self.parts.iter().enumerate() {
            found.extend(pattern.find_iter(question).map(|found| (found.range(), part)));
        }
        found.sort_by_key(|(range, part)| (range.start, std::cmp::Reverse(range.end), *part));
        let mut spans: Vec<Span> = Vec::new();
        for (range, part) in found {
            match spans.last_mut() {
                Some(last) if last.range == range => last.parts.push(part),
                Some(last) if range.start < last.range.end => {}
                _ => spans.push(Span { range, parts: vec![part], claimed: false }),
            }
        }
        spans
    }

    /// Whether anything beside its parts is more than a filler.
    fn says_more(&self, question: &str, spans: &[Span]) -> bool {
        let mut rest = question.to_owned();
        for span in spans {
            rest.replace_range(span.range.clone(), &" ".repeat(span.range.len()));
        }
        self.fillers.replace_all(&rest, "").contains(char::is_alphanumeric)
    }
}

impl Reading {
    /// Takes its parts where all that it needs are there and no other reading has taken them all.
    fn claim(&self, spans: &mut [Span]) -> bool {
        let all = self.needs.iter().all(|need| spans.iter().any(|span| span.parts.contains(need)));
        let needed = |span: &Span| span.parts.iter().any(|part| self.needs.contains(part));
        let holds = all && spans.iter().any(|span| needed(span) && !span.claimed);
        if holds {
            let taken = |span: &Span| needed(span) || span.parts.iter().any(|part| self.may.contains(part));
            spans.iter_mut().filter(|span| taken(span)).for_each(|span| span.claimed = true);
        }
        holds
    }
}
