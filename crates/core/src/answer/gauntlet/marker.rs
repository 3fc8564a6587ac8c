//! What the content of a bracket is: a marker, a source id, or text.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::domain::Kind;
use crate::language::{across, fixed};
use crate::text::is_invisible;

/// What the content of a bracket turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// No marker.
    Text,
    /// A marker that cannot be read.
    Malformed,
    /// Aliases, in order.
    Aliases(Vec<usize>),
    /// A source id; `named` where the word SourceId stands before it.
    Source {
        /// The id as written.
        id: String,
        /// Whether it calls itself a source id.
        named: bool,
    },
}

/// The longest content with letters in it that is held back.
const LONGEST: usize = 160;

/// The longest range that is spelt out; a longer one is malformed.
const LONGEST_RANGE: usize = 20;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| fixed(r"(-)?\s*(\d+)"));

static SOURCE: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"(?i)^\s*(sourceid\s*:?\s*)?([a-z0-9-]*[a-z-][a-z0-9-]*:\d+)\s*$"));

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"^\s*\d{4}-\d{1,2}(?:-\d{1,2})?\s*$|^\s*\d{3,}\s*-\s*\d+\s*$|^\s*\d+\s*-\s*\d{3,}\s*$")
});

/// What a reader sees: compatibility forms made plain, invisible characters gone.
fn visible(content: &str) -> String {
    if content.is_ascii() && !content.bytes().any(|b| b.is_ascii_control()) {
        return content.to_owned();
    }
    content
        .nfkc()
        .filter(|c| !is_invisible(*c))
        .map(|c| if matches!(c, '–' | '—' | '‑' | '−') { '-' } else { c })
        .collect()
}

/// Whether more text could still make a marker of this content, which holds more than marks.
pub(super) fn is_viable(open: char, content: &str) -> bool {
    if content.len() > LONGEST {
        return false;
    }
    let seen = visible(content);
    let seen = seen.trim_start();
    if seen.is_empty() {
        return true;
    }
    let lower = seen.to_lowercase();
    let word_end = lower.find(|c: char| !c.is_alphabetic()).unwrap_or(lower.len());
    let (word, rest) = lower.split_at(word_end);
    let keyworded = if rest.is_empty() { begins_keyword(word) } else { is_keyword(word) };
    if keyworded {
        return true;
    }
    if open == '(' {
        return false;
    }
    let id_like = lower.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | ' '))
        && !lower.trim_end().contains(' ');
    let list_like = seen.starts_with(|c: char| c.is_numeric() || c == '^') && only_joining_words(&lower);
    id_like || list_like
}

/// Characters of which a marker without words is made.
pub(super) fn is_mark(c: char) -> bool {
    c.is_numeric()
        || c.is_whitespace()
        || is_invisible(c)
        || matches!(c, ',' | ';' | '&' | '+' | '^' | '-' | '–' | '—')
}

/// What our own ids are called in a marker, in every language.
const SOURCE_ID: &str = "sourceid";

/// Whether a word is one that models put before the number of a passage.
pub(in crate::answer) fn is_keyword(word: &str) -> bool {
    word == SOURCE_ID || across().markers.keywords.iter().any(|keyword| keyword == word)
}

fn begins_keyword(word: &str) -> bool {
    SOURCE_ID.starts_with(word) || across().markers.keywords.iter().any(|keyword| keyword.starts_with(word))
}

/// Whether the letters behind the first number are words that join numbers, or a keyword, or a dagger's tail.
fn only_joining_words(text: &str) -> bool {
    if text.contains('†') {
        return true;
    }
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).all(|word| {
        begins_keyword(word) || across().markers.joining.iter().any(|joining| joining.starts_with(word))
    })
}

/// Decides what a closed bracket is.
pub(super) fn shape(open: char, content: &str) -> Shape {
    // Most markers by far are one number, which no pattern needs to read.
    if open != '(' && !content.is_empty() && content.bytes().all(|byte| byte.is_ascii_digit()) {
        return Shape::Aliases(vec![content.parse().unwrap_or(usize::MAX)]);
    }
    let patterns = &across().markers;
    let seen = visible(content);
    if let Some(found) = SOURCE.captures(&seen) {
        let named = found.get(1).is_some();
        if named || open != '(' {
            return Shape::Source { id: found[2].to_owned(), named };
        }
    }
    let keyword = patterns.keyword.find(&seen).map_or(0, |found| found.end());
    let numbers = &seen[keyword..];
    if open == '(' && keyword == 0 {
        return Shape::Text;
    }
    let digits: String =
        numbers.chars().map(|c| if c.is_ascii_digit() || !c.is_numeric() { c } else { '\u{FFFD}' }).collect();
    if patterns.list.is_match(&digits) {
        if DATE.is_match(&digits) {
            return Shape::Text;
        }
        return read_aliases(&digits).map_or(Shape::Malformed, Shape::Aliases);
    }
    // Made plain, some numbers turn into letters; as written they are marks all the same.
    let marks = |text: &str| text.chars().all(is_mark) && text.chars().any(char::is_numeric);
    let bare_marks = keyword == 0 && (marks(&seen) || marks(content));
    let named = open != '(' && patterns.named.is_match(&seen);
    if bare_marks || named { Shape::Malformed } else { Shape::Text }
}

fn read_aliases(list: &str) -> Option<Vec<usize>> {
    let list = list.split('†').next().unwrap_or_default();
    let mut aliases: Vec<usize> = Vec::new();
    for found in NUMBER.captures_iter(list) {
        let alias = found[2].parse::<usize>().unwrap_or(usize::MAX);
        let from = if found.get(1).is_some() { aliases.last().copied() } else { None };
        match from {
            Some(first) if first < alias && alias - first <= LONGEST_RANGE => {
                aliases.extend(first + 1..=alias)
            }
            Some(_) => return None,
            None => aliases.push(alias),
        }
    }
    Some(aliases)
}

/// Whether a document id begins as ours do.
pub(super) fn has_house_prefix(document: &str) -> bool {
    let lower = document.to_ascii_lowercase();
    Kind::ALL.into_iter().map(Kind::id_prefix).any(|prefix| {
        let numbered = prefix == Kind::Adr.id_prefix() || prefix == Kind::Principle.id_prefix();
        lower.split_once(prefix).is_some_and(|(before, after)| {
            let rest = after.strip_prefix('-');
            (before.is_empty() || before.ends_with('-'))
                && rest.is_some_and(|rest| {
                    !rest.is_empty() && (!numbered || rest.starts_with(|c: char| c.is_ascii_digit()))
                })
        })
    })
}
