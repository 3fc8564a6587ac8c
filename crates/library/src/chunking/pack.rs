//! Blocks of one section put together to chunks.

use std::ops::Range;

use super::ChunkRules;
use super::split::split;
use super::whole_block::WholeBlock;
use crate::reading::BlockKind;

#[derive(Debug)]
pub(super) struct Packed {
    pub text: String,
    pub source: Range<usize>,
    pub page: Option<u32>,
    pub kind: BlockKind,
    chars: usize,
    /// Whether the text is the document's from the first to the last character.
    verbatim: bool,
    /// Whether something was put in front that stands elsewhere in the document.
    headed: bool,
}

pub(super) fn section(document: &str, blocks: &[WholeBlock], rules: &ChunkRules) -> Vec<Packed> {
    let mut packed: Vec<Packed> = Vec::new();
    for piece in blocks.iter().flat_map(|block| pieces(block, rules)) {
        match packed.last_mut() {
            Some(last) if belongs_to(last, &piece, document, rules) => last.add(piece, document),
            _ => packed.push(piece),
        }
    }
    packed
}

fn pieces(block: &WholeBlock, rules: &ChunkRules) -> Vec<Packed> {
    split(&block.kind, &block.text, rules)
        .into_iter()
        .filter_map(|part| {
            let range = trimmed(&block.text, part.range);
            if range.is_empty() {
                return None;
            }
            let head = part.head.map_or("", |head| &block.text[head]);
            let text = format!("{head}{}", &block.text[range.clone()]);
            Some(Packed {
                chars: text.chars().count(),
                text,
                source: block.source(&range),
                page: block.page,
                kind: block.kind.clone(),
                verbatim: block.is_verbatim(),
                headed: !head.is_empty(),
            })
        })
        .collect()
}

fn belongs_to(last: &Packed, next: &Packed, document: &str, rules: &ChunkRules) -> bool {
    if last.headed || next.headed {
        return false;
    }
    let together = last.chars + last.gap(next, document).unwrap_or(APART).chars().count() + next.chars;
    // "The options are:" says nothing without the list below it, nor the list without it.
    let introduces = last.text.trim_end_matches(['*', '_']).ends_with(':');
    let limit = match next.kind {
        _ if !introduces => rules.target_chars,
        BlockKind::Table | BlockKind::Code => rules.whole_chars,
        _ => rules.max_chars,
    };
    together <= limit
}

/// What stands between two blocks when something between them was cut out.
const APART: &str = "\n\n";

impl Packed {
    /// The white space up to the next piece, where there is nothing else.
    fn gap<'a>(&self, next: &Self, document: &'a str) -> Option<&'a str> {
        document
            .get(self.source.end..next.source.start)
            .filter(|gap| self.verbatim && next.verbatim && gap.trim().is_empty())
    }

    fn add(&mut self, next: Self, document: &str) {
        let gap = self.gap(&next, document);
        let between = gap.unwrap_or(APART);
        self.text.push_str(between);
        self.text.push_str(&next.text);
        self.chars += between.chars().count() + next.chars;
        self.source.end = next.source.end;
        self.verbatim = gap.is_some();
        if next.kind != BlockKind::Code {
            self.kind = next.kind;
        }
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let found = text[range.clone()].trim_end();
    let end = range.start + found.len();
    let blank = found.len() - found.trim_start().len();
    // Code and nested items keep the indentation of their first line.
    let start = found[..blank].rfind('\n').map_or(range.start, |at| range.start + at + 1);
    start..end
}
