//! AsciiDoc, as far as records and policies use it: headings, attributes, lists, tables, code and quotes. Macros stay as they are
//! written.

use std::collections::BTreeMap;

use super::encoding::{Decoded, decode};
use super::writer::{Item, MarkdownWriter, too_much_text};
use super::{Format, MetaValue, ReadDocument, Unreadable};

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let Decoded { text: source, warnings } = decode(bytes, Format::AsciiDoc)?;
    if source.chars().count() > max_chars {
        return Err(too_much_text(max_chars));
    }
    let mut parser = AsciiDoc {
        writer: MarkdownWriter::new(2 * max_chars),
        attributes: Vec::new(),
        open: OpenBlock::None,
    };
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        parser.line(line.trim_end(), &mut lines);
    }
    parser.close();
    let (text, blocks) = parser.writer.finish()?;
    Ok(ReadDocument {
        format: Format::AsciiDoc,
        text,
        front_matter: parser.attributes,
        blocks,
        properties: BTreeMap::new(),
        warnings,
    })
}

struct AsciiDoc {
    writer: MarkdownWriter,
    attributes: Vec<(String, MetaValue)>,
    open: OpenBlock,
}

/// What the lines go into until something ends it.
enum OpenBlock {
    None,
    Paragraph(String),
    List(Vec<Item>),
}

impl AsciiDoc {
    fn line<'a>(&mut self, line: &str, rest: &mut impl Iterator<Item = &'a str>) {
        if line.is_empty() {
            // A blank line does not end a list; what follows decides.
            if matches!(self.open, OpenBlock::Paragraph(_)) {
                self.close();
            }
        } else if line.starts_with("////") {
            self.close();
            take_until(line, rest);
        } else if line.starts_with("//") || is_block_attribute(line) {
        } else if let Some((name, value)) = attribute(line) {
            self.close();
            self.attributes.push((name.to_owned(), MetaValue::Text(value.to_owned())));
        } else if let Some((level, title)) = heading(line) {
            self.close();
            self.writer.heading(level, title);
        } else if is_fence(line, &['-', '.', '+']) || line.starts_with("```") {
            self.close();
            self.writer.code(&take_until(line, rest));
        } else if is_fence(line, &['_']) {
            self.close();
            self.writer.quote(&take_until(line, rest));
        } else if matches!(line, "|===" | "!===" | ",===" | ":===") {
            self.close();
            self.writer.table(&table(&take_until(line, rest)));
        } else if is_fence(line, &['=', '*']) || line == "--" || line == "'''" || line == "<<<" {
            // The lines inside an example, a sidebar or an open block are ordinary ones.
            self.close();
        } else if let Some(title) = line.strip_prefix('.').filter(|title| !title.starts_with(['.', ' '])) {
            self.close();
            self.writer.paragraph(&format!("**{title}**"));
        } else if let Some(item) = item(line) {
            match &mut self.open {
                OpenBlock::List(items) => items.push(item),
                _ => {
                    self.close();
                    self.open = OpenBlock::List(vec![item]);
                }
            }
        } else {
            self.text(line);
        }
    }

    fn text(&mut self, line: &str) {
        match &mut self.open {
            OpenBlock::Paragraph(text) => {
                text.push('\n');
                text.push_str(line);
            }
            // "+" on a line of its own joins what follows to the item.
            OpenBlock::List(items) if line != "+" => {
                if let Some(last) = items.last_mut() {
                    last.text.push('\n');
                    last.text.push_str(line.trim_start());
                }
            }
            OpenBlock::List(_) => {}
            OpenBlock::None => self.open = OpenBlock::Paragraph(line.to_owned()),
        }
    }

    fn close(&mut self) {
        match std::mem::replace(&mut self.open, OpenBlock::None) {
            OpenBlock::None => {}
            OpenBlock::Paragraph(text) => self.writer.paragraph(&text),
            OpenBlock::List(items) => self.writer.list(&items),
        }
    }
}

fn take_until<'a>(fence: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let fence = if fence.starts_with("```") { "```" } else { fence };
    lines.take_while(|line| line.trim_end() != fence).collect::<Vec<_>>().join("\n")
}

fn is_fence(line: &str, marks: &[char]) -> bool {
    line.len() >= 4 && line.starts_with(marks) && line.chars().all(|c| line.starts_with(c))
}

fn is_block_attribute(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') || line.starts_with("include::") || line.starts_with("toc::")
}

/// `:name: value`
fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '!'));
    (plain && !name.is_empty() && (value.is_empty() || value.starts_with(' '))).then(|| (name, value.trim()))
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let mark = if line.starts_with('#') { '#' } else { '=' };
    let title = line.trim_start_matches(mark);
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| (level as u8, title.trim()))
}

fn item(line: &str) -> Option<Item> {
    let bare = line.trim_start();
    let mark = bare.chars().next()?;
    let depth = bare.chars().take_while(|c| *c == mark).count();
    let (depth, label, text) = match mark {
        '*' | '-' => (depth - 1, None, &bare[depth..]),
        '.' => (depth - 1, Some("1.".to_owned()), &bare[depth..]),
        '0'..='9' => {
            let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
            (0, Some(format!("{}.", &bare[..digits])), bare[digits..].strip_prefix('.')?)
        }
        _ => return None,
    };
    text.starts_with(' ').then(|| Item { depth, label, text: text.trim().to_owned() })
}

/// Rows by line where the first line has several cells; otherwise the first line's count says how many cells make up a row.
fn table(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let cells =
        |line: &str| -> Vec<String> { line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect() };
    let columns = lines.first().map_or(0, |line| cells(line).len());
    let mut row: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for line in lines {
        if line.starts_with('|') || line.contains(" |") {
            for cell in cells(line) {
                if row.len() == columns.max(1) {
                    rows.push(std::mem::take(&mut row));
                }
                row.push(cell);
            }
        } else if let Some(cell) = row.last_mut() {
            cell.push(' ');
            cell.push_str(line);
        }
    }
    rows.push(row);
    rows
}
