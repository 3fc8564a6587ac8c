//! A question made ready for patterns.

use std::ops::Range;

use super::folded::Folded;
use super::terminology::{ENDS, article_length};
use crate::domain::Language;
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::words;

/// Patterns are tried on questions up to this many bytes; nobody asks for a meaning, a list or a field in more.
const LONGEST_PATTERN: usize = 1_000;

/// A question made ready for patterns: folded, without courtesy in front and punctuation behind, in the wording that
/// the patterns know.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prepared {
    typed: String,
    folded: Folded,
    text: String,
    /// Where the text ends in the folded question. Only the front is ever reworded, so a place counted from the end is
    /// the same in both.
    end: usize,
    /// How much of the text's front was reworded.
    reworded: usize,
}

impl Prepared {
    /// Reads a question that stands by itself; what leads it in says nothing: "And what is CIM?".
    pub fn read_complete(typed: &str, language: Language) -> Self {
        Self::prepare(typed, language, true)
    }

    pub fn read(typed: &str, language: Language) -> Self {
        Self::prepare(typed, language, false)
    }

    fn prepare(typed: &str, language: Language, complete: bool) -> Self {
        let folded = Folded::of(typed);
        let end = asked_until(&folded.text, language);
        let mut text = if end > LONGEST_PATTERN { String::new() } else { folded.text[..end].to_owned() };
        for pack in Pack::by_preference(language) {
            let courtesy = pack.intent.courtesy(&text);
            if courtesy < text.len() {
                text.drain(..courtesy);
            }
            if complete {
                text.drain(..pack.intent.follow_up.lead_of_question(&text));
            }
        }
        let mut reworded = 0;
        if let Some((replaced, by)) =
            Pack::by_preference(language).find_map(|pack| pack.intent.rewrite(&text))
        {
            text.replace_range(..replaced, by);
            reworded = by.len();
        }
        Self { typed: typed.to_owned(), folded, text, end, reworded }
    }

    /// How much of the question's front, as typed, is courtesy.
    pub fn courtesy(&self, language: Language) -> usize {
        let text = &self.folded.text;
        let courtesy = Pack::by_preference(language).map(|pack| pack.intent.courtesy(text)).max();
        let courtesy = courtesy.filter(|courtesy| *courtesy < text.len()).unwrap_or(0);
        self.folded.origin(courtesy..courtesy).start
    }

    /// Where what is asked ends in the question as typed: behind it stand punctuation, wishes and what is told beside it.
    pub fn asked_until(&self) -> usize {
        self.folded.origin(0..self.end).end
    }

    /// The question as it was typed, and folded with all that it says.
    pub fn whole(&self) -> (&str, &Folded) {
        (&self.typed, &self.folded)
    }

    /// The text that patterns meet; empty where the question is longer than any pattern.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folded question with its courtesy, without punctuation behind; empty where it is longer than any pattern.
    pub fn folded(&self) -> &str {
        if self.end > LONGEST_PATTERN { "" } else { &self.folded.text[..self.end] }
    }

    /// The text from here on as it was typed, or folded where it was reworded.
    pub fn as_typed(&self, from: usize) -> String {
        let typed = (from >= self.reworded).then(|| self.slice(from..self.text.len())).flatten();
        typed.unwrap_or(&self.text[from..]).to_owned()
    }

    /// What was typed where this part of the text stands, without article, quotes and punctuation around it.
    pub fn typed(&self, range: Range<usize>) -> Option<String> {
        let article = article_length(self.text.get(range.clone())?);
        let typed = self.slice(range.start + article..range.end)?;
        let plain =
            typed.trim_matches(|c: char| c.is_whitespace() || ENDS.contains(&c) || "\"'“”‘’„«»".contains(c));
        (!plain.is_empty()).then(|| plain.to_owned())
    }

    fn slice(&self, range: Range<usize>) -> Option<&str> {
        let folded = |at: usize| self.end.checked_sub(self.text.len().checked_sub(at)?);
        self.typed.get(self.folded.origin(folded(range.start)?..folded(range.end)?))
    }

    /// The words of the folded question, set apart by single spaces; none where it is longer than any pattern.
    pub fn words(&self) -> String {
        if self.folded.text.len() > LONGEST_PATTERN {
            return String::new();
        }
        words(&self.folded.text).iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The parts of the question that hold a letter or a digit; none where it is longer than any pattern.
    pub fn parts(&self) -> Vec<&str> {
        self.text.split(' ').filter(|part| part.contains(char::is_alphanumeric)).collect()
    }
}

/// Where a question ends, without punctuation, without clauses that only want no more than what is asked, and without what is told
/// beside it.
fn asked_until(text: &str, language: Language) -> usize {
    let wished = |pack: &Pack| Some(pack.intent.wish.identifier.ending.find(text)?.start());
    let end = Pack::by_preference(language)
        .flat_map(|pack| [wished(pack), aside(text, pack)])
        .flatten()
        .fold(text.len(), usize::min);
    text[..end].trim_end_matches(ENDS).len()
}

/// Where a clause begins that is told beside the question. Without it a question must be left, and the clause asks nothing itself.
fn aside(text: &str, pack: &Pack) -> Option<usize> {
    let at = pack.intent.aside(text).filter(|at| text.len() <= LONGEST_PATTERN && *at > 0)?;
    let has_question = |told: &str| words(told).iter().any(|word| pack.words.question.contains(&word.folded));
    let asks = text.ends_with('?') && has_question(&text[at..]);
    (!asks && words(&text[..at]).len() >= numbers().intent.words_before_aside).then_some(at)
}
