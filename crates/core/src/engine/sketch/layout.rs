//! The layout of a record: the headings that most of the library's own records have, in their order and words, or MADR.

use std::collections::{BTreeMap, BTreeSet};

use super::series::Series;
use crate::domain::Lane;
use crate::domain::{Chunk, DocumentId};
use crate::engine::reason::Outcome;
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::fold::fold;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::text::aspect_of_heading;

/// A heading of the layout.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heading {
    pub text: String,
    /// 0 for a section, 1 for a part of one.
    pub depth: usize,
    pub aspect: Option<&'static str>,
    /// Whether records say something right under it, and not only in its parts.
    pub says_something: bool,
}

impl Heading {
    /// A section of that name.
    pub fn named(text: &str) -> Self {
        Self { text: text.to_owned(), depth: 0, aspect: aspect_of_heading(text), says_something: true }
    }

    /// How Markdown marks it, below the title.
    pub const fn level(&self) -> &'static str {
        if self.depth == 0 { "##" } else { "###" }
    }
}

/// The headings of a record.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    pub headings: Vec<Heading>,
    /// From how many records it was learned; MADR where from none.
    pub learned_from: Option<usize>,
}

impl Layout {
    /// The layout of the series that the record would belong to. An index that fails costs the layout and not the draft.
    pub async fn of(services: &Services, turn: &mut Turn<'_>, series: &Series, scope: &Scope) -> Self {
        let ids: Vec<DocumentId> = series.examples(turn.language);
        if ids.len() >= numbers().draft.layout_records {
            let found =
                services.within_deadline("address", services.ports.index.address(&ids, None, scope)).await;
            match found {
                Ok(hits) => {
                    let chunks: Vec<&Chunk> = hits.iter().map(|hit| hit.chunk.as_ref()).collect();
                    if let Some(layout) = learned(&chunks) {
                        return layout;
                    }
                }
                Err(problem) => {
                    turn.end_lane(Lane::Address, Outcome::failed(problem), 0, std::time::Duration::ZERO);
                }
            }
        }
        Self {
            headings: madr(&Messages::of(turn.language).text(Message::DraftMadr, &[])),
            learned_from: None,
        }
    }
}

/// Headings as they stand in Markdown, a line each.
fn madr(lines: &str) -> Vec<Heading> {
    let heading = |line: &str| {
        let text = line.trim_start_matches('#').trim();
        let depth = usize::from(line.starts_with("###"));
        Heading { depth, ..Heading::named(text) }
    };
    lines.lines().filter(|line| line.starts_with('#')).map(heading).collect()
}

/// What is known of one heading of the records.
#[derive(Default)]
struct Seen {
    records: BTreeSet<DocumentId>,
    /// How often it is spelt how.
    spelt: BTreeMap<String, usize>,
    /// Its places in the records, from 0 to 1.
    places: Vec<f64>,
    says_something: bool,
}

/// The headings that most of these passages' records share; nothing where they share none that is known.
fn learned(chunks: &[&Chunk]) -> Option<Layout> {
    let mut records: BTreeMap<DocumentId, Vec<Vec<String>>> = BTreeMap::new();
    for chunk in chunks {
        let paths = records.entry(chunk.document.id.clone()).or_default();
        for depth in 1..=chunk.section_path.len().min(2) {
            let path = chunk.section_path[..depth].to_vec();
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    let mut seen: BTreeMap<Vec<String>, Seen> = BTreeMap::new();
    for (id, paths) in &records {
        for (at, path) in paths.iter().enumerate() {
            let one = seen.entry(path.iter().map(|heading| compared(heading)).collect()).or_default();
            if one.records.insert(id.clone()) {
                one.places.push(at as f64 / paths.len() as f64);
            }
            if let Some(text) = path.last() {
                *one.spelt.entry(text.trim().to_owned()).or_default() += 1;
            }
            one.says_something |=
                chunks.iter().any(|chunk| chunk.document.id == *id && chunk.section_path == *path);
        }
    }
    let needed = numbers().draft.layout_share * records.len() as f64;
    seen.retain(|path, one| !path.iter().any(String::is_empty) && one.records.len() as f64 > needed);
    let mean = |one: &Seen| one.places.iter().sum::<f64>() / one.places.len().max(1) as f64;
    let mut sections: Vec<(&Vec<String>, &Seen)> = seen.iter().filter(|(path, _)| path.len() == 1).collect();
    sections.sort_by(|a, b| mean(a.1).total_cmp(&mean(b.1)));
    let mut headings = Vec::new();
    for (path, one) in sections {
        headings.push(heading(one, 0));
        let mut parts: Vec<(&Vec<String>, &Seen)> =
            seen.iter().filter(|(part, _)| part.len() == 2 && part.starts_with(path)).collect();
        parts.sort_by(|a, b| mean(a.1).total_cmp(&mean(b.1)));
        headings.extend(parts.into_iter().map(|(_, one)| heading(one, 1)));
    }
    let known = headings.iter().any(|heading| heading.aspect.is_some());
    known.then_some(Layout { headings, learned_from: Some(records.len()) })
}

/// A heading without its number and its marks.
fn compared(heading: &str) -> String {
    fold(heading).trim_matches(|c: char| !c.is_alphabetic()).to_owned()
}

fn heading(seen: &Seen, depth: usize) -> Heading {
    let most = seen.spelt.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
    let text = most.map_or_else(String::new, |(text, _)| text.clone());
    Heading { depth, says_something: seen.says_something, ..Heading::named(&text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Document, Language, SourceId, TextSpan};
    use crate::test_documents::document as adr;
    use std::sync::Arc;

    fn chunk(document: &Arc<Document>, number: u32, path: &[&str], text: &str) -> Chunk {
        Chunk {
            source_id: SourceId { document: document.id.clone(), chunk: number },
            document: Arc::clone(document),
            text: text.to_owned(),
            section_path: path.iter().map(|heading| (*heading).to_owned()).collect(),
            page: None,
            span: TextSpan { start: 0, end: text.len() },
            language: Language::EN,
        }
    }

    #[test]
    fn the_layout_is_what_most_records_share_in_their_order_and_words() {
        let mut chunks = Vec::new();
        for number in 1..=4 {
            let record = adr(number, "A record");
            chunks.push(chunk(&record, 0, &["Why we care"], "Because."));
            if number != 2 {
                chunks.push(chunk(&record, 1, &["The decision"], "This."));
                chunks.push(chunk(&record, 2, &["The decision", "Consequences"], "That."));
            }
            if number == 3 {
                chunks.push(chunk(&record, 3, &["Cost"], "Much."));
            }
        }
        let all: Vec<&Chunk> = chunks.iter().collect();
        let layout = learned(&all).expect("a layout");
        let shown: Vec<String> =
            layout.headings.iter().map(|heading| format!("{} {}", heading.level(), heading.text)).collect();
        assert_eq!(shown, ["## Why we care", "## The decision", "### Consequences"]);
        assert_eq!(layout.learned_from, Some(4));
    }
}
