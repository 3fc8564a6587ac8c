//! Sentences that stand in several documents: a guide repeats whole pages of others.

use std::collections::{BTreeSet, HashMap};

use super::{Opposition, Told};
use crate::text::words;

/// Oppositions without those of which one document states both sides, as cases of one rule that does not oppose itself; of those that
/// say the same in several documents the first stays.
pub(super) fn without(told: &[Told], mut found: Vec<Opposition>) -> Vec<Opposition> {
    let mut holders: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for (at, one) in told.iter().enumerate() {
        for sentence in &one.sentences {
            holders.entry(said(&sentence.text)).or_default().insert(at);
        }
    }
    let mut seen = BTreeSet::new();
    let mut is_new = |one: &Opposition| {
        let (first, second) = (said(&one.first.sentence.text), said(&one.second.sentence.text));
        let together = match (holders.get(&first), holders.get(&second)) {
            (Some(one), Some(other)) => !one.is_disjoint(other),
            _ => false,
        };
        let pair = if first < second { (first, second) } else { (second, first) };
        !together && seen.insert((one.kind, pair))
    };
    let place = |one: &Opposition| {
        (
            one.first.document.clone(),
            one.first.sentence.line,
            one.second.document.clone(),
            one.second.sentence.line,
        )
    };
    found.sort_by_key(place);
    found.retain(|one| is_new(one));
    found
}

/// What a sentence says, whatever its markup.
pub(super) fn said(text: &str) -> String {
    words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>().join(" ")
}
