//! A document's blocks under their headings.

use plumbline_core::text::fold;

use super::whole_block::WholeBlock;
use crate::reading::{BlockKind, ReadDocument};

#[derive(Debug)]
pub(super) struct Section {
    pub path: Vec<String>,
    pub blocks: Vec<WholeBlock>,
}

pub(super) fn of(document: &ReadDocument, title: &str) -> Vec<Section> {
    let mut sections = vec![Section { path: Vec::new(), blocks: Vec::new() }];
    let mut headings: Vec<(u8, &str)> = Vec::new();
    for block in &document.blocks {
        if let BlockKind::Heading { level, text } = &block.kind {
            while headings.last().is_some_and(|(above, _)| above >= level) {
                headings.pop();
            }
            // The outermost heading that repeats the title says nothing new.
            if !(headings.is_empty() && names(text, title)) {
                headings.push((*level, text));
            }
            let path = headings.iter().map(|(_, text)| (*text).to_owned()).collect();
            sections.push(Section { path, blocks: Vec::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        match (&block.continues, section.blocks.last_mut()) {
            (Some(between), Some(whole)) => whole.go_on(between, block, &document.text),
            _ => section.blocks.push(WholeBlock::new(block, &document.text)),
        }
    }
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

/// Whether a heading is the title, with or without a record's number in front.
fn names(heading: &str, title: &str) -> bool {
    let title = letters(title);
    !title.is_empty() && (letters(heading) == title || letters(without_number(heading)) == title)
}

fn letters(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// "ADR-0012: Use CIM", "12. Use CIM" and "ADR 12D - Use CIM" without what stands before "Use CIM".
fn without_number(heading: &str) -> &str {
    let rest =
        heading.trim_start_matches(|c: char| c.is_alphabetic()).trim_start_matches([' ', '-', '.', '_', '#']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return heading;
    }
    let rest = &rest[digits..];
    let behind_letter = rest.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(rest);
    if behind_letter.starts_with(char::is_alphanumeric) {
        return heading;
    }
    behind_letter.trim_start_matches([' ', '.', ':', '-', '–', '—', ')'])
}
