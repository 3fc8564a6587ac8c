//! Everything that a document states under a label: in front matter, in its first lines, in tables and under headings.

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::dates;
use super::labels::{Field, any_language};
use super::outline::{Outline, Section};
use super::plain::{Line, lines};
use super::tables::{self, History};
use super::words::is_placeholder;
use crate::reading::{Format, MetaValue, ReadDocument};

/// Where a statement stands; what comes first is believed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    FrontMatter,
    Head,
    Table,
    Section,
    History,
    Foot,
}

impl Place {
    const fn message(self) -> Message {
        match self {
            Self::FrontMatter => Message::IndexRejectedInFrontMatter,
            Self::Head => Message::IndexRejectedInHead,
            Self::Table => Message::IndexRejectedInTable,
            Self::Section => Message::IndexRejectedInSection,
            Self::History => Message::IndexRejectedInHistory,
            Self::Foot => Message::IndexRejectedInFoot,
        }
    }
}

/// A value under a label.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) field: Field,
    pub(super) label: String,
    pub(super) values: Vec<Line>,
    pub(super) place: Place,
}

impl Fact {
    /// The first line of the value.
    pub(super) fn text(&self) -> &str {
        self.values.first().map_or("", |line| line.text.as_str())
    }

    /// Where it stands, as it is told in any language.
    pub(super) fn stands(&self) -> Detail {
        Detail::of(self.place.message(), [("label", self.label.as_str().into())])
    }

    /// The same, as it is kept.
    pub(super) fn whence(&self) -> String {
        self.stands().to_string()
    }
}

/// All statements of a document, the most reliable first.
#[derive(Debug, Default)]
pub(super) struct Facts {
    all: Vec<Fact>,
}

impl Facts {
    pub(super) fn of(document: &ReadDocument, outline: &Outline) -> Self {
        let mut facts = Self::default();
        for (key, value) in &document.front_matter {
            facts.take_front_matter(key, value);
        }
        for section in outline.head() {
            facts.take_labelled(section, Place::Head, HEAD_LINES, |_| true);
            if matches!(document.format, Format::Pdf | Format::Text) {
                facts.take_columns(section);
            }
        }
        for (at, section) in outline.sections.iter().enumerate() {
            let in_head = at < outline.head().len();
            let administrative = in_head || is_administrative(&section.name);
            for table in section.tables() {
                facts.take_table(table, administrative);
            }
            if !in_head {
                facts.take_section(section);
            }
        }
        if let Some(last) = outline.sections.last() {
            let told_at_the_end =
                |field| matches!(field, Field::Status | Field::Updated | Field::Reviewed | Field::Version);
            let lines: Vec<&Line> = last.lines().collect();
            for line in lines.iter().rev().take(3) {
                facts.take_line(line, Place::Foot, told_at_the_end);
            }
        }
        facts.all.sort_by_key(|fact| fact.place);
        facts
    }

    pub(super) fn about(&self, field: Field) -> impl Iterator<Item = &Fact> {
        self.all.iter().filter(move |fact| fact.field == field)
    }

    pub(super) fn first(&self, field: Field) -> Option<&Fact> {
        self.about(field).next()
    }

    fn add(&mut self, field: Field, label: &str, values: Vec<Line>, place: Place) {
        let values: Vec<Line> = values.into_iter().filter(|line| !is_placeholder(&line.text)).collect();
        if !values.is_empty() {
            self.all.push(Fact { field, label: label.trim().to_owned(), values, place });
        }
    }

    fn take_front_matter(&mut self, key: &str, value: &MetaValue) {
        let Some(field) = Field::of(key).filter(|_| is_of_the_record(key)) else { return };
        let values = match value {
            // A link is Markdown; anything else stands as written, such as `Option<T>`.
            MetaValue::Text(text) if text.contains("](") => lines(text),
            MetaValue::Text(text) => text.lines().map(Line::of).collect(),
            MetaValue::List(items) => items.iter().map(|item| Line::of(item)).collect(),
        };
        self.add(field, key, values, Place::FrontMatter);
    }

    fn take_labelled(
        &mut self,
        section: &Section,
        place: Place,
        limit: usize,
        wanted: impl Fn(Field) -> bool + Copy,
    ) {
        let lines: Vec<&Line> = section.lines().take(limit).collect();
        for (at, line) in lines.iter().enumerate() {
            // A definition list: the label on one line, ": value" on the next.
            let defined = lines.get(at + 1).and_then(|next| next.text.strip_prefix(": "));
            match (Field::of(&line.text), defined) {
                (Some(field), Some(value)) if wanted(field) => {
                    self.add(field, &line.text, vec![Line::of(value)], place);
                }
                _ => self.take_line(line, place, wanted),
            }
        }
    }

    fn take_line(&mut self, line: &Line, place: Place, wanted: impl Fn(Field) -> bool) {
        if let Some((version, rest)) = version_line(&line.text).filter(|_| wanted(Field::Version)) {
            self.add(Field::Version, "Version", vec![Line::of(version)], place);
            if dates::last_in(rest).is_some() {
                self.add(Field::Date, "Version", vec![Line::of(rest)], place);
            }
            return;
        }
        for line in apart(line) {
            if let Some((label, value)) = labelled(&line)
                && let Some(field) = Field::of(&label).filter(|field| wanted(*field))
            {
                self.add(field, &label, vec![value], place);
            }
        }
    }

    /// Columns of a table that was printed as text: "Version 1.1 Date 2026-02-24".
    fn take_columns(&mut self, section: &Section) {
        let found: Vec<_> =
            section.lines().take(HEAD_LINES).map(|line| tables::columns_in_text(&line.text)).collect();
        // One line that begins with such a word may be a sentence; several are a table.
        if found.iter().filter(|pairs| !pairs.is_empty()).count() < 2 {
            return;
        }
        for (field, label, value) in found.into_iter().flatten() {
            self.add(field, &label, vec![Line::of(&value)], Place::Table);
        }
    }

    fn take_table(&mut self, table: &[Vec<Line>], administrative: bool) {
        for (field, label, value) in tables::single_row(table).into_iter().filter(|_| administrative) {
            self.add(field, &label, vec![value], Place::Table);
        }
        if administrative && let Some(history) = History::of(table) {
            for (field, label, value) in history.latest() {
                self.add(field, &label, vec![value], Place::History);
            }
            return;
        }
        let pairs = tables::pairs(table);
        // Two known labels are no coincidence; one counts where such tables are expected.
        if pairs.len() >= 2 || administrative {
            for (field, label, value) in pairs {
                self.add(field, &label, vec![value], Place::Table);
            }
        }
    }

    fn take_section(&mut self, section: &Section) {
        if let Some((label, value)) = labelled(&Line::of(&section.heading))
            && Field::of(&label) == Some(Field::Status)
        {
            self.add(Field::Status, &label, vec![value], Place::Section);
            return;
        }
        match Field::of(&section.name) {
            Some(Field::Status) => {
                let own = |line: &&Line| labelled(line).and_then(|(label, _)| Field::of(&label)).is_none();
                self.add(
                    Field::Status,
                    &section.heading,
                    section.lines().filter(own).cloned().collect(),
                    Place::Section,
                );
                self.take_labelled(section, Place::Section, HEAD_LINES, |_| true);
            }
            Some(
                field @ (Field::Supersedes
                | Field::SupersededBy
                | Field::Deciders
                | Field::Approvers
                | Field::Owner),
            ) => {
                let name = |line: &&Line| line.text.chars().count() <= 80 && !line.text.ends_with('.');
                self.add(
                    field,
                    &section.heading,
                    section.lines().filter(name).cloned().collect(),
                    Place::Section,
                );
            }
            Some(field) if field.is_date() => {
                let short = section.lines().take(1).filter(|line| line.text.chars().count() <= 40);
                self.add(field, &section.heading, short.cloned().collect(), Place::Section);
            }
            _ if is_administrative(&section.name) => {
                self.take_labelled(section, Place::Section, HEAD_LINES, |_| true);
            }
            _ if tells_relations(&section.name) => {
                let relation = |field| matches!(field, Field::Supersedes | Field::SupersededBy);
                self.take_labelled(section, Place::Section, usize::MAX, relation);
            }
            _ => {}
        }
    }
}

/// Nested keys describe other things, such as related pages, unless they are grouped under a word for the record itself.
pub(super) fn is_of_the_record(key: &str) -> bool {
    let vocabularies = ["adr", "dc", "dct", "dcterms", "meta", "metadata", "owl"];
    key.split_once('.').is_none_or(|(group, _)| {
        let group = group.to_lowercase();
        vocabularies.contains(&group.as_str()) || any_language(|words| words.labels.groups.contains(&group))
    })
}

/// How many lines before the first section may hold labels; beyond them a colon is just a colon.
const HEAD_LINES: usize = 30;

/// "Status: accepted | Date: 2024-01-02" and "**Status:** accepted **Date:** 2024-01-02" are two lines in one.
fn apart(line: &Line) -> Vec<Line> {
    let text = line.text.as_str();
    let colons = text.match_indices(':').map(|(at, _)| at);
    let starts: Vec<usize> = colons.filter_map(|colon| label_before(text, colon)).collect();
    match starts.as_slice() {
        [0, _, ..] => {
            let ends = starts.iter().skip(1).copied().chain([text.len()]);
            let part = |(start, end): (&usize, usize)| {
                let links = line.links.iter().filter(|(span, _)| span.start >= *start && span.end <= end);
                let links =
                    links.map(|(span, to)| (span.start - start..span.end - start, to.clone())).collect();
                let text = text[*start..end].trim_end_matches([' ', '|', '·', '•', ',', ';', '/']).to_owned();
                Line { text, links, ..Line::default() }
            };
            starts.iter().zip(ends).map(part).collect()
        }
        _ => vec![line.clone()],
    }
}

/// Where the known label begins that a colon ends: the longest of up to three words, with a capital.
fn label_before(text: &str, colon: usize) -> Option<usize> {
    let before = &text[..colon];
    let mut starts: Vec<usize> =
        before.rmatch_indices([' ', '|', '(']).map(|(at, _)| at + 1).take(3).collect();
    if starts.len() < 3 {
        starts.push(0);
    }
    starts.into_iter().rev().find(|start| {
        let label = &before[*start..];
        label.starts_with(char::is_uppercase) && Field::of(label).is_some()
    })
}

/// "Status: accepted", "**Status** accepted", ":status: accepted", "Status – accepted".
pub(super) fn labelled(line: &Line) -> Option<(String, Line)> {
    let text = line.text.as_str();
    let start = text.len() - text.trim_start_matches([':', '-', '*', '•', ' ']).len();
    if line.bold > start && line.bold < text.len() {
        let label = text[start..line.bold].trim_end_matches([':', ' ']);
        if Field::of(label).is_some() {
            let rest = &text[line.bold..];
            let at = line.bold + rest.len() - rest.trim_start_matches([':', ' ', '-', '–']).len();
            return Some((label.to_owned(), line.after(at)));
        }
    }
    let separators = [":", " – ", " — ", " - ", "："];
    let (at, separator) = separators
        .iter()
        .filter_map(|sign| Some((start + text[start..].find(sign)?, sign)))
        .min_by_key(|(at, _)| *at)?;
    let label = text[start..at].trim();
    let wordy = label.split_whitespace().count() > 5 || label.len() > 50;
    let value = &text[at + separator.len()..];
    // AsciiDoc has two colons.
    let at = text.len() - value.trim_start_matches([':', ' ']).len();
    (!label.is_empty() && !wordy).then(|| (label.to_owned(), line.after(at)))
}

/// "Version 1.0 – 2nd June 2021": the version and what follows.
fn version_line(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(' ')?;
    let (version, rest) = rest.trim_start().split_once([' ', ',']).unwrap_or((rest.trim(), ""));
    let word = word.to_lowercase();
    let named = matches!(word.as_str(), "v" | "v.")
        || any_language(|words| words.labels.version_lines.contains(&word));
    let numeric = version.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    // A sentence about some version goes on for longer.
    let short = rest.split_whitespace().count() <= 6;
    (named && numeric && short).then_some((version.trim_end_matches([',', ';', ':']), rest))
}

/// Sections that hold what a document says of itself.
pub(super) fn is_administrative(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let holds = |known: &[String]| known.iter().any(|known| words.contains(&known.as_str()));
    let opens = |known: &[String]| words.len() > 1 && known.iter().any(|known| known == words[0]);
    words.len() <= 4
        && any_language(|known| {
            holds(&known.sections.administrative) || opens(&known.sections.administrative_openings)
        })
}

fn tells_relations(name: &str) -> bool {
    let opens = |known: &[String]| known.iter().any(|known| name.starts_with(known.as_str()));
    any_language(|words| opens(&words.sections.links) || opens(&words.sections.references))
}
