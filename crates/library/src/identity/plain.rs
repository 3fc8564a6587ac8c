//! Markdown read as people see it: lines of plain text with their links, and tables of such lines.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A line of text as a reader sees it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    /// Where a link stands in the text and where it leads.
    pub(super) links: Vec<(Range<usize>, String)>,
    /// How much of the beginning is bold, in bytes.
    pub(super) bold: usize,
    /// The box of a task list.
    pub(super) ticked: Option<bool>,
}

impl Line {
    pub(super) fn of(text: &str) -> Self {
        Self { text: text.trim().to_owned(), ..Self::default() }
    }

    /// What stands behind a byte, with the links that lie there.
    pub(super) fn after(&self, at: usize) -> Self {
        let rest = &self.text[at..];
        let cut = at + rest.len() - rest.trim_start().len();
        let links = self.links.iter().filter(|(span, _)| span.start >= cut);
        Self {
            text: rest.trim().to_owned(),
            links: links.map(|(span, to)| (span.start - cut..span.end - cut, to.clone())).collect(),
            bold: 0,
            ticked: self.ticked,
        }
    }
}

/// A piece of a document's body.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Lines(Vec<Line>),
    /// Rows of cells, the header row first.
    Table(Vec<Vec<Line>>),
}

/// Reads a block of Markdown. Code, comments and struck text are no part of it.
pub(super) fn pieces(markdown: &str) -> Vec<Piece> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, options) {
        reader.take(event);
    }
    reader.end_line();
    reader.end_lines();
    reader.pieces
}

/// The lines of a text that holds no table.
pub(super) fn lines(markdown: &str) -> Vec<Line> {
    let lines = pieces(markdown).into_iter().filter_map(|piece| match piece {
        Piece::Lines(lines) => Some(lines),
        Piece::Table(_) => None,
    });
    lines.flatten().collect()
}

#[derive(Default)]
struct Reader {
    pieces: Vec<Piece>,
    lines: Vec<Line>,
    line: Line,
    table: Option<Vec<Vec<Line>>>,
    links: Vec<(usize, String)>,
    struck: usize,
    strong: usize,
    code: bool,
    /// Inside an image that was read from its address.
    badge: bool,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) if !self.code && !self.badge => self.push(&text),
            Event::SoftBreak | Event::HardBreak => self.break_line(),
            Event::InlineHtml(tag) if tag.to_lowercase().starts_with("<br") => self.break_line(),
            Event::TaskListMarker(ticked) => self.line.ticked = Some(ticked),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Table(_) => {
                self.end_line();
                self.end_lines();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::Item | Tag::Paragraph => self.end_line(),
            Tag::Image { dest_url, .. } => {
                if let Some(text) = badge(&dest_url) {
                    self.push(&text);
                    self.badge = true;
                }
            }
            Tag::Link { dest_url, .. } => self.links.push((self.line.text.len(), dest_url.into_string())),
            Tag::Strikethrough => self.struck += 1,
            Tag::Strong => self.strong += 1,
            Tag::CodeBlock(_) => self.code = true,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::TableCell => {
                let cell = self.finished();
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(rows) = self.table.take() {
                    self.pieces.push(Piece::Table(rows));
                }
            }
            TagEnd::Item | TagEnd::Paragraph | TagEnd::Heading(_) => self.end_line(),
            TagEnd::Link => {
                if let Some((start, target)) = self.links.pop() {
                    let end = self.line.text.len();
                    self.line.links.push((start.min(end)..end, target));
                }
            }
            TagEnd::Image => self.badge = false,
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::CodeBlock => self.code = false,
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if self.struck > 0 {
            return;
        }
        let leads = self.line.bold == self.line.text.len();
        self.line.text.push_str(text);
        if self.strong > 0 && leads {
            self.line.bold = self.line.text.len();
        }
    }

    /// A line break inside a table cell is a blank.
    fn break_line(&mut self) {
        if self.table.is_some() { self.push(" ") } else { self.end_line() }
    }

    fn finished(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        for (start, _) in &mut self.links {
            *start = 0;
        }
        let bold = line.bold;
        let cut = line.text.len() - line.text.trim_start().len();
        Line { bold: bold.saturating_sub(cut), ..line.after(0) }
    }

    fn end_line(&mut self) {
        let line = self.finished();
        if !line.text.is_empty() && self.table.is_none() {
            self.lines.push(line);
        }
    }

    fn end_lines(&mut self) {
        if !self.lines.is_empty() {
            self.pieces.push(Piece::Lines(std::mem::take(&mut self.lines)));
        }
    }
}

/// What a badge shows, from its address: `…/badge/status-accepted-green` is "status: accepted".
fn badge(address: &str) -> Option<String> {
    let (_, shown) = address.split_once("/badge/")?;
    let shown = shown.split(['?', '#']).next()?.trim_end_matches(".svg");
    let mut parts = shown.split('-');
    let (label, value) = (parts.next()?, parts.next()?);
    let plain = |part: &str| part.replace("%20", " ").replace('_', " ");
    // Label, value and colour; two hyphens stand for one, and such a badge is left alone.
    let whole = !label.is_empty() && !value.is_empty() && parts.next().is_some() && parts.next().is_none();
    whole.then(|| format!("{}: {}", plain(label), plain(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_a_reader_sees() {
        let found = lines(
            "**Status:** ~~proposed~~ accepted <!-- rejected -->\nSuperseded by [ADR 5](0005-x.md)\n\n- [x] Done",
        );
        let texts: Vec<_> = found.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["Status:  accepted", "Superseded by ADR 5", "Done"]);
        assert_eq!(found[0].bold, "Status:".len());
        let (span, target) = &found[1].links[0];
        assert_eq!((&found[1].text[span.clone()], target.as_str()), ("ADR 5", "0005-x.md"));
        assert_eq!(found[2].ticked, Some(true));
    }

    #[test]
    fn a_badge_is_read_as_it_is_shown() {
        let found =
            lines("![Build](build.png) ok\n\n![](https://img.example/badge/Status-in%20review-yellow.svg)");
        let texts: Vec<_> = found.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["Build ok", "Status: in review"]);
    }

    #[test]
    fn tables_keep_their_cells_and_code_says_nothing() {
        let found = pieces("| a | **b** |\n|---|---|\n| [c](d.md) | |\n\n```\nStatus: accepted\n```\n");
        let [Piece::Table(rows)] = found.as_slice() else { panic!("one table, no code: {found:?}") };
        assert_eq!(rows[0].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(rows[1][0].links[0].1, "d.md");
        assert_eq!(rows[1][1].text, "");
    }
}
