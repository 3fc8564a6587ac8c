//! Which records a document replaces, and which replace it.

use std::sync::LazyLock;

use plumbline_core::domain::Kind;
use plumbline_core::intent::references_in_documents;
use plumbline_core::language::fixed;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::dates;
use super::facts::{Fact, Facts};
use super::labels::{Field, alternatives, any_language};
use super::outline::Outline;
use super::plain::Line;
use super::words::folded;

/// A record as another document names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordRef {
    /// As written.
    pub written: String,
    /// The file that a link leads to, relative to the source.
    pub path: Option<String>,
    /// What a web address or a link from the root of a site leads to, without the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The kind, where it is named.
    pub kind: Option<Kind>,
    /// The number.
    pub number: Option<u32>,
}

/// What a document says of its place among others.
#[derive(Debug, Default)]
pub(super) struct Relations {
    pub(super) supersedes: Vec<RecordRef>,
    pub(super) superseded_by: Vec<RecordRef>,
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Supersedes,
    SupersededBy,
}

static VERBS: LazyLock<Regex> = LazyLock::new(|| {
    let passive = alternatives(|words| &words.replacing.passive, &[]);
    let by = alternatives(|words| &words.replacing.by, &[]);
    let active = alternatives(|words| &words.replacing.active, &[]);
    fixed(&format!(r"(?i)\b(?:(?P<passive>(?:{passive})(?:\s+(?:{by}))?)|(?P<active>{active}))\b[:\s]*"))
});

static BARE: LazyLock<Regex> = LazyLock::new(|| {
    let decisions = alternatives(|words| &words.names.adr, &["adr"]);
    let records = alternatives(|words| &words.names.record, &[]);
    fixed(&format!(r"(?i)^(?:{decisions}|{records})?[ .#_-]*(?P<number>[0-9]{{1,5}})\b"))
});

/// Reads front matter, the status, the notes at the head and the list of links.
pub(super) fn read(facts: &Facts, outline: &Outline, own_path: &str) -> Relations {
    let mut relations = Relations::default();
    for (field, direction) in
        [(Field::Supersedes, Direction::Supersedes), (Field::SupersededBy, Direction::SupersededBy)]
    {
        for fact in facts.about(field) {
            relations.take_values(fact, direction, own_path);
        }
    }
    for line in facts.about(Field::Status).flat_map(|fact| &fact.values) {
        relations.take_line(line, own_path, true);
    }
    for line in outline.head().iter().flat_map(|section| section.lines()).take(6) {
        relations.take_line(line, own_path, false);
    }
    let linking = |name: &str| {
        let opens = |known: &[String]| known.iter().any(|known| name.starts_with(known.as_str()));
        any_language(|words| opens(&words.sections.status) || opens(&words.sections.links))
    };
    for section in outline.sections.iter().filter(|section| linking(&section.name)) {
        for line in section.lines() {
            let begins = VERBS.find(&line.text).is_some_and(|verb| verb.start() <= 3);
            if begins {
                relations.take_line(line, own_path, true);
            }
        }
    }
    relations
}

impl Relations {
    fn take_values(&mut self, fact: &Fact, direction: Direction, own_path: &str) {
        for line in &fact.values {
            for reference in named_in(line, own_path, usize::MAX) {
                self.add(direction, reference);
            }
        }
    }

    /// Takes what stands right behind a verb; "replaces" counts where records speak of records only.
    fn take_line(&mut self, line: &Line, own_path: &str, of_records: bool) {
        for verb in VERBS.captures_iter(&line.text) {
            let Some(whole) = verb.get(0) else { continue };
            let word = folded(whole.as_str());
            let begins = |verbs: &[String]| verbs.iter().any(|verb| word.starts_with(verb.as_str()));
            if !of_records && !any_language(|words| begins(&words.replacing.of_records)) {
                continue;
            }
            let direction =
                if verb.name("active").is_some() { Direction::Supersedes } else { Direction::SupersededBy };
            for reference in named_in(&line.after(whole.end()), own_path, REACH) {
                self.add(direction, reference);
            }
        }
    }

    fn add(&mut self, direction: Direction, reference: RecordRef) {
        let list =
            if direction == Direction::Supersedes { &mut self.supersedes } else { &mut self.superseded_by };
        let same = |known: &RecordRef| {
            (known.path.is_some() && known.path == reference.path)
                || (known.number.is_some()
                    && known.number == reference.number
                    && known.kind.or(reference.kind) == reference.kind.or(known.kind))
        };
        if !list.iter().any(same) {
            list.push(reference);
        }
    }
}

/// How far behind a verb the first record may stand, in bytes: "superseded by the decision in ADR.7".
const REACH: usize = 24;

/// How far apart records of one list may stand: ", and ".
const JOINT: usize = 8;

/// Every record that a line names by a link, a number or a file, and where.
pub(super) fn named(line: &Line, own_path: &str) -> Vec<(std::ops::Range<usize>, RecordRef)> {
    let mut found: Vec<(std::ops::Range<usize>, RecordRef)> = Vec::new();
    for (span, target) in &line.links {
        if let Some(reference) = linked(line, span, target, own_path) {
            found.push((span.clone(), reference));
        }
    }
    for (span, reference) in references_in_documents(&line.text) {
        let free = found.iter().all(|(taken, _)| span.end <= taken.start || taken.end <= span.start);
        if free && (reference.number.is_some() || reference.name.is_some()) {
            let path = reference
                .name
                .as_ref()
                .filter(|_| reference.written.contains('.'))
                .map(|_| resolve(own_path, &reference.written));
            let kind = (reference.kind != Kind::Document).then_some(reference.kind);
            let written = reference.written.clone();
            found.push((span, RecordRef { written, path, address: None, kind, number: reference.number }));
        }
    }
    found.sort_by_key(|(span, _)| span.start);
    found
}

/// The records that a line names, the first within reach of its beginning, the others joined to the one before.
fn named_in(line: &Line, own_path: &str, reach: usize) -> Vec<RecordRef> {
    let mut found = named(line, own_path);
    // A web page is no record of this library, unless its text or its name says so.
    found.retain(|(_, reference)| {
        reference.path.is_some() || reference.number.is_some() || reference.kind.is_some()
    });
    if found.is_empty()
        && let Some(bare) = bare_number(&line.text)
    {
        found.push(bare);
    }
    let mut end = 0;
    let mut within = reach;
    let mut kept = Vec::new();
    for (span, reference) in found {
        let gap = line.text.get(end..span.start).unwrap_or_default();
        if gap.len() > within || gap.contains(". ") {
            break;
        }
        end = span.end;
        within = if reach == usize::MAX { usize::MAX } else { JOINT };
        kept.push(reference);
    }
    kept
}

/// "16", "0019" or "#7" at the beginning, if that is no day.
fn bare_number(text: &str) -> Option<(std::ops::Range<usize>, RecordRef)> {
    let captures = BARE.captures(text)?;
    let (whole, number) = (captures.get(0)?, captures.name("number")?);
    let day = dates::last_in(text.get(..whole.end() + 6).unwrap_or(text)).is_some();
    let year = number.as_str().len() == 4 && !number.as_str().starts_with('0');
    let reference = RecordRef {
        written: whole.as_str().trim().to_owned(),
        path: None,
        address: None,
        kind: None,
        number: number.as_str().parse().ok(),
    };
    (!day && !year).then_some((whole.range(), reference))
}

fn linked(line: &Line, span: &std::ops::Range<usize>, target: &str, own_path: &str) -> Option<RecordRef> {
    let text = line.text.get(span.clone()).unwrap_or_default();
    let named = references_in_documents(text).into_iter().next().map(|(_, reference)| reference);
    let number = named
        .as_ref()
        .and_then(|reference| reference.number)
        .or_else(|| bare_number(text).and_then(|(_, bare)| bare.number));
    let kind = named.map(|reference| reference.kind).filter(|kind| *kind != Kind::Document);
    let file = target.split(['#', '?']).next().unwrap_or_default();
    let outside = target.contains("://") || target.starts_with("mailto:") || file.is_empty();
    // A link to a web page still names a record by its text.
    let path = (!outside).then(|| resolve(own_path, file));
    let address = match file.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map(|(_, path)| path.to_owned()),
        None => file.strip_prefix('/').map(str::to_owned),
    };
    let address = address.filter(|address| !address.is_empty());
    let names = path.is_some() || number.is_some() || address.is_some();
    names.then(|| RecordRef { written: text.to_owned(), path, address, kind, number })
}

/// A link's path relative to the source, seen from the file that holds it.
pub(super) fn resolve(own_path: &str, target: &str) -> String {
    let target = target.replace("%20", " ");
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => own_path.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The record that an approval record belongs to: the first of another file that its head names.
pub(super) fn approved(outline: &Outline, approves: Kind, own_path: &str) -> Option<RecordRef> {
    let lines = outline.head().iter().flat_map(|section| section.lines()).take(8);
    let mut named = lines.flat_map(|line| named_in(line, own_path, usize::MAX));
    named.find(|reference| {
        reference.kind.is_none_or(|kind| kind == approves) && reference.path.as_deref() != Some(own_path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::plain::lines;

    fn superseded_by(text: &str) -> Vec<(Option<String>, Option<u32>)> {
        let mut relations = Relations::default();
        for line in lines(text) {
            relations.take_line(&line, "adr/0003-x.md", true);
        }
        relations.superseded_by.into_iter().map(|found| (found.path, found.number)).collect()
    }

    #[test]
    fn successors_are_found_however_they_are_named() {
        let path = |path: &str| Some(path.to_owned());
        for (text, found) in [
            ("Superceded by [16. Queue](0016-queue.md)", vec![(path("adr/0016-queue.md"), Some(16))]),
            ("⌛️ Superseded [0019](0019-go.md)", vec![(path("adr/0019-go.md"), Some(19))]),
            ("Superseded by ADR-0012 and ADR-0013", vec![(None, Some(12)), (None, Some(13))]),
            ("superseded by 16", vec![(None, Some(16))]),
            ("Deprecated by [0015 Domains](../b/0015-d.md)", vec![(path("b/0015-d.md"), Some(15))]),
            ("Superseded 2021-05-03", vec![]),
            ("Superseded since 2021", vec![]),
            (
                "Deprecated by the board on 10 March 2026. The exit plan of [ADR.24](0024-x.md) takes over.",
                vec![],
            ),
            ("Deprecated (no superseding ADR)", vec![]),
        ] {
            assert_eq!(superseded_by(text), found, "of `{text}`");
        }
    }

    #[test]
    fn links_are_resolved_within_the_source() {
        assert_eq!(resolve("adr/0001-a.md", "0002-b.md"), "adr/0002-b.md");
        assert_eq!(resolve("adr/0001-a.md", "../principles/./x.md"), "principles/x.md");
        assert_eq!(resolve("adr/0001-a.md", "/adr/x.md"), "adr/x.md");
        assert_eq!(resolve("a.md", "../../x.md"), "x.md", "nothing lies above the source");
    }
}
