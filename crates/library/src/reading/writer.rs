//! Writes a document out as Markdown and notes its blocks on the way.

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{Block, BlockKind, Unreadable};

/// An item of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// From 0 for the outermost.
    pub depth: usize,
    /// `1.` and the like; `-` without.
    pub label: Option<String>,
    pub text: String,
}

#[derive(Debug)]
pub(super) struct MarkdownWriter {
    text: String,
    blocks: Vec<Block>,
    /// The page that is being written.
    pub page: Option<u32>,
    max_chars: usize,
    chars: usize,
}

impl MarkdownWriter {
    pub fn new(max_chars: usize) -> Self {
        Self { text: String::new(), blocks: Vec::new(), page: None, max_chars, chars: 0 }
    }

    pub fn finish(self) -> Result<(String, Vec<Block>), Unreadable> {
        if self.is_full() {
            return Err(too_much_text(self.max_chars));
        }
        Ok((self.text, self.blocks))
    }

    /// Whether the limit is passed; nothing more is taken in then.
    pub fn is_full(&self) -> bool {
        self.chars > self.max_chars
    }

    pub fn heading(&mut self, level: u8, text: &str) {
        let text = one_line(text);
        if !text.is_empty() {
            let level = level.clamp(1, 6);
            let line = format!("{} {text}", "#".repeat(level.into()));
            self.add(BlockKind::Heading { level, text }, &line);
        }
    }

    pub fn paragraph(&mut self, text: &str) {
        self.add(BlockKind::Paragraph, text.trim());
    }

    pub fn quote(&mut self, text: &str) {
        let lines: Vec<String> =
            text.trim().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
        self.add(BlockKind::Quote, &lines.join("\n"));
    }

    pub fn code(&mut self, text: &str) {
        let text = text.trim_matches(['\n', '\r']);
        if !text.trim().is_empty() {
            let fence = if text.contains("```") { "~~~~" } else { "```" };
            self.add(BlockKind::Code, &format!("{fence}\n{text}\n{fence}"));
        }
    }

    pub fn list(&mut self, items: &[Item]) {
        let lines: Vec<String> = items
            .iter()
            .filter(|item| !item.text.trim().is_empty())
            .map(|item| {
                let indent = "  ".repeat(item.depth.min(12));
                let text = item.text.trim().replace('\n', &format!("\n{indent}  "));
                format!("{indent}{} {text}", item.label.as_deref().unwrap_or("-"))
            })
            .collect();
        self.add(BlockKind::List, &lines.join("\n"));
    }

    /// A table whose first row is its head.
    pub fn table(&mut self, rows: &[Vec<String>]) {
        let rows: Vec<&Vec<String>> =
            rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut lines: Vec<String> = rows
            .iter()
            .map(|row| {
                let mut cells: Vec<String> =
                    row.iter().map(|cell| one_line(cell).replace('|', "\\|")).collect();
                cells.resize(columns, String::new());
                format!("| {} |", cells.join(" | "))
            })
            .collect();
        if !lines.is_empty() {
            lines.insert(1, format!("|{}", "---|".repeat(columns)));
            self.add(BlockKind::Table, &lines.join("\n"));
        }
    }

    fn add(&mut self, kind: BlockKind, text: &str) {
        if text.is_empty() || self.is_full() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.chars += text.chars().count() + 2;
        self.blocks.push(Block { kind, span: start..self.text.len(), page: self.page, continues: None });
    }
}

pub(super) fn too_much_text(max_chars: usize) -> Unreadable {
    Unreadable::too_large(Detail::of(Message::UnreadableLong, [("n", max_chars.to_string().into())]))
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
