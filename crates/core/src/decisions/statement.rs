//! What a sentence states, typed: what it demands, how much of what, what it chooses, and until when it excepts.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use super::phrases::{
    AT_LEAST, AT_MOST, CHOOSING, CONDITIONS, ENDS, EXCEPTIONS, GONE, HALVES, LASTING, MAY, MUST, MUST_NOT,
};
use crate::answer::grounding::{Quantity, Stated};
use crate::domain::Language;
use crate::fold::fold;
use crate::numbers::numbers;
use crate::text::{WordList, content_stems, detect_or, stem, words};

/// What a sentence does with what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modality {
    Must,
    MustNot,
    May,
    /// It tells how things are.
    Is,
}

/// Which values a statement allows beside the one it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exactly,
}

/// A quantity that a statement gives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub written: String,
    /// Where it stands.
    pub range: Range<usize>,
    /// In the smallest unit of its dimension.
    pub value: f64,
    /// `time`, the name of another unit, or the stem of what is counted.
    pub dimension: String,
    pub bound: Bound,
}

/// Something that is chosen.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    /// Its folded name.
    pub name: String,
    /// Where it stands.
    pub range: Range<usize>,
    /// Whether the words that choose stand beside it.
    pub is_named_so: bool,
}

/// A sentence, typed.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub modality: Modality,
    /// The words that make it so.
    pub modal: String,
    /// Whether it holds under a condition only.
    pub conditional: bool,
    /// The stems of what it is about.
    pub subject: BTreeSet<String>,
    pub amounts: Vec<Amount>,
    /// What is chosen.
    pub chosen: Vec<Chosen>,
    /// The stems of its names.
    pub named: BTreeSet<String>,
    /// The language that it is in.
    pub language: Language,
    /// Names that stand for one thing only: in code, or with capitals or digits inside.
    pub things: BTreeSet<String>,
    /// Whether the things must be gone, or are.
    pub gone: bool,
    /// The last day of an exception.
    pub excepted_until: Option<(Date, String)>,
}

impl Statement {
    /// Reads a sentence; none where it states nothing that could oppose another.
    pub(super) fn of(text: &str, document_language: Language) -> Option<Self> {
        if text.ends_with('?') {
            return None;
        }
        let language = detect_or(text, document_language);
        let stated = Stated::of(text, language);
        let (modality, modal) = modality(text);
        let amounts = amounts(text, &stated.quantities, language);
        let chosen = chosen(text, &stated);
        let things = things(text);
        let gone = GONE.are_in(text);
        let excepted_until = excepted_until(text, &stated, language);
        let states = modality != Modality::Is
            || !amounts.is_empty()
            || !chosen.is_empty()
            || !things.is_empty()
            || excepted_until.is_some();
        states.then(|| Self {
            modality,
            modal,
            conditional: CONDITIONS.are_in(text),
            subject: subject(text, language),
            amounts,
            named: chosen.iter().flat_map(|chosen| content_stems(&chosen.name, language)).collect(),
            chosen,
            language,
            things,
            gone,
            excepted_until,
        })
    }
}

/// The stems of the content words, but for numbers, units and the words that make a demand of it.
pub(super) fn subject(text: &str, language: Language) -> BTreeSet<String> {
    let list = WordList::of(language);
    let mut bare = text.to_owned();
    for phrases in [&*MUST_NOT, &*MUST, &*MAY, &*CHOOSING] {
        for range in phrases.in_text(text).collect::<Vec<_>>() {
            bare.replace_range(range.clone(), &" ".repeat(range.len()));
        }
    }
    let units: BTreeSet<String> = list.units.keys().map(|unit| stem(unit, language)).collect();
    let says = |stem: &String| {
        !units.contains(stem) && !stem.bytes().all(|byte| byte.is_ascii_digit()) && stem.chars().count() > 2
    };
    content_stems(&bare, language).into_iter().filter(says).collect()
}

fn modality(text: &str) -> (Modality, String) {
    let first = |phrases: &super::phrases::Phrases| phrases.in_text(text).next();
    let said = |range: std::ops::Range<usize>| text[range].to_owned();
    match (first(&MUST_NOT), first(&MUST), first(&MAY)) {
        (Some(range), ..) => (Modality::MustNot, said(range)),
        (None, Some(range), _) => (Modality::Must, said(range)),
        (None, None, Some(range)) => (Modality::May, said(range)),
        (None, None, None) => (Modality::Is, String::new()),
    }
}

/// Seconds in a unit of time.
fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "millisecond" => 0.001,
        "second" => 1.0,
        "minute" => 60.0,
        "hour" => 3_600.0,
        "day" => 86_400.0,
        "week" => 604_800.0,
        "month" => 2_629_800.0,
        "quarter" => 7_889_400.0,
        "year" => 31_557_600.0,
        _ => return None,
    })
}

fn amounts(text: &str, quantities: &[Quantity], language: Language) -> Vec<Amount> {
    let list = WordList::of(language);
    let mut found: Vec<Amount> = Vec::new();
    let mut take = |written: String, at: usize, value: f64, unit: Option<&str>| {
        let end = at + written.len();
        let behind = words(&text[end.min(text.len())..]);
        let counted = behind.iter().find(|word| list.is_content(&word.folded));
        let (value, dimension) = match unit.map(|unit| (seconds(unit), unit)) {
            Some((Some(seconds), _)) => (value * seconds, "time".to_owned()),
            Some((None, unit)) => (value, unit.to_owned()),
            // What is counted stands right behind the number.
            None => match counted.filter(|word| word.range.start <= 2) {
                Some(word) => (value, stem(&word.folded, language)),
                None => return,
            },
        };
        let before = &text[..at];
        let rest: String =
            text[end.min(text.len())..].chars().take(numbers().contradictions.bound_behind).collect();
        let bound = if AT_LEAST.before(before, numbers().contradictions.bound_reach).is_some()
            || AT_LEAST.are_in(&rest)
        {
            Bound::AtLeast
        } else if AT_MOST.before(before, numbers().contradictions.bound_reach).is_some()
            || AT_MOST.are_in(&rest)
        {
            Bound::AtMost
        } else {
            Bound::Exactly
        };
        // A number of things that is not bounded is mostly the number of a rule, a version or a step.
        if unit.is_none() && bound == Bound::Exactly {
            return;
        }
        let shown = unit.map_or_else(
            || written.clone(),
            |_| {
                let reach = behind.first().map_or(0, |word| word.range.end);
                text[at..(end + reach).min(text.len())].to_owned()
            },
        );
        let range = at..at + shown.len();
        found.push(Amount { written: shown, range, value, dimension, bound });
    };
    for one in quantities {
        take(one.written.clone(), one.at, one.value, one.unit.as_deref());
    }
    for range in HALVES.in_text(text).collect::<Vec<_>>() {
        let next = words(&text[range.end..]).into_iter().next();
        let unit = next.and_then(|word| list.units.get(&word.folded).cloned());
        if let Some(unit) = unit {
            take(text[range.clone()].to_owned(), range.start, 0.5, Some(&unit));
        }
    }
    found
}

/// The names that a sentence chooses.
fn chosen(text: &str, stated: &Stated) -> Vec<Chosen> {
    if !CHOOSING.are_in(text) || MUST_NOT.are_in(text) {
        return Vec::new();
    }
    let mut chosen: Vec<Range<usize>> = Vec::new();
    let mut names: Vec<Range<usize>> = stated.names.iter().map(|(name, at)| *at..*at + name.len()).collect();
    names.sort_by_key(|name| name.start);
    for name in names {
        // "Secrets Manager" is one.
        match chosen.last_mut() {
            Some(last) if text.get(last.end..name.start) == Some(" ") => last.end = name.end,
            _ => chosen.push(name),
        }
    }
    let choosing: Vec<Range<usize>> = CHOOSING.in_text(text).collect();
    let reach = numbers().contradictions.choosing_reach;
    let is_named_so = |name: &Range<usize>| {
        let apart = |words: &Range<usize>| match words.end <= name.start {
            true => name.start - words.end,
            false => words.start.saturating_sub(name.end),
        };
        choosing.iter().any(|words| apart(words) <= reach)
    };
    let of = |range: Range<usize>| {
        let name = fold(text.get(range.clone())?);
        Some(Chosen { name, is_named_so: is_named_so(&range), range })
    };
    chosen.into_iter().filter_map(of).collect()
}

/// Names that stand for one thing only.
fn things(text: &str) -> BTreeSet<String> {
    let is_thing = |word: &str| {
        let inner: Vec<char> = word.chars().collect();
        let mixed = inner.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
        mixed && inner.len() >= 6
    };
    let plain = words(text).into_iter().map(|word| text[word.range].to_owned());
    let in_code = text.split('`').skip(1).step_by(2).map(str::to_owned).filter(|code| code.len() >= 4);
    plain.filter(|word| is_thing(word)).chain(in_code).map(|thing| fold(&thing)).collect()
}

/// The last day of an exception: "until 1 March 2025", or so long from the day on which it was granted.
fn excepted_until(text: &str, stated: &Stated, language: Language) -> Option<(Date, String)> {
    if !EXCEPTIONS.are_in(text) {
        return None;
    }
    let ending = stated
        .days
        .iter()
        .find(|(_, at)| ENDS.before(&text[..*at], numbers().contradictions.bound_reach).is_some());
    if let Some((day, at)) = ending {
        let start =
            ENDS.before(&text[..*at], numbers().contradictions.bound_reach).map_or(*at, |range| range.start);
        let written = text[start..].split([',', ';', '.', ')']).next().unwrap_or_default();
        return Some((*day, written.trim().to_owned()));
    }
    let (start, _) = stated.days.first()?;
    let lasts =
        amounts(text, &stated.quantities, language).into_iter().find(|amount| amount.dimension == "time")?;
    LASTING.are_in(text).then_some(())?;
    let days = (lasts.value / 86_400.0).round();
    let end = start.checked_add((days as i64).days()).ok()?;
    Some((end, lasts.written))
}
