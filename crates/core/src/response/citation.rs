use serde::{Deserialize, Serialize};

use crate::domain::{Chunk, Kind, SourceId, Standing, TextSpan};

/// How many characters of a passage a citation shows before it is opened.
const SNIPPET_CHARS: usize = 200;

/// What stands where a page or a section is not known.
const NOT_AVAILABLE: &str = "N/A";

/// A passage that the answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Citation {
    /// The number in the answer, from 1.
    pub number: usize,
    /// `{document_id}:{chunk_index}`.
    pub source_id: SourceId,
    /// The document.
    pub document_id: String,
    /// Its title.
    pub document_name: String,
    /// What it is.
    pub doc_type: Kind,
    /// The chunk's position in it.
    pub chunk_index: u32,
    /// The page, or `N/A`.
    pub page_number: String,
    /// The section, or `N/A`.
    pub section: String,
    /// Its score from retrieval, 0 to 1.
    pub relevance_score: f32,
    /// The first 200 characters, with an ellipsis where more follows.
    pub snippet: String,
    /// The whole passage.
    pub snippet_full: String,
    /// Where it lies in the source file, in characters.
    pub span: TextSpan,
    /// The document's path, relative to its source.
    pub path: String,
    /// The document's version.
    pub version: Option<String>,
    /// The document's status, as written.
    pub status: Option<String>,
    /// Whether it is in force.
    pub standing: Standing,
    /// The document's last update.
    pub date: Option<String>,
    /// Where the citation comes from: the library, or the vocabulary by its name.
    pub source: String,
}

impl Citation {
    /// A citation of a chunk of the library.
    pub fn of_chunk(number: usize, chunk: &Chunk, relevance_score: f32) -> Self {
        let document = &chunk.document;
        Self {
            number,
            source_id: chunk.source_id.clone(),
            document_id: document.id.to_string(),
            document_name: document.title.clone(),
            doc_type: document.kind,
            chunk_index: chunk.source_id.chunk,
            page_number: chunk.page.map_or_else(|| NOT_AVAILABLE.to_owned(), |page| page.to_string()),
            section: chunk.section().unwrap_or(NOT_AVAILABLE).to_owned(),
            relevance_score,
            snippet: snippet(&chunk.text),
            snippet_full: chunk.text.clone(),
            span: chunk.span,
            path: document.path.clone(),
            version: document.version.clone(),
            status: document.status.clone(),
            standing: document.standing(),
            date: document.date.map(|date| date.to_string()),
            source: "library".to_owned(),
        }
    }

    /// What is cited, in one line: title, section, page, id, status and day.
    pub fn note(&self) -> String {
        let mut note = self.document_name.clone();
        if self.section != NOT_AVAILABLE {
            note.push_str(&format!(" › {}", self.section));
        }
        if self.page_number != NOT_AVAILABLE {
            note.push_str(&format!(", page {}", self.page_number));
        }
        let known = [Some(&self.document_id), self.status.as_ref(), self.date.as_ref()];
        let known: Vec<&str> = known.into_iter().flatten().map(String::as_str).collect();
        format!("{note} ({})", known.join(", "))
    }
}

/// A passage shown beside a refusal: near, but not evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NearestPassage {
    /// `{document_id}:{chunk_index}`.
    pub source_id: SourceId,
    /// The document's title.
    pub document_name: String,
    /// The section, or `N/A`.
    pub section: String,
    /// Its score from retrieval.
    pub relevance_score: f32,
    /// Its first 200 characters.
    pub snippet: String,
}

impl NearestPassage {
    /// Shows a chunk without citing it.
    pub fn of_chunk(chunk: &Chunk, relevance_score: f32) -> Self {
        Self {
            source_id: chunk.source_id.clone(),
            document_name: chunk.document.title.clone(),
            section: chunk.section().unwrap_or(NOT_AVAILABLE).to_owned(),
            relevance_score,
            snippet: snippet(&chunk.text),
        }
    }
}

/// The first 200 characters, and "..." where the text goes on. A link that would be cut is left out: half of one shows its marks.
pub(crate) fn snippet(text: &str) -> String {
    match text.char_indices().nth(SNIPPET_CHARS) {
        Some((cut, _)) => format!("{}...", &text[..before_cut_link(&text[..cut])]),
        None => text.to_owned(),
    }
}

/// Where a text ends without the link that it breaks off in.
fn before_cut_link(text: &str) -> usize {
    let opened = text.rfind('[').filter(|at| {
        let link = &text[*at..];
        match link.find(']') {
            None => true,
            Some(end) => link[end..].starts_with("](") && !link[end..].contains(')'),
        }
    });
    opened.map_or(text.len(), |at| text[..at].trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_cut_at_200_characters_not_bytes() {
        let short = "é".repeat(200);
        assert_eq!(snippet(&short), short, "200 characters fit whole");
        let long = "é".repeat(201);
        assert_eq!(snippet(&long), format!("{short}..."));
    }

    #[test]
    fn a_snippet_does_not_break_off_in_a_link() {
        let said = "a ".repeat(90);
        let cut = format!("{said}see [ADR.18](0018-use-event-streaming-for-applications.md) for more");
        assert_eq!(snippet(&cut), format!("{said}see..."));
        let whole = format!("{said}[ADR.18](a.md) {}", "b ".repeat(20));
        assert!(snippet(&whole).contains("[ADR.18](a.md) b"), "{}", snippet(&whole));
        let index = format!("{said}a[1] and {}", "b ".repeat(20));
        assert!(snippet(&index).contains("a[1] and b"), "{}", snippet(&index));
    }
}
