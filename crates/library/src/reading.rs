//! Files in, text with structure out. Whatever the format, a document becomes Markdown text, blocks over it and what it says of
//! itself; a file that cannot be read becomes a reason, never a crash.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

mod asciidoc;
mod docx;
mod encoding;
mod format;
mod front_matter;
mod html;
mod markdown;
mod oddity;
mod pdf;
mod plain;
mod reader;
mod unreadable;
mod worker;
mod writer;

pub use oddity::Oddity;
pub use reader::{FileContent, Reader, ReaderOptions, WorkerCommand};
pub use unreadable::Unreadable;
pub(crate) use unreadable::reason_in;
pub use worker::{WORKER_ARGUMENT, serve_worker};

/// A kind of file that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// CommonMark with tables.
    Markdown,
    /// AsciiDoc headings and text.
    AsciiDoc,
    /// Plain text.
    Text,
    /// HTML.
    Html,
    /// Office Open XML.
    Docx,
    /// Portable Document Format.
    Pdf,
}

/// A file's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadDocument {
    /// What kind of file it was.
    pub format: Format,
    /// The text that every span points into. Markdown and plain text stand as in the file (without a byte order mark); other
    /// formats are written out as Markdown.
    pub text: String,
    /// The front matter or metadata block, in the order of the file; nested keys are joined by a dot.
    pub front_matter: Vec<(String, MetaValue)>,
    /// The blocks in the order of the text. What is no content (comments, front matter) lies in none of them.
    pub blocks: Vec<Block>,
    /// What the container says: `title`, `author`, `created`, `modified`, `subject`, `keywords`, `version` …
    pub properties: BTreeMap<String, String>,
    /// What was odd about the file and did not keep it from being read, such as broken front matter.
    pub warnings: Vec<Oddity>,
}

impl ReadDocument {
    /// The text with everything blanked that states nothing: front matter, comments, headings and code. What is left stands
    /// where it stood.
    pub fn prose(&self) -> String {
        let states = |kind: &BlockKind| !matches!(kind, BlockKind::Heading { .. } | BlockKind::Code);
        let mut stating = self.blocks.iter().filter(|block| states(&block.kind)).peekable();
        let mut prose = String::with_capacity(self.text.len());
        for (at, c) in self.text.char_indices() {
            while stating.next_if(|block| block.span.end <= at).is_some() {}
            let stays = c == '\n' || stating.peek().is_some_and(|block| block.span.contains(&at));
            prose.push(if stays { c } else { ' ' });
        }
        prose
    }
}

/// A value of front matter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MetaValue {
    /// A scalar, as written.
    Text(String),
    /// A sequence of scalars, as written.
    List(Vec<String>),
}

/// A piece of content that is not torn apart without need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it lies in the text, in bytes.
    pub span: Range<usize>,
    /// The page it begins on, from 1, where the format has pages.
    pub page: Option<u32>,
    /// Where something that is no content was cut out of a block, the rest of it is a block too, and this is what stands between
    /// the two when they are read as one; `None` for a block of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading of this level, 1 for the title, with its plain text.
    Heading {
        /// From 1 to 6.
        level: u8,
        /// Without markup.
        text: String,
    },
    /// Running text.
    Paragraph,
    /// A list with all its items.
    List,
    /// A table with all its rows.
    Table,
    /// Code.
    Code,
    /// A quotation.
    Quote,
}

/// The most characters of text that a document may have unless it is said otherwise.
pub const MAX_TEXT: usize = 5_000_000;

/// Reads a file's content. The name's extension says what it should be; the content must agree.
pub fn read(name: &str, bytes: &[u8]) -> Result<ReadDocument, Unreadable> {
    read_within(name, bytes, MAX_TEXT)
}

fn read_within(name: &str, bytes: &[u8], max_text: usize) -> Result<ReadDocument, Unreadable> {
    let format = Format::of(name)
        .ok_or_else(|| Unreadable::UnknownFormat { extension: format::extension(name).to_owned() })?;
    format.check(bytes)?;
    let document = match format {
        Format::Markdown => markdown::read(bytes, max_text)?,
        Format::Text => plain::read(bytes, max_text)?,
        Format::AsciiDoc => asciidoc::read(bytes, max_text)?,
        Format::Html => html::read(bytes, max_text)?,
        Format::Docx => docx::read(bytes, max_text)?,
        Format::Pdf => pdf::read(bytes, max_text)?,
    };
    if document.blocks.is_empty() && document.front_matter.is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(document)
}
