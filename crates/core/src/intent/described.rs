//! A field of a record that is known by what it says: "the date of the record in which we say …".

use std::ops::Range;

use crate::domain::FactField;
use crate::language::{MASK, Pack};

/// The field that the folded question asks for, and where the words stand that only ask for it.
pub(super) fn described(text: &str, pack: &Pack) -> Option<(FactField, Range<usize>)> {
    let rules = &pack.intent.facts;
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let record = rules.described.find(text)?;
    let front = text[..record.start()].get(pack.intent.courtesy(text)..)?;
    let says = &text[record.end()..];
    // The last words may belong to the question for the field: "… still in force".
    let ends = says.rmatch_indices(' ').map(|(at, _)| &says[at..]);
    let mut wordings = std::iter::once("").chain(ends).map(|end| format!("{front}{MASK}{end}"));
    let field = wordings.find_map(|wording| {
        rules.fields.iter().find(|rules| rules.whole.is_match(&wording)).map(|rules| rules.field)
    })?;
    Some((field, 0..record.end()))
}

#[cfg(test)]
#[path = "described_tests.rs"]
mod tests;
