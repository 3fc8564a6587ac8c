//! The document part: paragraphs, lists and tables in the order of the text.

use super::numbering::Numbering;
use super::styles::{Look, Styles};
use super::xml::{self, Element, Step};
use crate::reading::Unreadable;
use crate::reading::writer::{Item, MarkdownWriter, one_line};

pub(super) fn write(
    part: &[u8],
    styles: &Styles,
    numbering: Numbering,
    writer: &mut MarkdownWriter,
) -> Result<(), Unreadable> {
    let mut body = Body {
        styles,
        numbering,
        writer,
        paragraphs: Vec::new(),
        tables: Vec::new(),
        items: Vec::new(),
        title: None,
        title_written: false,
        skipped: None,
        depth: 0,
        in_paragraph_properties: 0,
        run_hidden: false,
        in_text: false,
    };
    xml::walk(part, &mut |step| body.step(step))?;
    body.flush_title();
    body.flush_items();
    Ok(())
}

/// The footnotes with their ids.
pub(super) fn footnotes(part: &[u8]) -> Vec<(String, String)> {
    let mut notes: Vec<(String, String)> = Vec::new();
    let mut in_text = false;
    let _ = xml::walk(part, &mut |step| match step {
        Step::Start(element) if element.name == "footnote" => {
            // Separators are notes of a type.
            let id = element.attribute("id").filter(|_| element.attribute("type").is_none());
            notes.push((id.unwrap_or_default(), String::new()));
        }
        Step::Start(element) => in_text = element.name == "t",
        Step::End(_) => in_text = false,
        Step::Text(text) => {
            if let (true, Some((_, note))) = (in_text, notes.last_mut()) {
                note.push_str(text);
            }
        }
    });
    notes.retain(|(id, text)| !id.is_empty() && !text.trim().is_empty());
    notes.into_iter().map(|(id, text)| (id, one_line(&text))).collect()
}

#[derive(Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    outline: Option<u8>,
    list: Option<String>,
    level: Option<usize>,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    cell: Vec<String>,
    span: usize,
}

struct Body<'a> {
    styles: &'a Styles,
    numbering: Numbering,
    writer: &'a mut MarkdownWriter,
    /// A text box stands inside a paragraph of another's.
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    items: Vec<Item>,
    /// Paragraphs in the title's style that follow each other are one title.
    title: Option<String>,
    title_written: bool,
    /// The depth of an element that is no content with all that is in it.
    skipped: Option<usize>,
    depth: usize,
    in_paragraph_properties: usize,
    run_hidden: bool,
    in_text: bool,
}

impl Body<'_> {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Start(element) => {
                self.depth += 1;
                if self.skipped.is_none() {
                    if is_no_content(element.name) {
                        self.skipped = Some(self.depth);
                    } else {
                        self.start(&element);
                    }
                }
            }
            Step::End(name) => {
                if self.skipped.is_none() {
                    self.end(name);
                }
                if self.skipped == Some(self.depth) {
                    self.skipped = None;
                }
                self.depth = self.depth.saturating_sub(1);
            }
            Step::Text(text) => {
                if self.in_text && self.skipped.is_none() && !self.run_hidden {
                    self.push(text);
                }
            }
        }
    }

    fn start(&mut self, element: &Element<'_>) {
        match element.name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "pPr" => self.in_paragraph_properties += 1,
            "r" => self.run_hidden = false,
            "t" => self.in_text = true,
            "tab" if self.in_paragraph_properties == 0 => self.push(" "),
            "br" | "cr" => self.push("\n"),
            "noBreakHyphen" => self.push("-"),
            "footnoteReference" => {
                let mark = element.attribute("id").map(|id| format!("[^{id}]"));
                self.push(mark.as_deref().unwrap_or_default());
            }
            "vanish" | "webHidden" if element.is_on() => {
                if self.in_paragraph_properties == 0 {
                    self.run_hidden = true;
                }
            }
            "tbl" => {
                self.flush_items();
                self.flush_title();
                self.tables.push(Table::default());
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Vec::new());
                }
            }
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    table.cell.clear();
                    table.span = 1;
                }
            }
            "gridSpan" => {
                if let Some(table) = self.tables.last_mut() {
                    table.span = element.value().and_then(|span| span.parse().ok()).unwrap_or(1).clamp(1, 64);
                }
            }
            name => {
                let Some(paragraph) = self.paragraphs.last_mut().filter(|_| self.in_paragraph_properties > 0)
                else {
                    return;
                };
                match name {
                    "pStyle" => paragraph.style = element.value(),
                    "outlineLvl" => {
                        paragraph.outline =
                            element.value().and_then(|level| level.parse().ok()).filter(|level| *level <= 9)
                    }
                    "numId" => paragraph.list = element.value(),
                    "ilvl" => paragraph.level = element.value().and_then(|level| level.parse().ok()),
                    _ => {}
                }
            }
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "r" => self.run_hidden = false,
            "pPr" => self.in_paragraph_properties = self.in_paragraph_properties.saturating_sub(1),
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.paragraph(paragraph);
                }
            }
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    let cell = std::mem::take(&mut table.cell).join("\n");
                    let empty = std::iter::repeat_n(String::new(), table.span.saturating_sub(1));
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                        row.extend(empty);
                    }
                }
            }
            "tbl" => {
                if let Some(table) = self.tables.pop() {
                    self.table(table);
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut()
            && !self.writer.is_full()
        {
            paragraph.text.push_str(text);
        }
    }

    fn paragraph(&mut self, paragraph: Paragraph) {
        let look = paragraph.style.as_deref().map(|id| self.styles.look(id)).unwrap_or_default();
        let text = paragraph.text.trim();
        if text.is_empty() || look.hidden || look.contents {
            return;
        }
        if let Some(table) = self.tables.last_mut() {
            let list = paragraph.list.as_ref().is_some_and(|list| list != "0");
            table.cell.push(if list { format!("- {text}") } else { text.to_owned() });
            return;
        }
        let heading = match paragraph.outline {
            Some(9) => None,
            Some(level) => Some(level + 1),
            None => look.heading,
        };
        let numbering = match &paragraph.list {
            // List 0 takes a paragraph out of its style's list.
            Some(list) if list == "0" => None,
            Some(list) => Some((list.clone(), paragraph.level.unwrap_or(0))),
            None => look.numbering.clone().map(|(list, level)| (list, paragraph.level.unwrap_or(level))),
        };
        let label = numbering.as_ref().map(|(list, level)| self.numbering.next(list, *level));
        if look.title && heading.is_none() {
            self.flush_items();
            let title = self.title.get_or_insert_default();
            title.push(' ');
            title.push_str(text);
            return;
        }
        self.flush_title();
        if let Some(level) = heading {
            self.flush_items();
            // Below a title the first level of headings is the second.
            let level = level + u8::from(self.title_written);
            let text = match label.flatten() {
                Some(label) => format!("{label} {text}"),
                None => text.to_owned(),
            };
            self.writer.heading(level, &text);
        } else if let (Some(label), Some((_, level))) = (label, numbering) {
            self.items.push(item(label, level, text));
        } else {
            self.flush_items();
            self.plain(&look, text);
        }
    }

    fn plain(&mut self, look: &Look, text: &str) {
        if look.code {
            self.writer.code(text);
        } else if look.quote {
            self.writer.quote(text);
        } else {
            self.writer.paragraph(text);
        }
    }

    /// A table in a cell becomes the cell's text; a table of one cell is a box around paragraphs.
    fn table(&mut self, table: Table) {
        if let Some(outer) = self.tables.last_mut() {
            outer.cell.extend(table.rows.into_iter().flatten().filter(|cell| !cell.trim().is_empty()));
        } else if table.rows.iter().map(Vec::len).max().unwrap_or(0) <= 1 {
            for cell in table.rows.iter().flatten() {
                self.writer.paragraph(cell);
            }
        } else {
            self.writer.table(&table.rows);
        }
    }

    fn flush_items(&mut self) {
        let items = std::mem::take(&mut self.items);
        if !items.is_empty() {
            self.writer.list(&items);
        }
    }

    fn flush_title(&mut self) {
        if let Some(title) = self.title.take() {
            self.writer.heading(1, &title);
            self.title_written = true;
        }
    }
}

/// `1.` and `1)` are Markdown; `3.1` and `(a)` are part of the text.
fn item(label: Option<String>, depth: usize, text: &str) -> Item {
    let text = one_line(text);
    match label {
        Some(label) if is_markdown_number(&label) => Item { depth, label: Some(label), text },
        Some(label) => Item { depth, label: None, text: format!("{label} {text}") },
        None => Item { depth, label: None, text },
    }
}

fn is_markdown_number(label: &str) -> bool {
    label
        .strip_suffix(['.', ')'])
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Deleted and moved text, the older twin of a drawing, field codes and the properties of what was.
fn is_no_content(name: &str) -> bool {
    matches!(
        name,
        "del"
            | "moveFrom"
            | "Fallback"
            | "instrText"
            | "delText"
            | "pPrChange"
            | "rPrChange"
            | "docPartObj"
            | "sectPr"
    )
}
