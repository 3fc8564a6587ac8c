//! An answer out of the graph while it is written: its lines, the passages that it cites and the documents that it lists.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use regex::Regex;

use super::Library;
use crate::decisions::{Reached, Relation};
use crate::domain::{Document, DocumentId, Lane};
use crate::engine::reason::Outcome;
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::language::fixed;
use crate::messages::{Message, Messages};
use crate::ports::{Hit, Scope};
use crate::response::{AskResponse, Citation, ListRow};
use crate::text::words;

/// A link, of which only the words are compared.
static LINK: LazyLock<Regex> = LazyLock::new(|| fixed(r"\[([^\]\n]*)\]\([^)\n]*\)"));

/// An answer that lists documents, out of the graph or the catalogue.
#[derive(Default)]
pub(in crate::engine) struct Page {
    /// The documents that it lists, each once.
    pub documents: Vec<Arc<Document>>,
    lines: Vec<String>,
    hits: Vec<Hit>,
    cited: Vec<Citation>,
}

impl Page {
    /// An empty page over the passages of these documents. The sentences stand in the graph, so an index that fails costs the citations
    /// and not the answer.
    pub async fn over(
        services: &Services,
        turn: &mut Turn<'_>,
        documents: impl Iterator<Item = DocumentId>,
        scope: &Scope,
    ) -> Self {
        let ids: Vec<DocumentId> = documents.collect::<BTreeSet<_>>().into_iter().collect();
        let found =
            services.within_deadline("address", services.ports.index.address(&ids, None, scope)).await;
        let hits = found.unwrap_or_else(|problem| {
            turn.end_lane(Lane::Address, Outcome::failed(problem), 0, Duration::ZERO);
            Vec::new()
        });
        Self { documents: Vec::new(), lines: Vec::new(), hits, cited: Vec::new() }
    }

    pub fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The passages that it is written over.
    pub fn passages(&self) -> &[Hit] {
        &self.hits
    }

    /// All passages of a document.
    pub fn passages_of(&self, id: &DocumentId) -> Vec<Hit> {
        self.hits.iter().filter(|hit| hit.chunk.document.id == *id).cloned().collect()
    }

    /// A text of the documents' own, with the passage that it stands in.
    pub fn passage(&mut self, text: &str, hit: &Hit) {
        let number = self.number_of(hit);
        self.lines.push(format!("{} [{number}]", text.trim()));
    }

    /// Lists a document.
    pub fn list(&mut self, document: &Arc<Document>) {
        if !self.documents.iter().any(|known| known.id == document.id) {
            self.documents.push(Arc::clone(document));
        }
    }

    /// A relation that leads from the record that was asked for to another, perhaps through a third.
    pub fn reached(&mut self, turn: &Turn<'_>, library: &Library, one: &Reached<'_>, from: &DocumentId) {
        let Some(document) = library.documents.get(one.record) else { return };
        self.list(document);
        let (told, quoted) = self.told(turn, library, one.relation);
        let near = if one.relation.from == *one.record { &one.relation.to } else { &one.relation.from };
        let through =
            library.documents.get(near).filter(|_| near != from).map_or_else(String::new, |third| {
                Messages::of(turn.language).text(Message::GraphThrough, &[("record", &third.reference())])
            });
        self.lines.push(format!("- {}{through}. {told}: {quoted}", named(document)));
    }

    /// A document by name and status.
    pub fn document(&mut self, document: &Arc<Document>) {
        self.list(document);
        self.lines.push(format!("- {}", named(document)));
    }

    /// A document with a sentence of its own.
    pub fn document_with(&mut self, document: &Arc<Document>, sentence: &str) {
        self.list(document);
        let quoted = self.quoted(&document.id, sentence);
        self.lines.push(format!("- {}: {quoted}", named(document)));
    }

    /// A document with its day.
    pub fn dated(&mut self, turn: &Turn<'_>, document: &Arc<Document>) {
        self.list(document);
        let undated = || Messages::of(turn.language).text(Message::GraphUndated, &[]);
        let day = document.date.map_or_else(undated, |date| date.to_string());
        self.lines.push(format!("- {day} – {}", named(document)));
    }

    /// A text of the document above, below its line.
    pub fn indented(&mut self, text: &str, hit: &Hit) {
        let number = self.number_of(hit);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.lines.push(format!("  - {text} [{number}]"));
    }

    /// What is told of the document above, below its line.
    pub fn below(&mut self, text: &str) {
        self.lines.push(format!("  - {text}"));
    }

    /// A relation of the document above, below its line.
    pub fn told_below(&mut self, turn: &Turn<'_>, library: &Library, relation: &Relation) {
        let (told, quoted) = self.told(turn, library, relation);
        self.lines.push(format!("  - {told}: {quoted}"));
    }

    /// A relation between two records that were asked for.
    pub fn relation(&mut self, turn: &Turn<'_>, library: &Library, relation: &Relation) {
        for id in [&relation.from, &relation.to] {
            if let Some(document) = library.documents.get(id) {
                self.list(document);
            }
        }
        let (told, quoted) = self.told(turn, library, relation);
        self.lines.push(format!("- {told}: {quoted}"));
    }

    /// What a relation says, and the sentence with its passage.
    fn told(&mut self, turn: &Turn<'_>, library: &Library, relation: &Relation) -> (String, String) {
        let name = |id: &DocumentId| {
            library.documents.get(id).map_or_else(|| id.to_string(), |document| document.reference())
        };
        let (from, to) = (name(&relation.from), name(&relation.to));
        let message = Message::of_relation(relation.kind);
        let told = Messages::of(turn.language).text(message, &[("from", &from), ("to", &to)]);
        (told, self.quoted(&relation.said_in, &relation.sentence))
    }

    /// A sentence in quotes, with the number of the passage that it stands in.
    pub fn quoted(&mut self, said_in: &DocumentId, sentence: &str) -> String {
        let sentence = sentence.trim();
        match self.holding(said_in, sentence) {
            Some(hit) => {
                let number = self.number_of(&hit);
                format!("“{sentence}” [{number}]")
            }
            None => format!("“{sentence}”"),
        }
    }

    /// The passage that holds a sentence; for an entry of front matter, which is in none, the first of the document.
    fn holding(&self, document: &DocumentId, sentence: &str) -> Option<Hit> {
        let wanted = spaced(sentence.trim_end_matches('…'));
        let own = || self.hits.iter().filter(|hit| hit.chunk.document.id == *document);
        own().find(|hit| spaced(&hit.chunk.text).contains(&wanted)).or_else(|| own().next()).cloned()
    }

    fn number_of(&mut self, hit: &Hit) -> usize {
        self.cite(Citation::of_chunk(0, &hit.chunk, 1.0))
    }

    /// The number of a citation, which is new where it is not there yet.
    pub fn cite(&mut self, citation: Citation) -> usize {
        let known = self.cited.iter().position(|known| known.source_id == citation.source_id);
        known.map_or_else(
            || {
                let number = self.cited.len() + 1;
                self.cited.push(Citation { number, ..citation });
                number
            },
            |at| at + 1,
        )
    }

    /// Whether anything is cited.
    pub fn cites(&self) -> bool {
        !self.cited.is_empty()
    }

    /// How many lines there are.
    pub fn length(&self) -> usize {
        self.lines.len()
    }

    /// Takes lines back, down to so many.
    pub fn take_back(&mut self, length: usize) {
        self.lines.truncate(length);
    }

    /// What stands on the page.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            // Behind an item, a line that begins no new paragraph would be part of the item.
            let gap = if line.trim_start().starts_with("- ") { "\n" } else { "\n\n" };
            text.push_str(if text.is_empty() { "" } else { gap });
            text.push_str(line);
        }
        text
    }

    /// Puts the page into a response.
    pub fn fill(self, response: &mut AskResponse) {
        response.answer = self.text();
        response.citations = self.cited;
        response.rows = self.documents.iter().map(|document| ListRow::from(document.as_ref())).collect();
    }
}

/// A document as lists show it: reference, title and status.
fn named(document: &Document) -> String {
    let status = document.status.as_deref().map_or_else(String::new, |status| format!(" ({status})"));
    if document.number.is_some() {
        format!("{}: {}{status}", document.reference(), document.title)
    } else {
        format!("{}{status}", document.title)
    }
}

/// The words of a text between single spaces, links by what they show.
fn spaced(text: &str) -> String {
    let shown = LINK.replace_all(text, "$1");
    let words: Vec<String> = words(&shown).into_iter().map(|word| word.folded).collect();
    format!(" {} ", words.join(" "))
}
