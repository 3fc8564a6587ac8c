//! What a document says of other records, sentence by sentence, and by which words.

use std::ops::Range;
use std::sync::LazyLock;

use plumbline_core::decisions::RelationKind;
use plumbline_core::domain::Language;
use plumbline_core::language::{RelationWords, StatementWords};
use plumbline_core::text::units;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::RecordRef;
use super::labels::any_language;
use super::plain::{Line, lines};
use super::relations::named;
use super::words::{folded, key};
use crate::reading::{BlockKind, MetaValue, ReadDocument};

/// What a document says of another record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidRelation {
    /// What is said.
    pub kind: RelationKind,
    /// Whether the other does so to this one: "superseded by".
    pub by_other: bool,
    /// The other.
    pub record: RecordRef,
    /// The sentence, item or row that says so.
    pub sentence: String,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// So many words may stand between a word for a relation and the record's name behind it…
const WORDS_BEFORE: usize = 8;
/// … between one that only tells where something comes from and the name…
const WORDS_CLOSE: usize = 2;
/// … between the first word of a sentence and the name…
const WORDS_OPENING: usize = 2;
/// … and between the name and a word for a relation behind it.
const WORDS_BEHIND: usize = 3;
/// So many words may stand between what is said of a thing and the name: "described in this ADR"…
const WORDS_WITHIN: usize = 1;
/// … and so many may make up the thing that a record tells of: "the event bus registration mechanism".
const WORDS_OF_THING: usize = 6;
/// So many words before a word for a relation may take it back.
const WORDS_DENIED: usize = 2;
/// Longer ones are cut: a row of a table may hold whole paragraphs.
const LONGEST_SENTENCE: usize = 600;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Before,
    Close,
    Opening,
    Behind,
    Around,
    OfThing,
}

struct Cue {
    pattern: Regex,
    /// What must stand behind the name, too.
    closing: Option<Regex>,
    kind: RelationKind,
    place: Place,
    by_other: bool,
}

/// The words of all languages: documents mix them.
static CUES: LazyLock<Vec<Cue>> = LazyLock::new(|| {
    let mut cues = Vec::new();
    for (kind, words) in all_words() {
        for (written, place, by_other) in [
            (&words.before, Place::Before, false),
            (&words.before_by, Place::Before, true),
            (&words.close, Place::Close, false),
            (&words.opening, Place::Opening, false),
            (&words.of_thing, Place::OfThing, false),
            (&words.behind, Place::Behind, false),
            (&words.behind_by, Place::Behind, true),
        ] {
            let patterns = written.iter().filter_map(|written| pattern(written));
            cues.extend(patterns.map(|pattern| Cue { pattern, closing: None, kind, place, by_other }));
        }
        let around = words.around.iter().filter_map(|written| {
            let (before, behind) = written.split_once(" … ")?;
            let (pattern, closing) = (pattern(before)?, Some(pattern(behind)?));
            Some(Cue { pattern, closing, kind, place: Place::Around, by_other: false })
        });
        cues.extend(around);
    }
    cues
});

fn all_words() -> impl Iterator<Item = (RelationKind, &'static RelationWords)> {
    let kinds = RelationKind::ALL.into_iter();
    kinds.flat_map(|kind| {
        Language::all().filter_map(move |language| Some((kind, language.documents().relations.get(&kind)?)))
    })
}

fn pattern(written: &str) -> Option<Regex> {
    let words = regex::escape(written).replace(r"\*", r"\w*").replace(' ', r"\s+");
    Regex::new(&format!(r"(?i)\b{words}(?:\b|$)")).ok()
}

/// The target of a link that is given elsewhere in the file: `[1]: 0007-x.md`.
static DEFINITION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^ {0,3}\[[^\]\n]+\]:[ \t]+\S+.*$").ok());

/// Reads front matter and every sentence of the text.
pub(super) fn read(document: &ReadDocument, own_path: &str) -> Vec<SaidRelation> {
    let mut said = in_front_matter(document, own_path);
    let definitions = DEFINITION.as_ref().map_or_else(String::new, |pattern| {
        pattern.find_iter(&document.text).map(|found| found.as_str()).collect::<Vec<_>>().join("\n")
    });
    let mut weighs = false;
    for block in &document.blocks {
        if let BlockKind::Heading { text, .. } = &block.kind {
            weighs = weighs_options(text);
        }
        if matches!(block.kind, BlockKind::Heading { .. } | BlockKind::Code) {
            continue;
        }
        let Some(text) = document.text.get(block.span.clone()) else { continue };
        for unit in units(&without_stops(text)) {
            let written = &text[unit.range.clone()];
            if !unit.kind.states() || !may_name(written) {
                continue;
            }
            let line = line_of(&document.text, block.span.start + unit.range.start);
            for read in lines(&format!("{}\n\n{definitions}", written.replace('\n', " "))) {
                for (kind, by_other, record) in in_line(&read, own_path) {
                    // What an option would do to another record is not done.
                    let (kind, by_other) =
                        if weighs { (RelationKind::Mentions, false) } else { (kind, by_other) };
                    said.push(SaidRelation { kind, by_other, record, sentence: shown(&read.text), line });
                }
            }
        }
    }
    said
}

/// Whether a heading stands above options that are weighed.
fn weighs_options(heading: &str) -> bool {
    let heading = folded(heading.trim_start_matches(|c: char| !c.is_alphabetic()));
    any_language(|words| words.sections.options.iter().any(|name| heading.starts_with(name.as_str())))
}

/// A link with what it shows: `[16. Queues](0016-queues.md)`.
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[[^\]\n]*\]\([^)\n]*\)").ok());

/// The text without the full stops that stand in links: they end no sentence. All else stands where it stood.
pub(super) fn without_stops(text: &str) -> String {
    let Some(link) = LINK.as_ref() else { return text.to_owned() };
    let within = |found: &regex::Captures<'_>| found[0].replace(['.', '!', '?', ':'], ",");
    link.replace_all(text, within).into_owned()
}

/// Every name of a record holds a number, or is a link or a file.
fn may_name(text: &str) -> bool {
    text.contains("](")
        || text.contains("][")
        || text.contains("://")
        || text.contains(|c: char| c.is_ascii_digit())
        || text.contains(".md")
}

fn shown(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST_SENTENCE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

pub(super) fn line_of(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

/// The records that a line names, each with what is said of it.
fn in_line(line: &Line, own_path: &str) -> Vec<(RelationKind, bool, RecordRef)> {
    let found = named(line, own_path);
    let spans: Vec<Range<usize>> = found.iter().map(|(span, _)| span.clone()).collect();
    let others: Vec<Range<usize>> =
        found.iter().filter(|(_, record)| !is_own(record, own_path)).map(|(span, _)| span.clone()).collect();
    let relation = |span: &Range<usize>| nearest_cue(&line.text, span, &spans, &others);
    found
        .into_iter()
        .map(|(span, record)| {
            let (kind, by_other) = relation(&span).unwrap_or((RelationKind::Mentions, false));
            (kind, by_other, record)
        })
        .collect()
}

/// What the words nearest to a name say, the longest of those that are equally near.
fn nearest_cue(
    text: &str,
    name: &Range<usize>,
    names: &[Range<usize>],
    others: &[Range<usize>],
) -> Option<(RelationKind, bool)> {
    let mut best: Option<((usize, bool, usize), &Cue)> = None;
    for cue in CUES.iter() {
        for found in cue.pattern.find_iter(text) {
            // A word inside a name, such as the title that a link shows, says nothing.
            let inside = names.iter().any(|name| name.start < found.end() && found.start() < name.end);
            let gap = match cue.place {
                Place::Before | Place::Close | Place::Opening | Place::Around | Place::OfThing
                    if found.end() <= name.start =>
                {
                    found.end()..name.start
                }
                Place::Behind if found.start() >= name.end => name.end..found.start(),
                _ => continue,
            };
            let apart = words_between(text, &gap, names);
            let near = match cue.place {
                Place::Before => apart <= WORDS_BEFORE,
                Place::Close => apart <= WORDS_CLOSE,
                Place::Opening => opens(text, found.start()) && apart <= WORDS_OPENING,
                Place::Behind => apart <= WORDS_BEHIND,
                Place::OfThing => apart <= WORDS_WITHIN && is_of_thing(&text[..found.start()]),
                Place::Around => apart <= WORDS_BEFORE && closes(text, name.end, cue, names),
            };
            if inside || !near || text[gap].contains(';') || is_denied(&text[..found.start()]) {
                continue;
            }
            if replaces(cue.kind) && is_said_of_another(text, found.start(), name, others) {
                continue;
            }
            // What begins a sentence says little: any other word goes before it.
            let distance = apart + if cue.place == Place::Opening { WORDS_BEFORE } else { 0 };
            let rank = (distance, cue.place == Place::Behind, usize::MAX - found.len());
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, cue));
            }
        }
    }
    best.map(|(_, cue)| (cue.kind, cue.by_other))
}

/// Whether a text ends with a thing that is known: "the event bus" in "the event bus described in ADR-37", and not in "the event bus
/// is described in ADR-37", which only tells where more is said.
fn is_of_thing(before: &str) -> bool {
    let clause = before.rsplit([',', ';', '.', ':', '(', ')']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> =
        clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let behind = words.iter().rev().take(WORDS_OF_THING + 1);
    let is = |list: fn(&StatementWords) -> &Vec<String>, word: &str| {
        any_language(|words| list(&words.statements).iter().any(|known| known == word))
    };
    let thing =
        behind.take_while(|word| !is(|words| &words.standing, word) && !is(|words| &words.stood, word));
    let thing: Vec<&&str> = thing.collect();
    thing.iter().skip(1).any(|word| is(|words| &words.definite, word))
}

/// Whether the second half of words around a name stands behind it.
fn closes(text: &str, end: usize, cue: &Cue, names: &[Range<usize>]) -> bool {
    let found = cue.closing.as_ref().and_then(|closing| closing.find_at(text, end));
    found.is_some_and(|found| {
        words_between(text, &(end..found.start()), names) <= WORDS_BEHIND
            && !text[end..found.start()].contains(['.', ';', '!'])
    })
}

fn replaces(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Supersedes | RelationKind::Amends)
}

/// Whether a word for a relation is said of another record that is named before it in the same clause: "ADR-7 was superseded by ADR-9".
fn is_said_of_another(text: &str, at: usize, name: &Range<usize>, others: &[Range<usize>]) -> bool {
    let ends_clause = |c: char| matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')');
    let before = others.iter().filter(|other| *other != name && other.end <= at);
    before.max_by_key(|other| other.end).is_some_and(|other| !text[other.end..at].contains(ends_clause))
}

/// Whether a name is that of the document itself.
fn is_own(record: &RecordRef, own_path: &str) -> bool {
    let file = own_path.rsplit('/').next().unwrap_or(own_path);
    let digits: String = file.chars().take_while(char::is_ascii_digit).collect();
    let same_number = record.number.is_some() && digits.parse().ok() == record.number;
    same_number || record.path.as_deref().is_some_and(|path| path.rsplit('/').next() == Some(file))
}

fn opens(text: &str, at: usize) -> bool {
    !text[..at].contains(char::is_alphanumeric)
}

/// How many words stand there, names of other records left out.
fn words_between(text: &str, gap: &Range<usize>, names: &[Range<usize>]) -> usize {
    let free = |at: usize| !names.iter().any(|name| name.contains(&at));
    let between: String =
        text[gap.clone()].char_indices().map(|(at, c)| if free(gap.start + at) { c } else { ' ' }).collect();
    between.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

fn is_denied(before: &str) -> bool {
    let lower = before.to_lowercase();
    let mut last = lower.split(|c: char| !c.is_alphanumeric()).rev().filter(|word| !word.is_empty());
    last.by_ref()
        .take(WORDS_DENIED)
        .any(|word| any_language(|words| words.status.denials.iter().any(|denial| denial == word)))
}

/// What keys of front matter say: `depends_on: ADR-3`, `related.items.href: /principles/x`.
fn in_front_matter(document: &ReadDocument, own_path: &str) -> Vec<SaidRelation> {
    let mut said = Vec::new();
    for (written, value) in &document.front_matter {
        let Some((kind, by_other)) = written.split('.').find_map(relation_of_key) else { continue };
        let values: Vec<&String> = match value {
            MetaValue::Text(text) => vec![text],
            MetaValue::List(items) => items.iter().collect(),
        };
        for value in values {
            let mut read = if value.contains("](") { lines(value) } else { vec![Line::of(value)] };
            for line in &mut read {
                // An address or a path that stands by itself is a link.
                let whole = line.text.trim().to_owned();
                if line.links.is_empty() && whole.contains('/') && !whole.contains(' ') {
                    line.links.push((0..line.text.len(), whole));
                }
                let at = document.text.find(value.as_str()).unwrap_or_default();
                let sentence =
                    shown(&format!("{}: {}", written.rsplit('.').next().unwrap_or(written), line.text));
                let line_number = line_of(&document.text, at);
                said.extend(named(line, own_path).into_iter().map(|(_, record)| SaidRelation {
                    kind,
                    by_other,
                    record,
                    sentence: sentence.clone(),
                    line: line_number,
                }));
            }
        }
    }
    said
}

fn relation_of_key(written: &str) -> Option<(RelationKind, bool)> {
    let label = key(written);
    all_words().find_map(|(kind, words)| {
        let by_other = words.keys_by.contains(&label);
        (by_other || words.keys.contains(&label)).then_some((kind, by_other))
    })
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<(&'static str, bool, Option<u32>)> {
        let read = crate::reading::read("a.md", text.as_bytes()).unwrap();
        let said = super::read(&read, "adr/0003-x.md");
        said.into_iter().map(|one| (one.kind.as_str(), one.by_other, one.record.number)).collect()
    }

    #[test]
    fn words_around_a_name_tell_what_is_said_of_it() {
        for (text, kind, by_other, number) in [
            ("This decision supersedes ADR-7.", "supersedes", false, 7),
            ("Superseded by [ADR-9](0009-y.md)", "supersedes", true, 9),
            ("Dit besluit vervangt ADR 7.", "supersedes", false, 7),
            ("Vervangen door ADR-9", "supersedes", true, 9),
            ("It depends on the event bus of ADR-12.", "depends_on", false, 12),
            ("Het bouwt voort op ADR-12.", "depends_on", false, 12),
            ("It reads the queue from ADR-12.", "depends_on", false, 12),
            ("De controle omvat de wachtrij uit ADR-12.", "depends_on", false, 12),
            ("It goes well with our choice in ADR-12.", "mentions", false, 12),
            ("Amended by ADR-14", "amends", true, 14),
            ("An extension on ADR-4 about where state is kept.", "amends", false, 4),
            ("We store keys in line with principle 15.", "implements", false, 15),
            ("This is in conflict with ADR-5.", "conflicts_with", false, 5),
            ("Dit is in strijd met ADR-5.", "conflicts_with", false, 5),
            ("See ADR-6.", "mentions", false, 6),
            ("ADR-6 was a long debate.", "mentions", false, 6),
            ("This does not supersede ADR-6.", "mentions", false, 6),
        ] {
            assert_eq!(said(text), [(kind, by_other, Some(number))], "of `{text}`");
        }
    }

    #[test]
    fn each_of_several_names_has_the_words_that_stand_nearest_to_it() {
        assert_eq!(
            said("It requires ADR-2 and ADR-3; see ADR-4."),
            [("depends_on", false, Some(2)), ("depends_on", false, Some(3)), ("mentions", false, Some(4))]
        );
    }

    #[test]
    fn what_is_said_of_another_record_is_not_said_of_this_one() {
        assert_eq!(
            said("It pointed to ADR-7 until that was superseded by ADR-9."),
            [("mentions", false, Some(7)), ("mentions", false, Some(9))]
        );
        assert_eq!(said("Like ADR-5, this supersedes ADR-7.")[1], ("supersedes", false, Some(7)));
        assert_eq!(said("ADR-3 has been superseded by ADR-9.")[1], ("supersedes", true, Some(9)));
    }

    #[test]
    fn front_matter_names_the_relation_by_its_key() {
        let text = "---\ntitle: X\ndepends_on: ADR-4\nsuperseded_by: ADR-9\n---\n\n# X\n\nText.\n";
        assert_eq!(said(text), [("depends_on", false, Some(4)), ("supersedes", true, Some(9))]);
    }

    #[test]
    fn the_number_in_a_link_ends_no_sentence() {
        let text = "## Status\n\nAccepted\n\nSuperseded by [16. Distributed queue](0016-queue.md)\n";
        assert_eq!(said(text), [("supersedes", true, Some(16))]);
    }

    #[test]
    fn code_says_nothing() {
        assert_eq!(said("Text.\n\n```\nsupersedes ADR-7\n```\n"), []);
    }
}
