//! Plain text: paragraphs between blank lines.

use std::collections::BTreeMap;

use super::encoding::{Decoded, decode};
use super::writer::too_much_text;
use super::{Block, BlockKind, Format, ReadDocument, Unreadable};

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let Decoded { text, warnings } = decode(bytes, Format::Text)?;
    if text.chars().count() > max_chars {
        return Err(too_much_text(max_chars));
    }
    let mut blocks = Vec::new();
    let mut open: Option<std::ops::Range<usize>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        if line.trim().is_empty() {
            blocks.extend(open.take());
        } else {
            open = Some(open.map_or(at, |paragraph| paragraph.start)..end);
        }
        at += line.len();
    }
    blocks.extend(open);
    let blocks = blocks
        .into_iter()
        .map(|span| Block { kind: BlockKind::Paragraph, span, page: None, continues: None })
        .collect();
    Ok(ReadDocument {
        format: Format::Text,
        text,
        front_matter: Vec::new(),
        blocks,
        properties: BTreeMap::new(),
        warnings,
    })
}
