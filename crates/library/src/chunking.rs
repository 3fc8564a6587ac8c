//! Documents cut into chunks: by heading, then by size, never across headings.

use std::ops::Range;

use plumbline_core::domain::{Language, TextSpan};
use plumbline_core::text::detect_or;

use crate::reading::{BlockKind, ReadDocument};

mod pack;
mod sections;
mod split;
mod whole_block;

/// How large chunks may be. All lengths are in characters and count what is embedded: title, section path and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkRules {
    /// Neighbouring paragraphs of one section are put together up to this length.
    pub target_chars: usize,
    /// A longer paragraph or list is split.
    pub max_chars: usize,
    /// A longer table or piece of code is split.
    pub whole_chars: usize,
}

impl Default for ChunkRules {
    fn default() -> Self {
        Self { target_chars: 950, max_chars: 1050, whole_chars: 1300 }
    }
}

/// A chunk before it has an id and a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkDraft {
    /// The text below its headings, verbatim but for what is no content.
    pub text: String,
    /// The headings above it, outermost first, without the document's title.
    pub section_path: Vec<String>,
    /// The page it begins on, where the format has pages.
    pub page: Option<u32>,
    /// Where it lies in the document's text.
    pub span: TextSpan,
    /// The language it is written in.
    pub language: Language,
}

/// Shorter texts have too few function words to tell their language.
const ENOUGH_TO_DETECT: usize = 60;

/// Cuts a document into chunks, in the order of its text.
pub fn chunk(
    document: &ReadDocument,
    title: &str,
    language: Language,
    rules: &ChunkRules,
) -> Vec<ChunkDraft> {
    let mut place = CharCounter { text: &document.text, byte: 0, chars: 0 };
    let mut drafts = Vec::new();
    for section in sections::of(document, title) {
        let overhead =
            title.chars().count() + section.path.iter().map(|part| part.chars().count() + 1).sum::<usize>();
        for packed in pack::section(&document.text, &section.blocks, &rules.less(overhead)) {
            if !has_words(&packed.text) {
                continue;
            }
            let is_code = packed.kind == BlockKind::Code;
            let long_enough = !is_code && packed.text.chars().count() >= ENOUGH_TO_DETECT;
            drafts.push(ChunkDraft {
                language: if long_enough { detect_or(&packed.text, language) } else { language },
                span: place.span(&packed.source),
                section_path: section.path.clone(),
                page: packed.page,
                text: packed.text,
            });
        }
    }
    drafts
}

impl ChunkRules {
    /// What is left for the text; headings never take more than half.
    fn less(&self, overhead: usize) -> Self {
        let less = |limit: usize| limit - overhead.min(limit / 2);
        Self {
            target_chars: less(self.target_chars),
            max_chars: less(self.max_chars),
            whole_chars: less(self.whole_chars),
        }
    }
}

/// Whether anything is left to read once the targets of links and images are taken away.
fn has_words(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        if rest[..at].contains(char::is_alphanumeric) {
            return true;
        }
        rest = rest[at..].find(')').map_or("", |end| &rest[at + end + 1..]);
    }
    rest.contains(char::is_alphanumeric)
}

/// Turns byte ranges that come in order into character spans.
struct CharCounter<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
}

impl CharCounter<'_> {
    fn span(&mut self, range: &Range<usize>) -> TextSpan {
        let start = self.at(range.start);
        TextSpan { start, end: self.at(range.end) }
    }

    fn at(&mut self, byte: usize) -> usize {
        self.chars += self.text.get(self.byte..byte).map_or(0, |passed| passed.chars().count());
        self.byte = self.byte.max(byte);
        self.chars
    }
}
