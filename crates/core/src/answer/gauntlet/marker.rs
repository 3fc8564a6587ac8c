use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::domain::Kind;
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

/// Words that models put before the number of a passage, in English and Dutch.
const KEYWORDS: &str = "sources?|passages?|documents?|doc|docs|refs?|references?|citations?|cites?|context|chunks?|notes?|\
                        footnotes?|bron|bronnen|passages?|fragment|fragmenten|noot|voetnoot|citaat";

/// The longest content with letters in it that is held back.
const LONGEST: usize = 160;

/// The longest range that is spelt out; a longer one is malformed.
const LONGEST_RANGE: usize = 20;

struct Patterns {
    keyword: Regex,
    list: Regex,
    number: Regex,
    source: Regex,
    named: Regex,
    date: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let number = r"\d+";
    let separator = r"\s*(?:,|;|&|\+|-|\^|\s|and|en|to|tot|t/m)\s*";
    Some(Patterns {
        keyword: Regex::new(&format!(r"(?i)^\s*(?:{KEYWORDS})\s*[:#.]?\s*")).ok()?,
        list: Regex::new(&format!(
            r"(?i)^\s*\^?\s*{number}(?:{separator}(?:(?:{KEYWORDS})\s*)?{number})*\s*(?:†.*)?$"
        ))
        .ok()?,
        number: Regex::new(r"(-)?\s*(\d+)").ok()?,
        source: Regex::new(r"(?i)^\s*(sourceid\s*:?\s*)?([a-z0-9-]*[a-z-][a-z0-9-]*:\d+)\s*$").ok()?,
        named: Regex::new(&format!(r"(?i)^\s*(?:sourceid\b|(?:{KEYWORDS})\s*[:#]\s*\S)")).ok()?,
        date: Regex::new(
            r"^\s*\d{4}-\d{1,2}(?:-\d{1,2})?\s*$|^\s*\d{3,}\s*-\s*\d+\s*$|^\s*\d+\s*-\s*\d{3,}\s*$",
        )
        .ok()?,
    })
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

fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.split('|').chain(std::iter::once("sourceid"))
}

/// Whether a word is one that models put before the number of a passage.
pub(in crate::answer) fn is_keyword(word: &str) -> bool {
    keywords().any(|keyword| keyword.trim_end_matches("s?") == word || keyword.replace('?', "") == word)
}

fn begins_keyword(word: &str) -> bool {
    keywords().any(|keyword| keyword.replace('?', "").starts_with(word))
}

/// Whether the letters behind the first number are words that join numbers, or a keyword, or a dagger's tail.
fn only_joining_words(text: &str) -> bool {
    if text.contains('†') {
        return true;
    }
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).all(|word| {
        begins_keyword(word)
            || ["and", "en", "to", "tot", "t", "m"].iter().any(|joining| joining.starts_with(word))
    })
}

/// Decides what a closed bracket is.
pub(super) fn shape(open: char, content: &str) -> Shape {
    let Some(patterns) = PATTERNS.as_ref() else { return Shape::Malformed };
    let seen = visible(content);
    if let Some(found) = patterns.source.captures(&seen) {
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
        if patterns.date.is_match(&digits) {
            return Shape::Text;
        }
        return read_aliases(&digits, patterns).map_or(Shape::Malformed, Shape::Aliases);
    }
    // Made plain, some numbers turn into letters; as written they are marks all the same.
    let marks = |text: &str| text.chars().all(is_mark) && text.chars().any(char::is_numeric);
    let bare_marks = keyword == 0 && (marks(&seen) || marks(content));
    let named = open != '(' && patterns.named.is_match(&seen);
    if bare_marks || named { Shape::Malformed } else { Shape::Text }
}

fn read_aliases(list: &str, patterns: &Patterns) -> Option<Vec<usize>> {
    let list = list.split('†').next().unwrap_or_default();
    let mut aliases: Vec<usize> = Vec::new();
    for found in patterns.number.captures_iter(list) {
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
