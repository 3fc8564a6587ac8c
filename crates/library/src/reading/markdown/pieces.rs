//! Elements minus their cuts, as blocks.

use std::ops::Range;

use super::super::{Block, BlockKind};
use super::comments::Uncommented;
use super::cuts::{self, Cut};
use super::outline::{Element, ElementKind};

pub(super) fn blocks(text: &str, whole: &Uncommented) -> Vec<Block> {
    let mut blocks = Vec::new();
    for element in &whole.outline.elements {
        let (cuts, headings) = cuts::of(text, element, whole);
        match &element.kind {
            ElementKind::Heading { level, text: plain } => {
                let first =
                    joined(text, BlockKind::Paragraph, &element.span, &cuts, false).into_iter().next();
                let kind = BlockKind::Heading { level: *level, text: plain.clone() };
                if let Some(first) = first.filter(|_| !plain.is_empty()) {
                    blocks.push(block(kind, first.span, None));
                }
            }
            ElementKind::Html => {
                let mut start = element.span.start;
                for heading in headings {
                    blocks.extend(html_blocks(text, start..heading.span.start, &cuts));
                    blocks.extend(tagged_heading(text, heading.level, &heading.span, &cuts));
                    start = heading.span.end;
                }
                blocks.extend(html_blocks(text, start..element.span.end, &cuts));
            }
            _ => blocks.extend(joined(text, block_kind(element), &element.span, &cuts, false)),
        }
    }
    blocks
}

fn block(kind: BlockKind, span: Range<usize>, continues: Option<String>) -> Block {
    Block { kind, span, page: None, continues }
}

fn block_kind(element: &Element) -> BlockKind {
    match element.kind {
        ElementKind::List => BlockKind::List,
        ElementKind::Table => BlockKind::Table,
        ElementKind::Code => BlockKind::Code,
        ElementKind::Quote => BlockKind::Quote,
        _ => BlockKind::Paragraph,
    }
}

fn html_blocks(text: &str, span: Range<usize>, cuts: &[Cut]) -> Vec<Block> {
    let has = |tag: &str| {
        cuts.iter().filter(|cut| cut.span.start >= span.start && cut.span.end <= span.end).any(|cut| {
            text[cut.span.clone()].get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
        })
    };
    let kind = if has("<td") || has("<th") {
        BlockKind::Table
    } else if has("<li") {
        BlockKind::List
    } else if has("<pre") {
        BlockKind::Code
    } else {
        BlockKind::Paragraph
    };
    joined(text, kind, &span, cuts, true)
}

fn tagged_heading(text: &str, level: u8, span: &Range<usize>, cuts: &[Cut]) -> Option<Block> {
    let pieces = joined(text, BlockKind::Paragraph, span, cuts, true);
    let plain: Vec<&str> =
        pieces.iter().flat_map(|piece| text[piece.span.clone()].split_whitespace()).collect();
    let first = pieces.first()?;
    Some(block(BlockKind::Heading { level, text: plain.join(" ") }, first.span.clone(), None))
}

/// The blocks that are left of a span: the first stands for itself, the others continue it.
fn joined(text: &str, kind: BlockKind, span: &Range<usize>, cuts: &[Cut], html: bool) -> Vec<Block> {
    let mut pieces: Vec<Block> = Vec::new();
    let mut separator = String::new();
    let mut add = |piece: Range<usize>, cut: Option<&'static str>| {
        let mut found = &text[piece.clone()];
        // A marker whose item was cut away to the end of its line marks nothing, and its line goes with it.
        if cut.is_some() && ends_line(text, piece.end, span, cuts) {
            let line = found.rfind('\n').map_or(0, |at| at + 1);
            if is_marker(&found[line..]) {
                found = found[..line].strip_suffix('\n').unwrap_or_default();
            }
        }
        let content = trimmed(text, piece.start..piece.start + found.len());
        let is_filled_in_later = html && cuts::is_template(&text[content.clone()]);
        if content.is_empty() || is_filled_in_later {
            separator.push_str(&white_space(found, html));
        } else {
            separator.push_str(&white_space(&text[piece.start..content.start], html));
            let continues = (!pieces.is_empty()).then(|| between(&separator));
            separator.clear();
            separator.push_str(&white_space(&text[content.end..piece.start + found.len()], html));
            pieces.push(block(kind.clone(), content, continues));
        }
        separator.push_str(cut.unwrap_or_default());
    };
    let mut at = span.start;
    for cut in cuts.iter().filter(|cut| cut.span.end > span.start && cut.span.start < span.end) {
        if cut.span.start >= at {
            add(at..cut.span.start, Some(cut.between));
        }
        at = at.max(cut.span.end);
    }
    if at < span.end {
        add(at..span.end, None);
    }
    pieces
}

/// Whether nothing but white space and cuts follows on the line.
fn ends_line(text: &str, at: usize, span: &Range<usize>, cuts: &[Cut]) -> bool {
    let mut at = at;
    let first = cuts.partition_point(|cut| cut.span.end <= at);
    for cut in &cuts[first..] {
        let gap = &text[at..cut.span.start.max(at)];
        if gap.contains('\n') || !gap.trim().is_empty() {
            break;
        }
        if text[cut.span.clone()].ends_with('\n') {
            return true;
        }
        at = at.max(cut.span.end);
    }
    let rest = &text[at.min(span.end)..span.end];
    rest.lines().next().unwrap_or_default().trim().is_empty()
}

/// Source white space counts as such in Markdown; in HTML only tags break lines.
fn white_space(text: &str, html: bool) -> String {
    text.chars().filter(|c| c.is_whitespace()).map(|c| if html { ' ' } else { c }).collect()
}

/// What a reader sees between two pieces.
fn between(separator: &str) -> String {
    match separator.rsplit_once('\n') {
        Some((before, indent)) => {
            let breaks = if before.contains('\n') { "\n\n" } else { "\n" };
            let mark = indent.trim_start();
            if mark.is_empty() { format!("{breaks}{indent}") } else { format!("\n{mark}") }
        }
        None if separator.trim().is_empty() => if separator.is_empty() { "" } else { " " }.to_owned(),
        None => {
            let mark = separator.split_whitespace().next_back().unwrap_or_default();
            if mark == "^" { mark.to_owned() } else { format!(" {mark} ") }
        }
    }
}

fn is_marker(line: &str) -> bool {
    let line = line.trim_matches([' ', '\t', '>']);
    let number = line.trim_end_matches(['.', ')']);
    matches!(line, "" | "-" | "*" | "+")
        || number.len() < line.len() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let found = &text[span.clone()];
    let start = span.start + (found.len() - found.trim_start().len());
    start..start + found.trim().len()
}
