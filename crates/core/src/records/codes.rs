//! What a library calls its documents: "POL-03", "PRI.17".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::language::fixed;

/// Letters and a number, as people type them.
static TYPED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"(?i)\b(?P<letters>[a-z]{1,10})[-._ ]?0*(?P<number>[0-9]{1,6})(?P<letter>[a-z]?)\b")
});

/// Words and numbers between hyphens, as the ids of documents without a number are made.
static ID: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\b[a-z0-9]+(?:-[a-z0-9]+){2,}\b"));

/// Capitals, a mark and a number at the front of a title or of the name of a file. Without the mark it is the name of a thing more often than of
/// a document: "OAuth2".
static WRITTEN: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(?P<code>[A-Z]{2,10}[-._][0-9]{1,6}[A-Za-z]?)(?:[-._: ]|$)"));

/// The code that a title or the name of a file begins with.
pub fn leading_code(text: &str) -> Option<&str> {
    Some(WRITTEN.captures(text.trim_start())?.name("code")?.as_str())
}

/// Whether two codes are one, however they are written: "POL-03" and "pol 3".
pub fn same_code(one: &str, other: &str) -> bool {
    key(one).is_some_and(|one| key(other) == Some(one))
}

/// Whatever in a text could be a code, and where it stands.
pub(crate) fn possible_codes(text: &str) -> Vec<(Range<usize>, &str)> {
    TYPED.find_iter(text).map(|found| (found.range(), found.as_str())).collect()
}

/// Whatever in a text could be the id of a document, and where it stands.
pub(crate) fn possible_ids(text: &str) -> Vec<(Range<usize>, &str)> {
    ID.find_iter(text).map(|found| (found.range(), found.as_str())).collect()
}

fn key(code: &str) -> Option<String> {
    let code = code.trim();
    let parts =
        TYPED.captures(code).filter(|parts| parts.get(0).is_some_and(|whole| whole.len() == code.len()))?;
    let part = |name| parts.name(name).map_or(String::new(), |part| part.as_str().to_lowercase());
    Some(format!("{}-{}{}", part("letters"), part("number"), part("letter")))
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
