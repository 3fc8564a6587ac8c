//! A block with its continuations, read as one text that knows where each part of it comes from.

use std::ops::Range;

use crate::reading::{Block, BlockKind};

#[derive(Debug)]
pub(super) struct WholeBlock {
    pub kind: BlockKind,
    pub text: String,
    pub page: Option<u32>,
    /// Where in `text` a part begins, and where it stands in the document.
    parts: Vec<(usize, Range<usize>)>,
}

impl WholeBlock {
    pub fn new(block: &Block, document: &str) -> Self {
        Self {
            kind: block.kind.clone(),
            text: document[block.span.clone()].to_owned(),
            page: block.page,
            parts: vec![(0, block.span.clone())],
        }
    }

    pub fn go_on(&mut self, between: &str, block: &Block, document: &str) {
        self.text.push_str(between);
        self.parts.push((self.text.len(), block.span.clone()));
        self.text.push_str(&document[block.span.clone()]);
    }

    /// Whether the text stands in the document as it is here.
    pub fn is_verbatim(&self) -> bool {
        self.parts.len() == 1
    }

    /// Where a range of the text stands in the document.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.parts.partition_point(|(at, _)| *at <= range.start).saturating_sub(1);
        let (at, span) = &self.parts[start];
        let inside = span.start + (range.start - at);
        // Between two parts there is nothing of the document, so the next one is meant.
        let begin = match self.parts.get(start + 1) {
            Some((_, next)) if inside >= span.end => next.start,
            _ => inside.min(span.end),
        };
        let last = self.parts.partition_point(|(at, _)| *at < range.end).saturating_sub(1);
        let (at, span) = &self.parts[last];
        let end = (span.start + (range.end - at)).min(span.end);
        begin..end.max(begin)
    }
}
