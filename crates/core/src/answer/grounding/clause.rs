//! The clauses of a text: the smallest parts that state something by themselves.

use std::ops::Range;

use super::claims::{Claims, Wording, is_capitalised, is_nameable};
use super::plain::plain;
use super::vocabulary::{Known, Meaning, UNHELD};
use crate::domain::Language;
use crate::language::{Lexicon, Outcomes, Sides};
use crate::numbers::numbers;
use crate::text::{Word, WordList};

/// The smallest part of a text that states something by itself.
pub(super) struct Clause {
    /// The words, made plain.
    pub plain: String,
    /// How many different words about the subject it holds.
    pub content: usize,
    /// What its words mean, each once. A reply's clause has content words alone, a passage's has all.
    pub meanings: Vec<Meaning>,
    /// The words that a prefix turns into their opposite here: "wrapped" in "unwrapped".
    pub undone: Vec<Meaning>,
    /// For each of its numbers, if it gives several, the words about the subject in the same part of it.
    pub by_number: Vec<Vec<Meaning>>,
    /// What it states that can be looked up.
    pub claims: Claims,
    /// A capitalised first word, which may be a name.
    pub opening: Option<Wording>,
    /// Whether it denies something.
    pub negated: bool,
    /// Which sides of opposites it takes.
    pub sides: Sides,
    /// The outcomes of which it speaks.
    pub outcomes: Outcomes,
    /// Whether it holds only under a condition.
    pub restricted: bool,
    /// Whether it is a row of a table.
    pub is_row: bool,
    /// Whether it goes on where the clause before stopped, in the same sentence.
    pub goes_on: bool,
    /// Whether it begins with a word that points back.
    pub points_back: bool,
}

impl Clause {
    /// Whether the clause before belongs to what it says.
    pub fn leans_back(&self) -> bool {
        self.goes_on || self.points_back
    }

    /// How many of these meanings it holds.
    pub fn overlap(&self, meanings: &[Meaning]) -> usize {
        meanings.iter().filter(|meaning| self.meanings.contains(meaning)).count()
    }
}

/// Where the clauses of a text lie. What stands in quotation marks or brackets stays whole.
pub(super) fn clause_ranges(text: &str, language: Language) -> Vec<Range<usize>> {
    let lexicon = Lexicon::of(language);
    let mut found = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' | '“' | '”' | '„' | '`' => quoted = !quoted,
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let behind = &text[at + c.len_utf8()..];
        let ends = match c {
            _ if quoted || depth > 0 => false,
            ';' => behind.starts_with(char::is_whitespace),
            '.' | '!' | '?' => ends_sentence(&text[start..at], behind),
            ' ' => denial_follows(behind, language),
            ',' => first_word(behind).is_some_and(|word| lexicon.traits(&word.to_lowercase()).joint),
            _ => false,
        };
        if ends {
            found.push(start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
    }
    found.push(start..text.len());
    found.retain(|range| text[range.clone()].contains(char::is_alphanumeric));
    found
}

/// Whether the text goes on with "and not", "but never", "without" and the like.
fn denial_follows(text: &str, language: Language) -> bool {
    let mut words = text.split(' ').map(|word| Lexicon::of(language).traits(word));
    let Some(first) = words.next() else { return false };
    first.apart || first.joint && words.next().is_some_and(|second| second.negation)
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

fn ends_sentence(before: &str, behind: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let abbreviated =
        last.chars().count() < 2 || WordList::any(|list| list.abbreviations.contains(&last.to_lowercase()));
    let next = behind.trim_start();
    next.len() < behind.len()
        && !abbreviated
        && next.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || !c.is_alphanumeric())
}

/// Which words of a text count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// All: what a passage says.
    All,
    /// Words about the subject: what a reply must find in a passage.
    Content,
}

/// Reads the clauses of a text, given its words, their ranges and the claims of the whole.
pub(super) fn read_clauses(
    text: &str,
    all: &[Word],
    ranges: &[Range<usize>],
    claims: &Claims,
    language: Language,
    counted: Counted,
    known: &mut dyn FnMut(&str) -> Known,
) -> Vec<Clause> {
    let mut at = 0;
    let mut clauses: Vec<Clause> = Vec::with_capacity(ranges.len());
    for range in ranges {
        while all.get(at).is_some_and(|word| word.range.start < range.start) {
            at += 1;
        }
        let length = all[at..].iter().take_while(|word| word.range.start < range.end).count();
        let own: Vec<(&Word, Known)> =
            all[at..at + length].iter().map(|word| (word, known(&word.folded))).collect();
        at += length;
        let claims = claims.within(range);
        clauses.push(Clause {
            plain: plain(&text[range.clone()]),
            content: meanings(&own, &claims, Counted::Content).len(),
            undone: undone(&own, language, known),
            by_number: by_number(&own, &claims, WordList::of(language)),
            meanings: meanings(&own, &claims, counted),
            opening: opening(text, &own, language),
            negated: is_negated(&own, &claims, language),
            sides: sides(&own, &claims),
            outcomes: outcomes(&own, &claims),
            restricted: own.iter().any(|(_, known)| known.traits.restricts),
            goes_on: text[..range.start].trim_end().ends_with([',', ';'])
                || own.first().is_some_and(|(_, known)| known.traits.joint || known.traits.apart),
            is_row: text[range.clone()].trim_start().starts_with('|'),
            points_back: own
                .iter()
                .take(numbers().grounding.pointing_words)
                .any(|(_, known)| known.traits.pronoun),
            claims,
        });
    }
    clauses
}

fn meanings(own: &[(&Word, Known)], claims: &Claims, counted: Counted) -> Vec<Meaning> {
    let chosen = |light: bool| -> Vec<Meaning> {
        let mut found: Vec<Meaning> = Vec::with_capacity(own.len());
        let mut unheld: Vec<&str> = Vec::new();
        for (word, known) in own {
            let counts = counted == Counted::All || !known.traits.empty && (light || !known.traits.light);
            // Days and links are looked up as they are; their parts are no words.
            if !counts
                || claims.dates.iter().any(|day| day.holds(&word.range))
                || claims.links.iter().any(|link| link.holds(&word.range))
            {
                continue;
            }
            // Words that no passage holds are all counted, each once.
            let is_new = match known.meaning {
                UNHELD if unheld.contains(&word.folded.as_str()) => false,
                UNHELD => {
                    unheld.push(&word.folded);
                    true
                }
                meaning => !found.contains(&meaning),
            };
            if is_new {
                found.push(known.meaning);
            }
        }
        found
    };
    let found = chosen(false);
    if found.is_empty() { chosen(true) } else { found }
}

/// The meaning of what stands behind a prefix that undoes it.
fn undone(own: &[(&Word, Known)], language: Language, known: &mut dyn FnMut(&str) -> Known) -> Vec<Meaning> {
    let prefixes = &Lexicon::of(language).undoing;
    let stripped = own
        .iter()
        .filter_map(|(word, _)| prefixes.iter().find_map(|prefix| word.folded.strip_prefix(prefix.as_str())));
    stripped
        .filter(|rest| rest.len() >= numbers().grounding.shortest_undone)
        .map(|rest| known(rest).meaning)
        .filter(|meaning| *meaning != UNHELD)
        .collect()
}

/// Parts begin at a joint between two numbers: "A takes 4 hours | and B takes 12".
fn by_number(own: &[(&Word, Known)], claims: &Claims, list: &WordList) -> Vec<Vec<Meaning>> {
    let starts: Vec<usize> = claims.numbers.iter().map(|number| number.at).collect();
    if starts.len() < 2 {
        return Vec::new();
    }
    let joint_between = |pair: &[usize]| {
        let joints = own.iter().filter(|(_, known)| known.traits.joint).map(|(word, _)| word.range.start);
        joints.into_iter().find(|at| (pair[0]..pair[1]).contains(at))
    };
    let cuts: Vec<usize> = starts.windows(2).filter_map(joint_between).collect();
    let part = |at: usize| cuts.iter().filter(|cut| **cut <= at).count();
    let counts = |(word, known): &&(&Word, Known)| {
        !known.traits.empty
            && !known.traits.light
            && !list.units.contains_key(&word.folded)
            && !starts.contains(&word.range.start)
    };
    let words_in = |wanted: usize| {
        own.iter()
            .filter(counts)
            .filter(move |(word, _)| part(word.range.start) == wanted)
            .map(|(_, known)| known.meaning)
    };
    starts.iter().map(|start| words_in(part(*start)).collect()).collect()
}

fn opening(text: &str, own: &[(&Word, Known)], language: Language) -> Option<Wording> {
    let (first, known) = own.first()?;
    let written = &text[first.range.clone()];
    let nameable =
        is_capitalised(written) && !known.traits.light && is_nameable(&first.folded, WordList::of(language));
    nameable.then(|| Wording { written: written.to_owned(), at: first.range.start })
}

/// The words outside quotation marks: what a text says itself.
fn unquoted<'o>(
    own: &'o [(&'o Word, Known)],
    claims: &'o Claims,
) -> impl Iterator<Item = &'o (&'o Word, Known)> + Clone {
    own.iter().filter(|(word, _)| !claims.quotes.iter().any(|quote| quote.holds(&word.range)))
}

fn is_negated(own: &[(&Word, Known)], claims: &Claims, language: Language) -> bool {
    unquoted(own, claims).enumerate().any(|(at, (_, known))| {
        known.traits.negation
            && !Lexicon::of(language)
                .denies_nothing(unquoted(own, claims).skip(at).map(|(word, _)| word.folded.as_str()))
    })
}

fn sides(own: &[(&Word, Known)], claims: &Claims) -> Sides {
    let mut sides = Sides::default();
    unquoted(own, claims).for_each(|(_, known)| sides.add(known.traits.sides));
    sides
}

fn outcomes(own: &[(&Word, Known)], claims: &Claims) -> Outcomes {
    let mut outcomes = Outcomes::default();
    unquoted(own, claims).for_each(|(_, known)| outcomes.add(known.traits.outcomes));
    outcomes
}
