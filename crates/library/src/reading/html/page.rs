//! A page while its tags go by.

use std::collections::BTreeMap;

use super::table::{MOST_EMPTY, Table};
use crate::reading::writer::{Item, MarkdownWriter, one_line};
use crate::reading::{Block, Unreadable};

/// An element that is open.
struct OpenElement {
    name: String,
    hidden: bool,
}

/// A list that is open, the number of its next item where it has numbers, and whether an item has begun without any text yet.
struct List {
    next: Option<u64>,
    fresh: bool,
}

pub(super) struct Page {
    pub properties: BTreeMap<String, String>,
    title: String,
    writer: MarkdownWriter,
    open: Vec<OpenElement>,
    hidden: usize,
    /// Where the page has a main part, only that is its content.
    only_main: bool,
    in_main: usize,
    text: String,
    heading: Option<u8>,
    lists: Vec<List>,
    items: Vec<Item>,
    tables: Vec<Table>,
    /// Empty cells that may still be made.
    spare: usize,
    preformatted: usize,
    quotes: usize,
}

impl Page {
    pub fn new(max_chars: usize, has_main: bool) -> Self {
        Self {
            properties: BTreeMap::new(),
            title: String::new(),
            writer: MarkdownWriter::new(max_chars),
            open: Vec::new(),
            hidden: 0,
            only_main: has_main,
            in_main: 0,
            text: String::new(),
            heading: None,
            lists: Vec::new(),
            items: Vec::new(),
            tables: Vec::new(),
            spare: MOST_EMPTY,
            preformatted: 0,
            quotes: 0,
        }
    }

    pub fn is_full(&self) -> bool {
        self.writer.is_full()
    }

    pub fn finish(mut self) -> Result<(String, Vec<Block>), Unreadable> {
        while let Some(name) = self.open.last().map(|open| open.name.clone()) {
            self.end(&name);
        }
        self.flush_items();
        self.writer.finish()
    }

    pub fn text(&mut self, text: &str) {
        if self.open.last().is_some_and(|open| open.name == "title") {
            self.title.push_str(text);
        } else if self.hidden == 0 && !(self.only_main && self.in_main == 0) && !self.is_full() {
            if self.preformatted > 0 {
                self.text.push_str(text);
            } else {
                // Only `<br>` breaks a line.
                self.text.extend(text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
            }
        }
    }

    pub fn start(&mut self, name: &str, hidden: bool, attribute: &dyn Fn(&str) -> Option<String>) {
        self.close_implied(name);
        match name {
            "meta" => self.meta(attribute),
            "br" => self.text.push('\n'),
            "hr" => self.flush(),
            "sup" => self.text("^"),
            _ => {}
        }
        if is_void(name) {
            return;
        }
        if is_block(name) {
            self.flush();
        }
        let hidden = hidden || is_no_content(name) || (name == "footer" && self.in_article() == 0);
        self.hidden += usize::from(hidden);
        self.open.push(OpenElement { name: name.to_owned(), hidden });
        match name {
            "main" => self.in_main += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading = name[1..].parse().ok(),
            "ul" | "menu" => self.lists.push(List { next: None, fresh: true }),
            "ol" => {
                let first = attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1);
                self.lists.push(List { next: Some(first), fresh: true });
            }
            "li" => {
                if let Some(list) = self.lists.last_mut() {
                    list.fresh = true;
                }
            }
            "pre" => self.preformatted += 1,
            "blockquote" => self.quotes += 1,
            "table" => self.tables.push(Table::default()),
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.begin_row(&mut self.spare);
                }
            }
            "td" | "th" => {
                let number = |name: &str| attribute(name).and_then(|number| number.trim().parse().ok());
                if let Some(table) = self.tables.last_mut() {
                    table.begin_cell(number("colspan"), number("rowspan"));
                }
            }
            _ => {}
        }
    }

    pub fn end(&mut self, name: &str) {
        // An end tag far from its start is a mistake, and looking for it would cost time on deep pages.
        let Some(above) = self.open.iter().rev().take(256).position(|open| open.name == name) else { return };
        let at = self.open.len() - 1 - above;
        // What was left open inside ends here too.
        while self.open.len() > at {
            let Some(open) = self.open.last() else { return };
            let name = open.name.clone();
            self.leave(&name);
            if self.open.pop().is_some_and(|open| open.hidden) {
                self.hidden -= 1;
            }
        }
    }

    fn leave(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.flush();
                self.heading = None;
            }
            "ul" | "ol" | "menu" => {
                self.flush();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.flush_items();
                }
            }
            "pre" => {
                self.flush();
                self.preformatted -= 1;
            }
            "blockquote" => {
                self.flush();
                self.quotes -= 1;
            }
            "td" | "th" => {
                self.flush();
                if let Some(table) = self.tables.last_mut() {
                    table.end_cell(&mut self.spare);
                }
            }
            "title" => {
                // Drawings have titles too; the page's is the first.
                let title = one_line(&std::mem::take(&mut self.title));
                self.properties.entry("title".to_owned()).or_insert(title);
            }
            "table" => self.leave_table(),
            "main" => {
                self.flush();
                self.in_main -= 1;
            }
            _ if is_block(name) => self.flush(),
            _ => {}
        }
    }

    /// A table in a cell becomes the cell's text; a table of one column is there for its looks.
    fn leave_table(&mut self) {
        self.flush();
        let Some(table) = self.tables.pop() else { return };
        let is_layout = table.is_layout();
        if let Some(cell) = self.tables.last_mut().and_then(|outer| outer.cell.as_mut()) {
            let cells: Vec<String> =
                table.rows.into_iter().flatten().filter(|cell| !cell.is_empty()).collect();
            cell.push(' ');
            cell.push_str(&cells.join(" "));
        } else if is_layout {
            for cell in table.rows.iter().flatten() {
                self.writer.paragraph(&one_line(cell));
            }
        } else {
            self.writer.table(&table.rows);
        }
    }

    /// `<li>`, `<p>`, `<tr>` and `<td>` end the one before them.
    fn close_implied(&mut self, name: &str) {
        let (ended, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "tr" => (&["tr", "td", "th"], &["table"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "option" => (&["option"], &["select"]),
            "body" => (&["head"], &["html"]),
            name if is_block(name) => {
                (&["p"], &["td", "th", "li", "div", "section", "article", "body", "table"])
            }
            _ => return,
        };
        // Far above nothing is implied any more, and looking there would cost time on deep pages.
        let near = self.open.iter().rev().take(32);
        let found = near
            .take_while(|open| !within.contains(&&*open.name))
            .filter(|open| ended.contains(&&*open.name))
            .last();
        if let Some(name) = found.map(|open| open.name.clone()) {
            self.end(&name);
        }
    }

    fn in_article(&self) -> usize {
        self.in_main
            + self
                .open
                .iter()
                .rev()
                .take(32)
                .filter(|open| matches!(&*open.name, "article" | "section"))
                .count()
    }

    fn meta(&mut self, attribute: &dyn Fn(&str) -> Option<String>) {
        let Some(name) = attribute("name").or_else(|| attribute("property")) else { return };
        let Some(content) = attribute("content").filter(|content| !content.trim().is_empty()) else { return };
        let key = match name.to_ascii_lowercase().as_str() {
            "author" | "dc.creator" | "dcterms.creator" => "author",
            "keywords" => "keywords",
            "description" | "dcterms.description" => "subject",
            "date" | "dc.date" | "dcterms.created" | "article:published_time" => "created",
            "dcterms.modified" | "last-modified" | "article:modified_time" => "modified",
            "version" => "version",
            _ => return,
        };
        self.properties.entry(key.to_owned()).or_insert(content);
    }

    /// Writes what was gathered as whatever is open.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.cell.as_mut()) {
            cell.push(' ');
            cell.push_str(&one_line(&text));
        } else if let Some(level) = self.heading {
            self.flush_items();
            self.writer.heading(level, &text);
        } else if let Some(depth) = self.lists.len().checked_sub(1) {
            self.item(depth, one_line(&text));
        } else if self.preformatted > 0 {
            self.writer.code(&text);
        } else if self.quotes > 0 {
            self.writer.quote(&lines(&text));
        } else {
            self.writer.paragraph(&lines(&text));
        }
    }

    fn item(&mut self, depth: usize, text: String) {
        let Some(list) = self.lists.last_mut() else { return };
        // Only the first text of an item has its mark; a second paragraph goes on below it.
        if let (false, Some(last)) = (std::mem::take(&mut list.fresh), self.items.last_mut()) {
            last.text.push('\n');
            last.text.push_str(&text);
            return;
        }
        let label = list.next.as_mut().map(|next| {
            *next += 1;
            format!("{}.", *next - 1)
        });
        self.items.push(Item { depth, label, text });
    }

    fn flush_items(&mut self) {
        let items = std::mem::take(&mut self.items);
        if !items.is_empty() {
            self.writer.list(&items);
        }
    }
}

fn lines(text: &str) -> String {
    text.lines().map(one_line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_no_content(name: &str) -> bool {
    matches!(
        name,
        "head"
            | "script"
            | "style"
            | "nav"
            | "template"
            | "noscript"
            | "svg"
            | "iframe"
            | "object"
            | "canvas"
            | "audio"
            | "video"
            | "button"
            | "select"
            | "textarea"
            | "dialog"
            | "math"
            | "datalist"
            | "noembed"
            | "noframes"
            | "xmp"
    )
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}
