//! Which parts of a text could stand in an answer by themselves.

use std::ops::Range;

use super::{Unit, UnitKind, units, words};
use crate::numbers::numbers;

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
}
