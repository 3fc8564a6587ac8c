//! What a text states that can be looked up word for word.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::numbers::{Found, Number, numbers_in};
use super::plain::plain;
use crate::domain::{Kind, Language};
use crate::intent::{Reference, references_in_documents};
use crate::language::{across, fixed};
use crate::text::{DateParts, Word, WordList, days};

/// A record that a text names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct NamedRecord {
    pub kind: Kind,
    pub number: Option<u32>,
    pub name: Option<String>,
    pub written: String,
    pub at: usize,
}

impl NamedRecord {
    /// Whether both name the same record.
    pub fn is(&self, other: &Self) -> bool {
        (self.kind, self.number, &self.name) == (other.kind, other.number, &other.name)
    }
}

/// A day that a text gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Day {
    pub parts: DateParts,
    pub written: String,
    pub at: usize,
}

/// Words of a text that must be found as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wording {
    pub written: String,
    pub at: usize,
}

impl Day {
    /// Whether these bytes of the text belong to it.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        self.at <= range.start && range.end <= self.at + self.written.len()
    }
}

impl Wording {
    /// Whether these bytes of the text belong to it.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        self.at <= range.start && range.end <= self.at + self.written.len()
    }

    fn new(written: &str, at: usize) -> Self {
        Self { written: written.to_owned(), at }
    }
}

/// What a text states that can be looked up word for word.
#[derive(Debug, Clone, Default)]
pub(super) struct Claims {
    /// Numbers in figures, and in words where a unit follows.
    pub numbers: Vec<Number>,
    /// Every number, also inside dates and codes.
    pub all_numbers: Vec<Number>,
    pub dates: Vec<Day>,
    pub records: Vec<NamedRecord>,
    pub codes: Vec<Wording>,
    pub quotes: Vec<Wording>,
    pub links: Vec<Wording>,
    pub names: Vec<Wording>,
}

// Boundaries are ASCII: those of Unicode make the engine ten times slower where a text holds a "€".
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r#"(?i)(?-u:\b)(?:https?://|ftp://|www\.)[^\s<>"'\)\]]+|(?-u:[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"#)
});

static QUOTE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r#""([^"\n]{2,400})"|“([^”\n]{2,400})”|„([^”“\n]{2,400})[”“]|«([^»\n]{2,400})»|``([^\n]{2,400}?)''|`([^`\n]{1,400})`|‘([^’\n]{2,200} [^’\n]{2,200})’"#,
    )
});

impl Claims {
    /// Reads the claims of a text, given its words, in a language. Markers must be gone.
    pub fn of(text: &str, all: &[Word], language: Language) -> Self {
        let mut claims = Self::default();
        // What one reading has claimed is blanked for the next, so that a date is not three numbers as well.
        let mut rest = text.to_owned();

        for found in LINK.find_iter(text) {
            let link = found.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?']);
            claims.links.push(Wording::new(link, found.start()));
            blank_all(&mut rest, [found.range()]);
        }

        for found in QUOTE.captures_iter(text) {
            claims.quotes.extend(
                found.iter().skip(1).flatten().map(|quote| Wording::new(quote.as_str(), quote.start())),
            );
        }
        claims.take_dates(&mut rest);

        let records = named_records(&rest);
        for (range, reference) in &records {
            claims.records.push(NamedRecord {
                kind: reference.kind,
                number: reference.number,
                name: reference.name.clone(),
                written: reference.written.clone(),
                at: range.start,
            });
        }
        blank_all(&mut rest, records.into_iter().map(|(range, _)| range));

        let mut codes = tokens_with_digits(&rest);
        codes.retain(|range| is_code(&rest[range.clone()]));
        claims.codes = codes.iter().map(|range| Wording::new(&rest[range.clone()], range.start)).collect();
        claims.names = names(&rest, &left(all, &rest), language);
        blank_all(&mut rest, codes);
        let found = numbers_in(text, all, language);
        let is_claim = |found: &Found| {
            rest.as_bytes()[found.number.at] != b' ' && (!found.in_words || found.number.unit.is_some())
        };
        claims.numbers =
            found.iter().filter(|found| is_claim(found)).map(|found| found.number.clone()).collect();
        // A passage holds a number inside a date or a code, too.
        claims.all_numbers = found.into_iter().map(|found| found.number).collect();
        claims
    }

    /// Whether there is a name, a number, a code, a record or a day.
    pub fn name_something(&self) -> bool {
        !(self.names.is_empty()
            && self.numbers.is_empty()
            && self.codes.is_empty()
            && self.records.is_empty()
            && self.dates.is_empty())
    }

    /// Each claim by itself.
    pub fn each(&self) -> Vec<Self> {
        let starts = self.numbers.iter().map(|number| number.at);
        let starts = starts
            .chain(self.dates.iter().map(|day| day.at))
            .chain(self.records.iter().map(|record| record.at));
        let wordings = [&self.codes, &self.quotes, &self.links, &self.names]
            .into_iter()
            .flatten()
            .map(|wording| wording.at);
        starts.chain(wordings).map(|at| self.within(&(at..at + 1))).collect()
    }

    /// The claims that stand in a part of the text.
    pub fn within(&self, part: &Range<usize>) -> Self {
        fn only<T: Clone>(all: &[T], part: &Range<usize>, at: impl Fn(&T) -> usize) -> Vec<T> {
            all.iter().filter(|claim| part.contains(&at(claim))).cloned().collect()
        }
        Self {
            numbers: only(&self.numbers, part, |number| number.at),
            all_numbers: only(&self.all_numbers, part, |number| number.at),
            dates: only(&self.dates, part, |day| day.at),
            records: only(&self.records, part, |record| record.at),
            codes: only(&self.codes, part, |code| code.at),
            quotes: only(&self.quotes, part, |quote| quote.at),
            links: only(&self.links, part, |link| link.at),
            names: only(&self.names, part, |name| name.at),
        }
    }

    fn take_dates(&mut self, rest: &mut String) {
        let found = days(rest);
        self.dates.extend(found.iter().map(|(range, parts)| Day {
            parts: *parts,
            written: rest[range.clone()].to_owned(),
            at: range.start,
        }));
        blank_all(rest, found.into_iter().map(|(range, _)| range));
    }
}

/// The records that a text names. A sentence without a word for one names none, and reading it would cost most.
fn named_records(text: &str) -> Vec<(Range<usize>, Reference)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut words = across().claims.record.find_iter(text).map(|word| word.start()).peekable();
    for part in text.split_inclusive(['\n', ';']).flat_map(|line| line.split_inclusive(". ")) {
        let mut named = false;
        while words.next_if(|word| *word < start + part.len()).is_some() {
            named = true;
        }
        if named {
            let inside = references_in_documents(part).into_iter();
            found
                .extend(inside.map(|(range, reference)| (start + range.start..start + range.end, reference)));
        }
        start += part.len();
    }
    found
}

/// The words that are not blanked.
fn left<'w>(all: &'w [Word], rest: &str) -> Vec<&'w Word> {
    all.iter().filter(|word| rest.as_bytes()[word.range.start] != b' ').collect()
}

/// Overwrites the ranges with spaces, byte for byte, so that later ranges still fit.
fn blank_all(text: &mut String, ranges: impl IntoIterator<Item = Range<usize>>) {
    for range in ranges {
        let length = range.len();
        text.replace_range(range, &" ".repeat(length));
    }
}

/// Letters and digits, with single marks between them, that hold an ASCII digit.
fn tokens_with_digits(text: &str) -> Vec<Range<usize>> {
    let joins = |c: char| matches!(c, '-' | '_' | '.' | '/' | '+' | '#');
    // The length of the token at the near end of these characters; a mark belongs to it where a letter or digit follows.
    let reach = |chars: &mut dyn Iterator<Item = char>| {
        let (mut length, mut mark) = (0, 0);
        for c in chars {
            match c {
                _ if c.is_alphanumeric() => (length, mark) = (length + mark + c.len_utf8(), 0),
                _ if joins(c) && mark == 0 => mark = c.len_utf8(),
                _ => break,
            }
        }
        length
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(digit) = text.as_bytes()[at..].iter().position(u8::is_ascii_digit).map(|ahead| at + ahead)
    {
        let start = digit - reach(&mut text[..digit].chars().rev());
        let end = digit + reach(&mut text[digit..].chars());
        found.push(start..end);
        at = end;
    }
    found
}

/// Whether a token is a name with digits in it, such as `AES-256`, `CIM17` or `0037-eventbus.md`.
fn is_code(token: &str) -> bool {
    let digits = token.chars().any(|c| c.is_ascii_digit());
    let letters = token.chars().filter(|c| c.is_alphabetic()).count();
    if !digits || letters == 0 {
        // `10.2.3` is an address or a version, not a number.
        return digits && token.matches('.').count() >= 2 && token.split('.').any(|part| part.len() != 3);
    }
    let bare = token.strip_prefix(['v', 'V']).unwrap_or(token);
    if bare.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return false;
    }
    // "15-minute", "230V" and "19th" are numbers with a word behind them.
    let behind = token.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let numbered =
        behind.len() < token.len() && behind.trim_start_matches('-').chars().all(char::is_alphabetic);
    !numbered
}

/// Words that are names by their capitals.
fn names(text: &str, all: &[&Word], language: Language) -> Vec<Wording> {
    let list = WordList::of(language);
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let written = &text[word.range.clone()];
        if !is_capitalised(written) || !is_nameable(&word.folded, list) {
            continue;
        }
        let acronym = written.chars().filter(|c| c.is_uppercase()).count() >= 2;
        let begins = begins_sentence(&text[..word.range.start]);
        let next_is_name = all.get(at + 1).is_some_and(|next| {
            let between = text[word.range.end..next.range.start].trim();
            (between.is_empty() || between == "-" || between == ".")
                && is_capitalised(&text[next.range.clone()])
                && is_nameable(&next.folded, list)
        });
        if acronym || !begins || next_is_name {
            found.push(Wording::new(written, word.range.start));
        }
    }
    found
}

pub(super) fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

pub(super) fn is_nameable(folded: &str, list: &WordList) -> bool {
    let bare = folded.strip_suffix("'s").unwrap_or(folded);
    bare.chars().count() > 1
        && !list.stop.contains(bare)
        && !list.question.contains(bare)
        && !list.kind.contains(bare)
        && !list.months.contains_key(bare)
        && !list.numbers.contains_key(bare)
        && !list.negation.contains(bare)
}

fn begins_sentence(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | '_' | '#' | '>' | '"' | '“' | '(' | '`')
    });
    before.is_empty() || before.ends_with(['.', '!', '?', ':', ';', '|', '-', '•', '+', '–', '—', '\n', ')'])
}

/// A name, prepared to be looked for in many plain texts.
pub(super) struct Needle {
    bare: String,
    plural: String,
    singular: Option<String>,
}

impl Needle {
    pub fn new(name: &str) -> Self {
        let bare = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name);
        let singular = bare.strip_suffix('s').map(plain);
        let bare = plain(bare);
        Self { plural: format!("{}s ", bare.trim_end()), bare, singular }
    }

    /// Whether the name stands in a plain text, be it in the plural or the genitive.
    pub fn is_in(&self, haystack: &str) -> bool {
        let holds = |needle: &str| needle.len() > 1 && haystack.contains(needle);
        holds(&self.bare) || holds(&self.plural) || self.singular.as_deref().is_some_and(holds)
    }
}

/// Whether the words of `needle` stand in `haystack` one after the other; both made plain.
pub(super) fn holds_phrase(haystack: &str, needle: &str) -> bool {
    let needle = plain(needle);
    !needle.trim().is_empty() && haystack.contains(needle.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

    fn of(text: &str) -> Claims {
        Claims::of(text, &words(text), Language::EN)
    }

    fn written(wordings: &[Wording]) -> Vec<&str> {
        wordings.iter().map(|wording| wording.written.as_str()).collect()
    }

    #[test]
    fn dates_are_read_in_every_spelling() {
        let day = DateParts { year: 2022, month: 3, day: Some(14) };
        for text in [
            "on 2022-03-14.",
            "on 14 March 2022",
            "on March 14, 2022",
            "op 14 maart 2022",
            "on 14-03-2022",
            "on 14th of March 2022",
        ] {
            let claims = of(text);
            assert_eq!(claims.dates.iter().map(|date| date.parts).collect::<Vec<_>>(), [day], "{text}");
            assert!(claims.numbers.is_empty(), "the parts of a date are no numbers: {text}");
        }
        assert_eq!(of("in March 2022").dates[0].parts, DateParts { day: None, ..day });
    }

    #[test]
    fn codes_names_links_and_quotes_are_told_apart() {
        let claims = of(
            "AES-256 per ADR.15 by Sander Kuipers at https://example.org/a. \"keys rotate yearly\" within 15-minute slots, CIM17.",
        );
        assert_eq!(written(&claims.codes), ["AES-256", "CIM17"]);
        assert_eq!(claims.records.len(), 1);
        assert_eq!(written(&claims.links), ["https://example.org/a"]);
        assert_eq!(written(&claims.quotes), ["keys rotate yearly"]);
        let names = written(&claims.names);
        assert!(names.contains(&"Sander") && names.contains(&"Kuipers"), "{names:?}");
        assert_eq!(claims.numbers.len(), 1, "15: {:?}", claims.numbers);
    }

    #[test]
    fn records_are_found_wherever_the_reader_of_questions_finds_them() {
        for text in [
            "See ADR 12, ADR-0013 and adr.14.",
            "The architecture decision 7 holds.",
            "Architectuurbesluit 7 geldt.",
            "Decision record number 8.",
            "Principle 39 and PCP-0040.",
            "Principe 39 geldt.",
            "The approval record of ADR 12.",
            "Goedkeuringsverslag 12.",
            "DAR 12.",
            "See policy-data-retention:3.",
            "See 0037-eventbus.md.",
            "See report.pdf.",
        ] {
            assert!(!references_in_documents(text).is_empty(), "{text}");
            assert_eq!(named_records(text), references_in_documents(text), "{text}");
        }
    }

    #[test]
    fn a_number_word_is_a_claim_only_with_a_unit() {
        assert!(of("There are two options.").numbers.is_empty());
        assert_eq!(of("Within two hours.").numbers.len(), 1);
    }

    #[test]
    fn the_first_word_of_a_sentence_is_no_name_but_an_acronym_is() {
        assert!(of("Encryption is required.").names.is_empty());
        assert_eq!(written(&of("TLS is required.").names), ["TLS"]);
        assert_eq!(written(&of("Stephen Crane wrote it.").names), ["Stephen", "Crane"]);
    }
}
