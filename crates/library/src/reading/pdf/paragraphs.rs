//! Lines to paragraphs, lists and headings.

use std::collections::BTreeMap;

use super::contents;
use super::dehyphenation::Dehyphenator;
use super::lines::Line;
use super::table::Table;
use crate::reading::writer::{Item, MarkdownWriter};

/// What a heading's size must be above the text's.
const LARGER: f64 = 1.12;
/// Headings are short.
const HEADING_CHARS: usize = 140;

pub(super) fn write(pages: &[Vec<Line>], writer: &mut MarkdownWriter) {
    let fonts = Fonts::of(pages);
    let mut flow = Flow { fonts, dehyphenator: Dehyphenator::of(pages), writer, open: None };
    for (number, page) in (1..).zip(pages) {
        flow.page(number, page);
    }
    flow.close();
}

/// Sizes in tenths, so that they can be compared.
fn tenths(size: f64) -> u64 {
    (size * 10.0).round() as u64
}

/// The text's size, and those of headings from the largest.
struct Fonts {
    body: f64,
    headings: Vec<u64>,
    bold_body: bool,
    /// How far lines of one paragraph are apart, as a share of their size.
    leading: f64,
}

impl Fonts {
    fn of(pages: &[Vec<Line>]) -> Self {
        let mut chars: BTreeMap<u64, usize> = BTreeMap::new();
        let mut bold = 0;
        let mut all = 0;
        for line in pages.iter().flatten() {
            *chars.entry(tenths(line.size)).or_default() += line.chars();
            bold += usize::from(line.bold) * line.chars();
            all += line.chars();
        }
        let body =
            chars.iter().max_by_key(|(_, count)| **count).map_or(10.0, |(size, _)| *size as f64 / 10.0);
        let mut headings: Vec<u64> =
            chars.into_keys().filter(|size| *size as f64 / 10.0 > body * LARGER).collect();
        headings.sort_unstable_by(|one, other| other.cmp(one));
        Self { body, headings, bold_body: bold * 2 > all, leading: leading(pages) }
    }

    /// The level of a heading by its size, or behind them all for a bold line of the text's size.
    fn level(&self, line: &Line) -> Option<u8> {
        if line.chars() > HEADING_CHARS || !line.text.contains(char::is_alphabetic) {
            return None;
        }
        let rank = self.headings.iter().position(|size| *size == tenths(line.size));
        let sizes = self.headings.len().min(4);
        match rank {
            Some(rank) => Some(rank.min(3) as u8 + 1),
            None if line.bold && !self.bold_body && line.size >= self.body * 0.95 => Some(sizes as u8 + 1),
            None => None,
        }
    }
}

/// The distance that most lines have from the one above them.
fn leading(pages: &[Vec<Line>]) -> f64 {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for [line, next] in pages.iter().flat_map(|page| page.array_windows()) {
        let share = (next.baseline - line.baseline) / next.size;
        if (0.8..2.6).contains(&share) && tenths(line.size) == tenths(next.size) {
            *counts.entry((share * 20.0).round() as u64).or_default() += 1;
        }
    }
    // The narrowest of the usual ones: lists and forms have wider ones.
    let most = counts.values().max().copied().unwrap_or(0);
    counts.into_iter().find(|(_, count)| count * 2 > most).map_or(1.2, |(share, _)| share as f64 / 20.0)
}

enum OpenBlock {
    Heading { level: u8, text: String, bold_only: bool },
    Paragraph(String),
    List(Vec<Item>),
    Table(Table),
}

struct Flow<'a> {
    fonts: Fonts,
    dehyphenator: Dehyphenator,
    writer: &'a mut MarkdownWriter,
    open: Option<(OpenBlock, u32)>,
}

impl Flow<'_> {
    fn page(&mut self, number: u32, lines: &[Line]) {
        let rows = by_row(lines);
        let contents = contents::rows(&rows);
        let mut last: Option<&Line> = None;
        for (row, is_contents) in rows.into_iter().zip(contents) {
            if is_contents {
                continue;
            }
            match row {
                [line] => self.line(line, last, number),
                _ => self.row(row, number),
            }
            last = row.last();
        }
    }

    fn line(&mut self, line: &Line, last: Option<&Line>, page: u32) {
        let turned = last.is_none_or(|last| line.baseline < last.baseline - line.size);
        let apart = turned
            || last.is_some_and(|last| {
                (line.baseline - last.baseline) / line.size.max(last.size) > self.fonts.leading + 0.3
            });
        if let Some((OpenBlock::Table(table), _)) = &mut self.open
            && !turned
            && line.size <= self.fonts.body * LARGER
            && table.take_wrapped(line, !apart)
        {
            return;
        }
        if let Some(level) = self.fonts.level(line) {
            let bold_only = line.size <= self.fonts.body * LARGER;
            match &mut self.open {
                Some((OpenBlock::Heading { level: before, text, .. }, _)) if *before == level && !apart => {
                    self.dehyphenator.join(text, &line.text);
                }
                // A bold phrase inside running text is no heading.
                _ if bold_only && !apart => self.text(line, false, page),
                _ => {
                    self.close();
                    self.open =
                        Some((OpenBlock::Heading { level, text: line.text.clone(), bold_only }, page));
                }
            }
            return;
        }
        if let Some(text) = bullet(&line.text) {
            self.item(Item { depth: usize::from(text.1), label: None, text: text.0.to_owned() }, page);
            return;
        }
        // Over the end of a page or a column a sentence goes on.
        let goes_on = turned && line.text.starts_with(char::is_lowercase);
        self.text(line, apart && !goes_on, page);
    }

    fn text(&mut self, line: &Line, apart: bool, page: u32) {
        match &mut self.open {
            Some((OpenBlock::Paragraph(text), _)) if !apart => self.dehyphenator.join(text, &line.text),
            Some((OpenBlock::List(items), _)) if !apart => {
                if let Some(item) = items.last_mut() {
                    self.dehyphenator.join(&mut item.text, &line.text);
                }
            }
            // A bold line with text right below it, as long as the line is wide, was the paragraph's beginning.
            Some((OpenBlock::Heading { text, bold_only: true, .. }, _))
                if !apart && !text.ends_with([':', '.']) =>
            {
                let mut whole = std::mem::take(text);
                self.dehyphenator.join(&mut whole, &line.text);
                self.open = Some((OpenBlock::Paragraph(whole), page));
            }
            _ => {
                self.close();
                self.open = Some((OpenBlock::Paragraph(line.text.clone()), page));
            }
        }
    }

    fn item(&mut self, item: Item, page: u32) {
        match &mut self.open {
            Some((OpenBlock::List(items), _)) => items.push(item),
            _ => {
                self.close();
                self.open = Some((OpenBlock::List(vec![item]), page));
            }
        }
    }

    /// Several pieces on one baseline: an item behind its mark, or a row of a table.
    fn row(&mut self, row: &[Line], page: u32) {
        if let [mark, text] = row
            && let Some(label) = hanging_mark(&mark.text)
        {
            let item = match label {
                Some(label)
                    if label.starts_with(|c: char| c.is_ascii_digit()) && !label.contains(['(', ' ']) =>
                {
                    Item { depth: 0, label: Some(label.to_owned()), text: text.text.clone() }
                }
                Some(label) => Item { depth: 0, label: None, text: format!("{label} {}", text.text) },
                None => Item { depth: 0, label: None, text: text.text.clone() },
            };
            self.item(item, page);
            return;
        }
        match &mut self.open {
            Some((OpenBlock::Table(table), _)) => table.add(row),
            _ => {
                self.close();
                self.open = Some((OpenBlock::Table(Table::new(row)), page));
            }
        }
    }

    fn close(&mut self) {
        let Some((open, page)) = self.open.take() else { return };
        self.writer.page = Some(page);
        match open {
            OpenBlock::Heading { level, text, .. } => self.writer.heading(level, &text),
            OpenBlock::Paragraph(text) => self.writer.paragraph(&text.replace('\u{ad}', "")),
            OpenBlock::List(items) => self.writer.list(&items),
            OpenBlock::Table(table) if table.rows.len() == 1 => {
                self.writer.paragraph(&table.rows[0].join(" "))
            }
            OpenBlock::Table(table) => self.writer.table(&table.rows),
        }
    }
}

fn by_row(lines: &[Line]) -> Vec<&[Line]> {
    lines
        .chunk_by(|line, next| {
            (line.baseline - next.baseline).abs() < 0.4 * line.size && next.left > line.left
        })
        .collect()
}

/// The text behind a bullet, and whether it is one of the second level.
fn bullet(text: &str) -> Option<(&str, bool)> {
    const OUTER: [char; 9] = ['•', '●', '▪', '■', '◆', '➢', '\u{f0b7}', '\u{f0a7}', '‣'];
    const INNER: [char; 4] = ['◦', '○', '–', '▫'];
    let rest = text
        .strip_prefix(OUTER)
        .map(|rest| (rest, false))
        .or_else(|| text.strip_prefix(INNER).map(|rest| (rest, true)));
    if let Some((rest, inner)) = rest {
        return (rest.is_empty() || rest.starts_with(' ') || !inner).then(|| (rest.trim_start(), inner));
    }
    text.strip_prefix("o ").filter(|rest| rest.starts_with(char::is_uppercase)).map(|rest| (rest, true))
}

/// A mark that hangs in front of its item: a bullet (`None` inside), or a number or letter with a point or bracket.
fn hanging_mark(text: &str) -> Option<Option<&str>> {
    if let Some(("", _)) = bullet(text) {
        return Some(None);
    }
    let inner = text.strip_prefix('(').unwrap_or(text).strip_suffix(['.', ')'])?;
    let is_number = inner.len() <= 3 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter =
        inner.len() <= 5 && inner.bytes().all(|byte| b"ivxlc".contains(&byte)) || inner.chars().count() == 1;
    (!inner.is_empty() && (is_number || is_letter)).then_some(Some(text))
}
