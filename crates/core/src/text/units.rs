//! Units of a text: sentences, list items, rows, headings and code.

use std::ops::Range;

use super::words::WordList;

/// What a unit of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitKind {
    /// A sentence of a paragraph.
    Sentence,
    /// A list item.
    ListItem,
    /// A row of a table.
    TableRow,
    /// The head of a table.
    TableHead,
    /// A fenced block of code.
    Code,
    /// A heading.
    Heading,
}

impl UnitKind {
    /// Whether it states something: code, headings and heads of tables do not.
    pub fn states(self) -> bool {
        matches!(self, Self::Sentence | Self::ListItem | Self::TableRow)
    }
}

/// The smallest piece of text that can be shown, cited or withheld by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// Where it stands, in bytes, without the white space around it.
    pub range: Range<usize>,
    /// The head of its table, for a row.
    pub head: Option<Range<usize>>,
}

/// Whether a line break inside a paragraph ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitSplit {
    /// Documents wrap their lines: it does not.
    Wrapped,
    /// Models do not: it does.
    LineByLine,
}

/// The units of a document's text.
pub fn units(text: &str) -> Vec<Unit> {
    split_units(text, UnitSplit::Wrapped)
}

/// The sentences, list items and table rows of a document's text.
pub fn sentences(text: &str) -> Vec<&str> {
    units(text).into_iter().filter(|unit| unit.kind.states()).map(|unit| &text[unit.range]).collect()
}

/// The head of a table with the rule below it, as Markdown wants it before rows.
pub(crate) fn table_head(head: &str) -> String {
    let head = head.trim();
    let columns = head.replace("\\|", "").matches('|').count().saturating_sub(1).max(1);
    format!("{head}\n|{}\n", "---|".repeat(columns))
}

/// Splits text into units. What stands before the last unit does not change when more text follows.
pub(crate) fn split_units(text: &str, split: UnitSplit) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
        let line = start..end;
        start = end;
        open = Block::next(open, text, line, split, &mut found);
    }
    if let Some(block) = open {
        block.close(text, split, &mut found);
    }
    found
}

/// Lines that belong together until something ends them.
enum Block {
    Paragraph(Range<usize>),
    Item(Range<usize>),
    Table { head: Range<usize> },
    Code { range: Range<usize>, fence: String },
}

impl Block {
    fn next(
        open: Option<Self>,
        text: &str,
        line: Range<usize>,
        split: UnitSplit,
        found: &mut Vec<Unit>,
    ) -> Option<Self> {
        let content = &text[line.clone()];
        let trimmed = content.trim();
        let open = match open {
            Some(Self::Code { range, fence }) => {
                let range = range.start..line.end;
                if closes_fence(trimmed, &fence) {
                    push(found, UnitKind::Code, range, text);
                    return None;
                }
                return Some(Self::Code { range, fence });
            }
            other => other,
        };
        let indented = content.starts_with([' ', '\t']);
        let continues_item = matches!(open, Some(Self::Item(_))) && (indented || split == UnitSplit::Wrapped);

        if let Some(fence) = opening_fence(trimmed) {
            finish(open, text, split, found);
            if trimmed.len() > 2 * fence.len() && trimmed.ends_with(&fence) {
                push(found, UnitKind::Code, line, text);
                return None;
            }
            return Some(Self::Code { range: line, fence });
        }
        if trimmed.is_empty() {
            finish(open, text, split, found);
            return None;
        }
        if is_heading(trimmed) {
            finish(open, text, split, found);
            push(found, UnitKind::Heading, line, text);
            return None;
        }
        if trimmed.starts_with('|') {
            return match open {
                Some(Self::Table { head }) => {
                    if is_table_rule(trimmed) {
                        return Some(Self::Table { head });
                    }
                    push(found, UnitKind::TableRow, line, text);
                    if let Some(row) = found.last_mut() {
                        row.head = Some(head.clone());
                    }
                    Some(Self::Table { head })
                }
                other => {
                    finish(other, text, split, found);
                    push(found, UnitKind::TableHead, line.clone(), text);
                    Some(Self::Table { head: trim(text, line) })
                }
            };
        }
        if is_item(trimmed) {
            finish(open, text, split, found);
            return Some(Self::Item(line));
        }
        match open {
            Some(Self::Item(range)) if continues_item => Some(Self::Item(range.start..line.end)),
            Some(Self::Paragraph(range)) if split == UnitSplit::Wrapped => {
                Some(Self::Paragraph(range.start..line.end))
            }
            other => {
                finish(other, text, split, found);
                Some(Self::Paragraph(line))
            }
        }
    }

    fn close(self, text: &str, split: UnitSplit, found: &mut Vec<Unit>) {
        match self {
            Self::Item(range) => push(found, UnitKind::ListItem, range, text),
            Self::Code { range, .. } => push(found, UnitKind::Code, range, text),
            Self::Table { .. } => {}
            Self::Paragraph(range) => {
                for sentence in split_sentences(text, range) {
                    // A marker on a line of its own belongs to the sentence above it.
                    let alone = is_only_markers(text[sentence.clone()].trim());
                    match found.last_mut() {
                        Some(last)
                            if alone && split == UnitSplit::LineByLine && last.kind != UnitKind::Heading =>
                        {
                            last.range.end = trim(text, sentence).end;
                        }
                        _ => push(found, UnitKind::Sentence, sentence, text),
                    }
                }
            }
        }
    }
}

fn finish(open: Option<Block>, text: &str, split: UnitSplit, found: &mut Vec<Unit>) {
    if let Some(block) = open {
        block.close(text, split, found);
    }
}

fn push(found: &mut Vec<Unit>, kind: UnitKind, range: Range<usize>, text: &str) {
    let range = trim(text, range);
    if !range.is_empty() {
        found.push(Unit { kind, range, head: None });
    }
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..(start + slice.trim().len())
}

fn opening_fence(line: &str) -> Option<String> {
    let fence = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == fence).count();
    (length >= 3).then(|| fence.to_string().repeat(length))
}

fn closes_fence(line: &str, fence: &str) -> bool {
    line.starts_with(fence) && line.trim_start_matches(fence.chars().next().unwrap_or('`')).is_empty()
}

fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with([' ', '\t'])
}

fn is_table_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn is_item(line: &str) -> bool {
    let rest = match line.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => rest,
        None => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if !(1..=3).contains(&digits) {
                return false;
            }
            match line[digits..].strip_prefix(['.', ')']) {
                Some(rest) => rest,
                None => return false,
            }
        }
    };
    rest.starts_with([' ', '\t'])
}

/// Whether the text is citation markers and nothing else.
fn is_only_markers(text: &str) -> bool {
    !text.is_empty() && skip_markers(text) == text.len()
}

/// How many bytes of citation markers and white space the text begins with, white space behind the last one left out.
fn skip_markers(text: &str) -> usize {
    let mut taken = 0;
    loop {
        let rest = &text[taken..];
        let gap = rest.len() - rest.trim_start().len();
        let Some(inside) = rest[gap..].strip_prefix('[') else { return taken };
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || !inside[digits..].starts_with(']') {
            return taken;
        }
        taken += gap + digits + 2;
        // "[1]." keeps its full stop.
        if text[taken..].starts_with(['.', '!', '?', ',', ';', ':']) {
            taken += 1;
        }
    }
}

fn split_sentences(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let slice = &text[range.clone()];
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = slice.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !matches!(c, '.' | '!' | '?' | '…' | '。') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some(&(next, closing)) = chars.peek() {
            if !matches!(
                closing,
                '.' | '!' | '?' | '…' | '"' | '”' | '’' | '\'' | ')' | '»' | '*' | '_' | '`'
            ) {
                break;
            }
            end = next + closing.len_utf8();
            chars.next();
        }
        let rest = &slice[end..];
        let markers = skip_markers(rest);
        let after = &rest[markers..];
        let separated = markers > 0 || after.is_empty() || after.starts_with(char::is_whitespace);
        if !separated || (c == '.' && is_no_full_stop(&slice[start..at], after)) {
            continue;
        }
        end += markers;
        found.push(range.start + start..range.start + end);
        start = end;
        while chars.peek().is_some_and(|&(next, _)| next < end) {
            chars.next();
        }
    }
    if !slice[start..].trim().is_empty() {
        found.push(range.start + start..range.end);
    }
    found
}

/// Whether the full stop behind `before` belongs to an abbreviation, an initial or a running sentence.
fn is_no_full_stop(before: &str, after: &str) -> bool {
    if after.trim_start().starts_with(char::is_lowercase) {
        return true;
    }
    if after.trim_start().is_empty() {
        return false;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    initial || WordList::any(|list| list.abbreviations.contains(&lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, split: UnitSplit) -> Vec<(UnitKind, &str)> {
        split_units(text, split).into_iter().map(|unit| (unit.kind, &text[unit.range])).collect()
    }

    #[test]
    fn a_table_has_as_many_columns_as_its_head() {
        assert_eq!(table_head("| Class | Restored in |"), "| Class | Restored in |\n|---|---|\n");
        assert_eq!(table_head(r"| `a \| b` |"), "| `a \\| b` |\n|---|\n");
    }

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let text = "Keys rotate yearly, e.g. in May. Approved by J. Hendrikx on 1.2 of v. 3. “Really?” Yes [1]. No! [2] Next";
        let sentences: Vec<_> =
            shown(text, UnitSplit::LineByLine).into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            sentences,
            [
                "Keys rotate yearly, e.g. in May.",
                "Approved by J. Hendrikx on 1.2 of v. 3.",
                "“Really?”",
                "Yes [1].",
                "No! [2]",
                "Next"
            ]
        );
    }

    #[test]
    fn blocks_are_units_of_their_own_kind() {
        let text = "# Title\nOne\ntwo.\n\n- first\n  goes on\n- second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlet x = 1;\n\ny\n```\nEnd";
        assert_eq!(
            shown(text, UnitSplit::Wrapped),
            [
                (UnitKind::Heading, "# Title"),
                (UnitKind::Sentence, "One\ntwo."),
                (UnitKind::ListItem, "- first\n  goes on"),
                (UnitKind::ListItem, "- second"),
                (UnitKind::TableHead, "| a | b |"),
                (UnitKind::TableRow, "| 1 | 2 |"),
                (UnitKind::Code, "```\nlet x = 1;\n\ny\n```"),
                (UnitKind::Sentence, "End"),
            ]
        );
        let units = units(text);
        assert_eq!(units[5].head.clone().map(|head| &text[head]), Some("| a | b |"));
    }

    #[test]
    fn a_marker_on_its_own_line_belongs_to_the_sentence_above() {
        assert_eq!(
            shown("TLS 1.3 is required.\n[1]\nKeys rotate.", UnitSplit::LineByLine),
            [(UnitKind::Sentence, "TLS 1.3 is required.\n[1]"), (UnitKind::Sentence, "Keys rotate.")]
        );
    }

    proptest::proptest! {
        #[test]
        fn what_stands_before_the_last_unit_never_changes(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "A b", ". ", ".", "! ", "\n", "\n\n", "- ", "1. ", "| x |", "|---|", "```", "# ", "[1]", " [2] ", "e.g. ", "x", "  ", "?", "é",
                ]), 0..40),
        ) {
            let whole = pieces.concat();
            let all = split_units(&whole, UnitSplit::LineByLine);
            let mut cut = 0;
            for piece in &pieces {
                cut += piece.len();
                let mut early = split_units(&whole[..cut], UnitSplit::LineByLine);
                early.pop();
                proptest::prop_assert_eq!(&early[..], &all[..early.len()], "cut at {} of {:?}", cut, whole);
            }
        }

        #[test]
        fn units_lie_in_order_inside_the_text(text in "\\PC{0,200}") {
            let mut end = 0;
            for unit in units(&text) {
                proptest::prop_assert!(unit.range.start >= end && !text[unit.range.clone()].trim().is_empty());
                end = unit.range.end;
            }
        }
    }
}
