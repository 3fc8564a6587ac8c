//! Which parts of a text could stand in an answer by themselves.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Unit, UnitKind, units, words};
use crate::language::{Pack, fixed};
use crate::numbers::numbers;
use crate::text::fold;

/// The sentences of a text that could stand in an answer.
pub fn quotable(text: &str) -> Vec<Range<usize>> {
    units(text).into_iter().filter(|unit| is_quotable(text, unit)).map(|unit| unit.range).collect()
}

/// Whether a unit of a text could stand in an answer. A question answers nothing, though it often shares every word with the
/// one that was asked.
pub fn is_quotable(text: &str, unit: &Unit) -> bool {
    let text = &text[unit.range.clone()];
    let numbers = &numbers().compose;
    !matches!(unit.kind, UnitKind::Heading | UnitKind::TableHead)
        && text.len() <= numbers.longest_unit
        && words(text).len() >= numbers.fewest_words
        && !text.trim_end().ends_with('?')
        && !says_nothing(text)
}

/// Whether a unit states nothing: it is a link, or a field of the document such as its status or date.
fn says_nothing(text: &str) -> bool {
    is_link(text) || is_field(text)
}

/// Whether nothing but links, and what they are called, stands there.
fn is_link(text: &str) -> bool {
    let rest = LINK.replace_all(text, " ");
    rest.len() < text.len() && words(&rest).len() < numbers().compose.fewest_words
}

/// Whether a line begins with the name of a field of documents: "Status: accepted".
pub fn is_field(text: &str) -> bool {
    let plain = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some((label, _)) = plain.split_once(':') else { return false };
    let label = fold(label.trim_matches(|c: char| !c.is_alphanumeric()));
    Pack::all().any(|pack| pack.documents.labels.any(|known| *known == label))
}

static LINK: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"!?\[[^\]]*\]\([^)]*\)|<?https?://[^\s>]+>?|\[[^\]]*\]\[[^\]]*\]"));
