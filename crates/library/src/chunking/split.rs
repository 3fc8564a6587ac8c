//! Where a block that is too long may be cut, from the best places to the worst.

use std::ops::Range;

use plumbline_core::text::units;

use super::ChunkRules;
use crate::reading::BlockKind;

/// A part of a block; `head` is what goes along in front of it.
#[derive(Debug, PartialEq)]
pub(super) struct Part {
    pub range: Range<usize>,
    pub head: Option<Range<usize>>,
}

pub(super) fn split(kind: &BlockKind, text: &str, rules: &ChunkRules) -> Vec<Part> {
    let whole = match kind {
        BlockKind::Table | BlockKind::Code => rules.whole_chars,
        _ => rules.max_chars,
    };
    if text.chars().count() <= whole {
        return vec![Part { range: 0..text.len(), head: None }];
    }
    match kind {
        BlockKind::Table => table(text, rules),
        BlockKind::Code => plain(text, &[blank_lines, lines, words], rules),
        BlockKind::List => plain(text, &[outer_items, items, sentences, words], rules),
        _ => plain(text, &[sentences, words], rules),
    }
}

type Places = fn(&str) -> Vec<usize>;

fn plain(text: &str, levels: &[Places], rules: &ChunkRules) -> Vec<Part> {
    let mut ranges = Vec::new();
    cut(text, 0..text.len(), levels, rules, &mut ranges);
    ranges.into_iter().map(|range| Part { range, head: None }).collect()
}

/// The head of a table goes along with each of its parts, unless it is longer than what it heads.
fn table(text: &str, rules: &ChunkRules) -> Vec<Part> {
    let mut starts = lines(text).into_iter();
    let rule = starts.next().unwrap_or(text.len());
    let body = starts.next().unwrap_or(text.len());
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| "|-: \t\r\n".contains(c));
    let head = is_rule(&text[rule..body]).then_some(0..body);
    let Some(head) = head.filter(|head| text[head.clone()].chars().count() * 2 <= rules.max_chars) else {
        return plain(text, &[lines, words], rules);
    };
    let room = text[head.clone()].chars().count();
    let rules = ChunkRules {
        target_chars: rules.target_chars.saturating_sub(room).max(1),
        max_chars: rules.max_chars - room,
        whole_chars: rules.whole_chars,
    };
    let mut ranges = Vec::new();
    cut(text, head.end..text.len(), &[lines, words], &rules, &mut ranges);
    let mut parts: Vec<Part> =
        ranges.into_iter().map(|range| Part { range, head: Some(head.clone()) }).collect();
    if let Some(first) = parts.first_mut() {
        *first = Part { range: 0..first.range.end, head: None };
    }
    parts
}

/// Packs what lies between the places up to the target; what is too long by itself is cut at the next level's places.
fn cut(
    text: &str,
    range: Range<usize>,
    levels: &[Places],
    rules: &ChunkRules,
    found: &mut Vec<Range<usize>>,
) {
    let length = |range: &Range<usize>| text[range.clone()].chars().count();
    let Some((places, finer)) = levels.split_first() else {
        return hard(text, range, rules.max_chars, found);
    };
    let mut open: Option<(Range<usize>, usize)> = None;
    let starts: Vec<usize> = places(&text[range.clone()]).into_iter().map(|at| range.start + at).collect();
    let ends = starts.iter().copied().chain([range.end]);
    let mut start = range.start;
    for end in ends.filter(|end| *end > range.start) {
        let piece = start..end;
        start = end;
        let size = length(&piece);
        match open.take() {
            Some((before, taken)) if taken + size <= rules.target_chars => {
                open = Some((before.start..end, taken + size));
            }
            before => {
                found.extend(before.map(|(range, _)| range));
                if size > rules.max_chars {
                    cut(text, piece, finer, rules, found);
                } else {
                    open = Some((piece, size));
                }
            }
        }
    }
    found.extend(open.map(|(range, _)| range));
}

/// Text without any place to cut, such as an encoded image.
fn hard(text: &str, range: Range<usize>, max: usize, found: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    while start < range.end {
        let end = text[start..range.end].char_indices().nth(max).map_or(range.end, |(at, _)| start + at);
        found.push(start..end);
        start = end;
    }
}

fn lines(text: &str) -> Vec<usize> {
    text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len()).collect()
}

fn blank_lines(text: &str) -> Vec<usize> {
    let starts = lines(text);
    let is_blank = |at: &usize| text[*at..].lines().next().is_some_and(|line| line.trim().is_empty());
    starts.into_iter().filter(is_blank).collect()
}

/// The sentences of an item are looked for behind its mark, since an item as such is one unit.
fn sentences(text: &str) -> Vec<usize> {
    let mark = item_mark(text).unwrap_or(0);
    units(&text[mark..]).into_iter().map(|unit| mark + unit.range.start).filter(|at| *at > mark).collect()
}

fn words(text: &str) -> Vec<usize> {
    text.match_indices(char::is_whitespace).map(|(at, space)| at + space.len()).collect()
}

fn items(text: &str) -> Vec<usize> {
    lines(text).into_iter().filter(|at| item_indent(&text[*at..]).is_some()).collect()
}

fn outer_items(text: &str) -> Vec<usize> {
    let outer = item_indent(text).unwrap_or(0);
    lines(text)
        .into_iter()
        .filter(|at| item_indent(&text[*at..]).is_some_and(|indent| indent <= outer))
        .collect()
}

/// How far the item that a text begins with is indented.
fn item_indent(text: &str) -> Option<usize> {
    item_mark(text).map(|_| text.len() - text.trim_start_matches([' ', '\t']).len())
}

/// How long the mark is that a text begins with, indentation and the space behind it included.
fn item_mark(text: &str) -> Option<usize> {
    let bare = text.trim_start_matches([' ', '\t']);
    let behind = bare.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        (1..=9).contains(&digits).then(|| bare[digits..].strip_prefix(['.', ')'])).flatten()
    })?;
    behind.starts_with([' ', '\t']).then_some(text.len() - behind.len() + 1)
}
