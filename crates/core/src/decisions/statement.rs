//! What a sentence states, typed: what it demands, how much of what, what it chooses, and until when it excepts.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use super::alternatives::{self, Answer};
use super::cases::Cases;
use super::phrases::{
    AT_LEAST, AT_MOST, CHOOSING, CLAUSES, CONDITIONS, ENDS, EXCEPTIONS, GONE, HALVES, IS_NOT, LASTING, MAY,
    MUST, MUST_NOT, NEED_NOT, PAST, Phrases, YEAR_ENDS,
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
    /// What is demanded elsewhere may be left.
    NeedNot,
    /// It tells how things are.
    Is,
    /// It tells how things are not.
    IsNot,
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
    /// `duration`, the name of another unit, or the stem of what is counted.
    pub dimension: String,
    pub bound: Bound,
    /// Whether it is a bare number of things, without a bound.
    pub is_bare: bool,
}

impl Amount {
    /// Whether it is so much time.
    pub(super) fn is_duration(&self) -> bool {
        self.dimension == DURATION
    }

    /// Whether it is so many of something, which tells what it is about.
    pub(super) fn counts_things(&self) -> bool {
        !self.is_duration() && self.dimension != PERCENT
    }
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
    /// Whether it tells how things are done where a record decides so.
    pub practice: bool,
    /// For what and where it holds.
    pub cases: Cases,
    /// What it answers to questions that are commonly answered in other ways.
    pub answers: Vec<Answer>,
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
    /// Whether it calls itself an exception.
    pub is_excepted: bool,
    /// The last day of an exception.
    pub excepted_until: Option<(Date, String)>,
}

impl Statement {
    /// Reads a sentence; none where it states nothing that could oppose another. Where a record decides, whatever it says states
    /// something.
    pub(super) fn of(text: &str, document_language: Language, decides: bool) -> Option<Self> {
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
        let excepted_until = excepted_until(text, modality, &stated, language);
        let practice = decides && matches!(modality, Modality::Is | Modality::IsNot);
        let answers = answers(text, modality, decides);
        let states = practice
            || !matches!(modality, Modality::Is | Modality::IsNot)
            || !answers.is_empty()
            || amounts.iter().any(|amount| decides || !amount.is_bare)
            || !chosen.is_empty()
            || !things.is_empty()
            || excepted_until.is_some();
        states.then(|| Self {
            modality,
            modal,
            practice,
            cases: Cases::of(text),
            answers,
            conditional: CONDITIONS.are_in(text),
            subject: subject(text, language),
            amounts,
            named: chosen.iter().flat_map(|chosen| content_stems(&chosen.name, language)).collect(),
            chosen,
            language,
            things,
            gone,
            is_excepted: EXCEPTIONS.are_in(text),
            excepted_until,
        })
    }
}

/// The stems of the content words, but for numbers, units and the words that make a demand of it.
pub(super) fn subject(text: &str, language: Language) -> BTreeSet<String> {
    let list = WordList::of(language);
    let mut bare = text.to_owned();
    for phrases in [&*MUST_NOT, &*NEED_NOT, &*IS_NOT, &*MUST, &*MAY, &*CHOOSING] {
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
    // What need not be is written with words that demand.
    let demanding = [
        (&*MUST_NOT, Modality::MustNot),
        (&*NEED_NOT, Modality::NeedNot),
        (&*MUST, Modality::Must),
        (&*MAY, Modality::May),
    ];
    if let Some((range, modality)) =
        demanding.into_iter().find_map(|(phrases, modality)| Some((first(phrases)?, modality)))
    {
        return (modality, said(range));
    }
    let main = main_clause(text);
    match IS_NOT.in_text(main).next() {
        Some(range) => (Modality::IsNot, main[range].to_owned()),
        None => (Modality::Is, main.trim().to_owned()),
    }
}

/// The clause that a sentence is about, without those that give reasons or tell more.
fn main_clause(text: &str) -> &str {
    let ends = CLAUSES.in_text(text).map(|range| range.start).chain(text.find([',', ';', ':']));
    let end = ends.min().unwrap_or(text.len());
    match text[..end].split_whitespace().count() {
        // What goes before the main clause ends with a comma.
        0..=2 => text.split_once(',').map_or(text, |(_, rest)| rest),
        _ => &text[..end],
    }
}

/// What a sentence that decides answers to common questions: not what is denied, was so once, or is left to a condition; of two
/// answers to one question it is not known which is given.
fn answers(text: &str, modality: Modality, decides: bool) -> Vec<Answer> {
    let states = match modality {
        Modality::Must => true,
        Modality::Is => decides || CHOOSING.are_in(text),
        _ => false,
    };
    // "Als database" names a part, and no condition.
    let on_condition =
        CONDITIONS.in_text(text).any(|range| !alternatives::opens_with_question(&text[range.end..]));
    if !states || on_condition || PAST.are_in(text) || IS_NOT.are_in(text) {
        return Vec::new();
    }
    let all = alternatives::answers(text);
    let only = |one: &Answer| {
        let names: BTreeSet<&str> =
            all.iter().filter(|other| other.question == one.question).map(|other| other.name).collect();
        names.len() == 1
    };
    all.iter().filter(|one| only(one)).cloned().collect()
}

/// The dimension of whatever lasts; "time" is the unit of what is done so many times.
const DURATION: &str = "duration";
/// The unit of shares of anything.
const PERCENT: &str = "percent";

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
            Some((Some(seconds), _)) => (value * seconds, DURATION.to_owned()),
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
        let reach = numbers().contradictions.bound_reach;
        // "No more than" ends with "more than": the longer one counts.
        let start = |phrases: &Phrases| phrases.before(before, reach).map_or(usize::MAX, |range| range.start);
        let bound = match start(&AT_LEAST).cmp(&start(&AT_MOST)) {
            Ordering::Less => Bound::AtLeast,
            Ordering::Greater => Bound::AtMost,
            Ordering::Equal if AT_LEAST.are_in(&rest) => Bound::AtLeast,
            Ordering::Equal if AT_MOST.are_in(&rest) => Bound::AtMost,
            Ordering::Equal => Bound::Exactly,
        };
        let is_bare = unit.is_none() && bound == Bound::Exactly;
        let shown = unit.map_or_else(
            || written.clone(),
            |_| {
                let reach = behind.first().map_or(0, |word| word.range.end);
                text[at..(end + reach).min(text.len())].to_owned()
            },
        );
        let range = at..at + shown.len();
        found.push(Amount { written: shown, range, value, dimension, bound, is_bare });
    };
    let quoted = quoted(text);
    for one in quantities.iter().filter(|one| !quoted.iter().any(|range| range.contains(&one.at))) {
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

/// What stands in quotation marks: it is shown, and not said.
fn quoted(text: &str) -> Vec<Range<usize>> {
    let marks: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '"' | '“' | '”' | '„' | '«' | '»'))
        .map(|(at, _)| at)
        .collect();
    marks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
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

/// The last day of an exception: "until 1 March 2025", or so long from the day on which it was granted. What is allowed until a day
/// is one, too.
fn excepted_until(
    text: &str,
    modality: Modality,
    stated: &Stated,
    language: Language,
) -> Option<(Date, String)> {
    let excepts = EXCEPTIONS.are_in(text);
    if !excepts && modality != Modality::May {
        return None;
    }
    let years = YEAR_ENDS.in_text(text).filter_map(|range| {
        let year = words(&text[range.end..]).into_iter().next()?.folded;
        Some((Date::new(year.parse().ok().filter(|year| *year > 1900)?, 12, 31).ok()?, range.start))
    });
    let reach = numbers().contradictions.bound_reach;
    let ending = stated
        .days
        .iter()
        .copied()
        .chain(years)
        .find_map(|(day, at)| Some((day, ENDS.before(&text[..at], reach)?.start)));
    if let Some((day, start)) = ending {
        let written = text[start..].split([',', ';', '.', ')']).next().unwrap_or_default();
        return Some((day, written.trim().to_owned()));
    }
    if !excepts {
        return None;
    }
    let (start, _) = stated.days.first()?;
    let lasts = amounts(text, &stated.quantities, language)
        .into_iter()
        .find(|amount| amount.dimension == DURATION)?;
    LASTING.are_in(text).then_some(())?;
    let days = (lasts.value / 86_400.0).round();
    let end = start.checked_add((days as i64).days()).ok()?;
    Some((end, lasts.written))
}
