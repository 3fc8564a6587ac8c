//! What belongs together in a text: a paragraph, a list with the sentence that announces it, the rows of a table.

use std::ops::Range;

use super::{Unit, UnitKind, units};
use crate::language::Pack;
use crate::text::words;

/// Units that a reader takes for one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Its units, in order.
    pub units: Vec<Unit>,
}

/// The blocks of a document's text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for unit in units(text) {
        match found.last_mut() {
            Some(block) if belongs(text, block, &unit) => {
                block.range.end = unit.range.end;
                block.units.push(unit);
            }
            _ => found.push(Block { range: unit.range.clone(), units: vec![unit] }),
        }
    }
    found
}

fn belongs(text: &str, block: &Block, next: &Unit) -> bool {
    let Some(last) = block.units.last() else { return false };
    let gap = &text[last.range.end..next.range.start];
    let apart = gap.matches('\n').count() > 1;
    match (last.kind, next.kind) {
        (UnitKind::Heading, _) | (_, UnitKind::Heading) => false,
        (UnitKind::Sentence, UnitKind::Sentence) => !apart,
        (UnitKind::ListItem, UnitKind::ListItem) => gap.matches('\n').count() <= 2,
        (UnitKind::TableHead | UnitKind::TableRow, UnitKind::TableRow) => true,
        (UnitKind::Sentence, UnitKind::ListItem | UnitKind::TableHead | UnitKind::Code) => {
            !apart || announces(&text[last.range.clone()])
        }
        // A sentence that begins a line below an item goes on with something else.
        _ => false,
    }
}

/// Whether a sentence leaves to what follows it what it speaks of: it ends in a colon, or in "because", or speaks of "the following table".
pub fn announces(sentence: &str) -> bool {
    let plain = sentence.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '…'));
    if plain.ends_with(':') {
        return true;
    }
    let words = words(plain);
    let said = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    Pack::all().any(|pack| {
        let list = |at: usize| pack.words.listing.contains(said(at));
        let follows = |at: usize| pack.words.following.contains(said(at));
        words.last().is_some_and(|last| pack.words.because.contains(&last.folded))
            || (0..words.len()).any(|at| follows(at) && list(at + 1) || list(at) && follows(at + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        blocks(text).into_iter().map(|block| &text[block.range]).collect()
    }

    #[test]
    fn a_list_belongs_with_the_sentence_that_announces_it() {
        let text = "We chose the queue because\n\n- it is small\n- it is known\n\nIt costs little. It runs anywhere.\n\nSee also:\n\n| a | b |\n|---|---|\n| 1 | 2 |";
        assert_eq!(
            shown(text),
            [
                "We chose the queue because\n\n- it is small\n- it is known",
                "It costs little. It runs anywhere.",
                "See also:\n\n| a | b |\n|---|---|\n| 1 | 2 |"
            ]
        );
    }

    #[test]
    fn a_sentence_may_name_the_list_or_table_that_follows() {
        for sentence in [
            "The following table compares both.",
            "Both are held against each other in the table below.",
            "De volgende tabel vergelijkt ze.",
            "Onderstaande lijst is niet volledig.",
        ] {
            assert!(announces(sentence), "{sentence}");
        }
        for sentence in ["The value stays below five.", "The table is dropped.", "We follow the list."] {
            assert!(!announces(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_list_after_a_whole_sentence_stands_by_itself() {
        assert_eq!(shown("It costs little.\n\n- one\n- two"), ["It costs little.", "- one\n- two"]);
    }
}
