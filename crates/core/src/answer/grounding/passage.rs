//! A passage, read once per turn.

use std::ops::Range;

use super::bare_text;
use super::claims::{Claims, Day, NamedRecord, Needle, Wording, holds_phrase};
use super::clause::{Clause, Counted, clause_ranges, read_clauses};
use super::numbers::Number;
use super::plain::plain;
use super::vocabulary::{Meaning, Name, Vocabulary};
use crate::domain::{Chunk, DocumentId, Language, Standing};
use crate::language::{Lexicon, Map, Outcomes};
use crate::text::{UnitKind, units, words};

/// A passage, read once per turn.
pub(super) struct ReadPassage {
    pub document: DocumentId,
    /// The documents that replaced its own.
    pub replaced_by: Vec<DocumentId>,
    pub language: Language,
    pub plain: String,
    pub clauses: Vec<Clause>,
    /// How many of them stand above the text.
    pub head_clauses: usize,
    /// Whether its document is only proposed.
    pub is_proposal: bool,
    /// How the headings and the status say that it came out.
    pub outcomes_above: Outcomes,
    /// The title and the headings above it, made plain.
    headings: Vec<String>,
    claims: Claims,
    whole: String,
    /// The clauses that each word stands in.
    postings: Map<Meaning, Vec<usize>>,
}

impl ReadPassage {
    pub fn read(chunk: &Chunk, vocabulary: &mut Vocabulary) -> Self {
        let language = chunk.language;
        let head = head(chunk);
        let whole = format!("{head}\n\n{}", chunk.text);
        let all = words(&whole);
        let mut claims = Claims::of(&whole, &all, language);
        let ranges = clause_ranges_of(&whole, language);
        claims.all_numbers.retain(|number| ranges.iter().any(|range| range.contains(&number.at)));
        let clauses = read_clauses(&whole, &all, &ranges, &claims, language, Counted::All, &mut |word| {
            vocabulary.learn(word, language)
        });
        claims.names.iter().for_each(|name| vocabulary.learn_name(&name.written, Name::Certain));
        // Some names only ever begin a sentence, as does what a sentence is about.
        let openings = clauses.iter().filter_map(|clause| clause.opening.as_ref());
        openings.for_each(|opening| vocabulary.learn_name(&opening.written, Name::Opening));
        let mut postings: Map<Meaning, Vec<usize>> = Map::default();
        for (at, clause) in clauses.iter().enumerate() {
            clause.meanings.iter().for_each(|meaning| postings.entry(*meaning).or_default().push(at));
        }
        let headings = std::iter::once(&chunk.document.title).chain(&chunk.section_path);
        Self {
            document: chunk.document.id.clone(),
            replaced_by: chunk.document.superseded_by.clone(),
            language,
            plain: joined(&clauses),
            head_clauses: ranges.iter().filter(|range| range.start < head.len()).count(),
            is_proposal: chunk.document.standing() == Standing::Proposed,
            outcomes_above: outcomes_above(chunk),
            headings: headings.map(|heading| bare_heading(heading)).collect(),
            clauses,
            claims,
            whole,
            postings,
        }
    }

    /// The title, the headings and the text, as written.
    pub fn text(&self) -> &str {
        &self.whole
    }

    /// Whether a text is the title or a heading of the passage, and so says nothing.
    pub fn is_headed(&self, text: &str) -> bool {
        let text = bare_heading(text);
        self.headings.contains(&text)
    }

    pub fn holds(&self, meaning: Meaning) -> bool {
        self.postings.contains_key(&meaning)
    }

    /// The clauses in which a word stands.
    pub fn clauses_with(&self, meaning: Meaning) -> &[usize] {
        self.postings.get(&meaning).map_or(&[], Vec::as_slice)
    }

    /// The first thing that is stated and not held.
    pub fn missing(&self, claims: &Claims) -> Option<String> {
        self.missing_figure(claims).or_else(|| self.missing_names(claims).next().map(str::to_owned))
    }

    /// The first number, date, record, link or quotation that is stated and not held.
    pub fn missing_figure(&self, claims: &Claims) -> Option<String> {
        let of = |wording: &Wording| wording.written.clone();
        let number = claims.numbers.iter().find(|number| !self.holds_number(number));
        number
            .map(|number| number.written.clone())
            .or_else(|| claims.dates.iter().find(|day| !self.holds_day(day)).map(|day| day.written.clone()))
            .or_else(|| {
                claims
                    .records
                    .iter()
                    .find(|record| !self.holds_record(record))
                    .map(|record| record.written.clone())
            })
            .or_else(|| claims.links.iter().find(|link| !self.holds_link(link)).map(of))
            .or_else(|| claims.quotes.iter().find(|quote| !self.holds_quote(quote)).map(of))
    }

    /// Names, of code as well, that are stated and not held.
    pub fn missing_names<'c>(&self, claims: &'c Claims) -> impl Iterator<Item = &'c str> {
        let codes = claims.codes.iter().filter(|code| !holds_phrase(&self.plain, &code.written));
        let names = claims.names.iter().filter(|name| !self.holds_name(name));
        codes.chain(names).map(|name| name.written.as_str())
    }

    /// Whether a name, of code as well, stands in it.
    pub fn names(&self, name: &str) -> bool {
        holds_phrase(&self.plain, name) || Needle::new(name).is_in(&self.plain)
    }

    fn holds_number(&self, number: &Number) -> bool {
        let as_written = || number.values.is_empty() && holds_phrase(&self.plain, &number.written);
        self.claims.all_numbers.iter().any(|held| number.is_held_by(held)) || as_written()
    }

    fn holds_day(&self, day: &Day) -> bool {
        self.claims.dates.iter().any(|held| day.parts.is_held_by(held.parts))
            || holds_phrase(&self.plain, &day.written)
    }

    fn holds_record(&self, record: &NamedRecord) -> bool {
        self.claims.records.iter().any(|held| record.is(held)) || holds_phrase(&self.plain, &record.written)
    }

    fn holds_quote(&self, quote: &Wording) -> bool {
        quote
            .written
            .split('…')
            .flat_map(|part| part.split("..."))
            .all(|part| plain(part).trim().is_empty() || holds_phrase(&self.plain, part))
    }

    fn holds_link(&self, link: &Wording) -> bool {
        self.whole.contains(&link.written) || self.whole.to_lowercase().contains(&link.written.to_lowercase())
    }

    fn holds_name(&self, name: &Wording) -> bool {
        Needle::new(&name.written).is_in(&self.plain)
    }
}

/// The plain text of all clauses, one after the other.
fn joined(clauses: &[Clause]) -> String {
    clauses.iter().fold(" ".to_owned(), |text, clause| text + clause.plain.trim_start_matches(' '))
}

/// A heading without the number before it, made plain.
fn bare_heading(heading: &str) -> String {
    plain(heading.trim_start_matches(|c: char| {
        c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ')' | '#')
    }))
}

/// What is only proposed stands under "Decision" as well, and every approval record is called one.
fn outcomes_above(chunk: &Chunk) -> Outcomes {
    let document = &chunk.document;
    let status = document.status.as_deref().unwrap_or_default();
    let headings = match document.standing() {
        Standing::Proposed => String::new(),
        _ => chunk.section_path.join(" "),
    };
    let mut outcomes = Outcomes::default();
    for word in words(&format!("{headings} {status}")) {
        outcomes.add(Lexicon::of(chunk.language).traits(&word.folded).outcomes);
    }
    outcomes
}

/// What the model sees above the text, which belongs to the passage.
fn head(chunk: &Chunk) -> String {
    let document = &chunk.document;
    let head = [
        Some(document.reference()),
        Some(document.title.clone()),
        Some(chunk.section_path.join(" / ")),
        document.status.clone(),
        document.version.as_ref().map(|version| format!("version {version}")),
        document.date.map(|date| date.to_string()),
    ];
    head.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn clause_ranges_of(whole: &str, language: Language) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for unit in units(whole) {
        if matches!(unit.kind, UnitKind::Code | UnitKind::TableRow | UnitKind::TableHead) {
            ranges.push(unit.range);
            continue;
        }
        // The number of a list item counts nothing.
        let text = &whole[unit.range.clone()];
        let bare = if unit.kind == UnitKind::ListItem { bare_text(text) } else { text };
        let start = unit.range.end - bare.len();
        let inside = clause_ranges(bare, language);
        ranges.extend(inside.into_iter().map(|range| start + range.start..start + range.end));
    }
    ranges
}
