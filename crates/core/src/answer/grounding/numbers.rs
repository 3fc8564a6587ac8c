//! The numbers of a text, in figures and in words, with their units.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::Language;
use crate::language::fixed;
use crate::numbers::numbers;
use crate::text::{Word, WordList, without_marks, words};

/// A number, with the values it can be read as.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    /// As written.
    pub written: String,
    /// "15,500" is 15500 or, in Dutch, 15.5.
    pub values: Vec<f64>,
    /// The unit of measure, by its name over languages.
    pub unit: Option<String>,
    /// Where it stands.
    pub at: usize,
}

impl Number {
    /// Whether a passage that holds `other` supports this number.
    pub fn is_held_by(&self, other: &Self) -> bool {
        let same = self
            .values
            .iter()
            .any(|a| other.values.iter().any(|b| (a - b).abs() <= f64::EPSILON * a.abs().max(1.0)));
        same && self.is_of_a_kind_with(other)
    }

    /// Whether both are the same, unit and all.
    pub fn is_exactly(&self, other: &Self) -> bool {
        self.unit == other.unit && self.is_held_by(other)
    }

    /// Whether both may count the same thing.
    fn is_of_a_kind_with(&self, other: &Self) -> bool {
        match (&self.unit, &other.unit) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        }
    }

    /// Whether the one may stand in the place of the other: "10 years" for "13 months".
    pub fn can_stand_for(&self, other: &Self) -> bool {
        let is_time = |unit: &Option<String>| unit.as_deref().is_some_and(|unit| TIMES.contains(&unit));
        self.is_of_a_kind_with(other) || is_time(&self.unit) && is_time(&other.unit)
    }
}

/// Units that all measure time.
const TIMES: [&str; 9] =
    ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"\d{1,3}(?:[ \u{a0}\u{202f}']\d{3})+(?:[.,]\d+)?(?-u:\b)|\d+(?:[.,]\d+)*"));

/// A number of a text, and whether it is spelt out.
pub(super) struct Found {
    pub number: Number,
    pub in_words: bool,
}

/// Every number of a text, given its words.
pub(super) fn numbers_in(text: &str, all: &[Word], language: Language) -> Vec<Found> {
    let list = WordList::of(language);
    let mut found: Vec<Found> = NUMBER
        .find_iter(text)
        .map(|figure| {
            let (values, unit) = scaled(read_figure(figure.as_str()), &text[figure.end()..], list);
            let unit = currency_before(&text[..figure.start()]).or(unit);
            let number = Number { written: figure.as_str().to_owned(), values, unit, at: figure.start() };
            Found { number, in_words: false }
        })
        .collect();
    let mut at = 0;
    while at < all.len() {
        let Some((value, next)) = number_in_words(text, all, at, list) else {
            at += 1;
            continue;
        };
        let range = all[at].range.start..all[next - 1].range.end;
        let (values, unit) = scaled(vec![value as f64], &text[range.end..], list);
        let number = Number { written: text[range.clone()].to_owned(), values, unit, at: range.start };
        found.push(Found { number, in_words: true });
        at = next;
    }
    found
}

/// The number that the words from `at` on spell, and the word behind it: "twenty-five", "two hundred and ten".
fn number_in_words(text: &str, all: &[Word], at: usize, list: &WordList) -> Option<(u64, usize)> {
    let joined = |at: usize| {
        at > 0 && text[all[at - 1].range.end..all[at].range.start].trim_matches([' ', '-']).is_empty()
    };
    let below_hundred = |at: usize| -> Option<(u64, usize)> {
        let value = value_of(&all.get(at)?.folded, list).or_else(|| one_of_something(all, at, list))?;
        let ones = all.get(at + 1).filter(|_| joined(at + 1)).and_then(|next| ones_of(&next.folded, list));
        match ones {
            Some(ones) if (20..100).contains(&value) => Some((value + ones, at + 2)),
            _ => Some((value, at + 1)),
        }
    };
    let (mut value, mut next) = below_hundred(at)?;
    if value < 100 && next < all.len() && joined(next) && value_of(&all[next].folded, list) == Some(100) {
        (value, next) = (value * 100, next + 1);
    }
    if value >= 100 {
        let skipped = usize::from(
            all.get(next).is_some_and(|word| WordList::any_lists(|list| &list.and, &word.folded)),
        );
        if let Some((rest, end)) =
            below_hundred(next + skipped).filter(|(rest, _)| *rest < 100 && joined(next))
        {
            (value, next) = (value + rest, end);
        }
    }
    Some((value, next))
}

fn value_of(word: &str, list: &WordList) -> Option<u64> {
    list.numbers.get(word).copied().or_else(|| compound(word, list))
}

/// "One" is a number where it counts a unit: "within one month".
fn one_of_something(all: &[Word], at: usize, list: &WordList) -> Option<u64> {
    let word = &all.get(at)?.folded;
    let is_one = WordList::any_lists(|list| &list.one, word);
    (is_one && list.units.contains_key(&all.get(at + 1)?.folded)).then_some(1)
}

/// "One" alone is seldom a number, so the lists leave it out.
fn ones_of(word: &str, list: &WordList) -> Option<u64> {
    if WordList::any_lists(|list| &list.one_in_numbers, word) {
        return Some(1);
    }
    list.numbers.get(word).copied().filter(|value| (1..10).contains(value))
}

/// "vijfentwintig" is five and twenty.
fn compound(word: &str, list: &WordList) -> Option<u64> {
    let written = list.compound_numbers.as_ref().filter(|written| word.ends_with(&written.ending))?;
    let plain = without_marks(word);
    let (tens, value) = list
        .numbers
        .iter()
        .find(|(tens, value)| (20..100).contains(*value) && plain.ends_with(tens.as_str()))?;
    let ones = plain.strip_suffix(tens.as_str())?.strip_suffix(written.joint.as_str())?;
    Some(value + ones_of(ones, list)?)
}

/// The values a figure can be read as; none for digits of other scripts, which must be found as they are written.
fn read_figure(figure: &str) -> Vec<f64> {
    if figure.chars().any(|c| c.is_numeric() && !c.is_ascii_digit()) {
        return Vec::new();
    }
    let compact: String =
        figure.chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'')).collect();
    let separators: Vec<char> = compact.chars().filter(|c| !c.is_ascii_digit()).collect();
    let read = |text: String| text.parse::<f64>().ok();
    let joined = || read(compact.replace(['.', ','], ""));
    let decimal = |at: usize| {
        let (whole, fraction) = compact.split_at(at);
        read(format!("{}.{}", whole.replace(['.', ','], ""), &fraction[1..]))
    };
    let values = match separators.as_slice() {
        [] => vec![joined()],
        [_] => {
            let at = compact.find(['.', ',']).unwrap_or_default();
            let thousands = compact.len() - at - 1 == 3 && !compact.starts_with('0');
            if thousands { vec![joined(), decimal(at)] } else { vec![decimal(at)] }
        }
        [first, rest @ ..] if rest.iter().all(|c| c == first) => vec![joined()],
        _ => compact.rfind(['.', ',']).map_or_else(Vec::new, |at| vec![decimal(at)]),
    };
    values.into_iter().flatten().collect()
}

/// Applies "million" and the like behind a number, and finds its unit.
fn scaled(values: Vec<f64>, behind: &str, list: &WordList) -> (Vec<f64>, Option<String>) {
    let nearby = reachable(behind);
    if behind.trim_start().starts_with('%') {
        return (values, Some("percent".to_owned()));
    }
    let next = words(nearby);
    let mut values = values;
    let mut from = 0;
    if let Some(factor) = next.first().and_then(|word| list.multipliers.get(&word.folded)) {
        values = values.into_iter().map(|value| value * *factor as f64).collect();
        from = 1;
    }
    // In "40 per month" a month is what the number is divided by.
    let counted =
        next.iter().skip(from).take(numbers().grounding.unit_reach).take_while(|word| !divides(&word.folded));
    let unit = counted.filter_map(|word| list.units.get(&word.folded)).next().cloned();
    (values, unit)
}

fn divides(word: &str) -> bool {
    WordList::any_lists(|list| &list.rates, word)
}

/// The text behind a number that can still hold its unit: a few words, up to the next figure or the end of the clause.
fn reachable(behind: &str) -> &str {
    let mut gaps = 0;
    let ends = |(at, c): (usize, char)| {
        gaps += usize::from(at > 0 && c == ' ');
        let stops = c.is_ascii_digit() || matches!(c, '.' | ',' | ';' | ':' | '(' | ')' | '|' | '\n');
        (stops || gaps > numbers().grounding.unit_reach + 1).then_some(at)
    };
    &behind[..behind.char_indices().find_map(ends).unwrap_or(behind.len())]
}

fn currency_before(before: &str) -> Option<String> {
    match before.trim_end().chars().last()? {
        '€' => Some("euro".to_owned()),
        '$' => Some("dollar".to_owned()),
        '£' => Some("pound".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, language: Language) -> Number {
        let mut found = numbers_in(text, &words(text), language);
        assert_eq!(found.len(), 1, "{text}");
        found.remove(0).number
    }

    #[test]
    fn numbers_agree_over_spellings_and_languages() {
        for (claim, language, passage, agrees) in [
            ("15,500 square feet", Language::EN, "15500 square feet", true),
            ("1.3 million connections", Language::EN, "1,300,000 connections", true),
            ("1,3 miljoen aansluitingen", Language::NL, "1300000 connections", true),
            ("within 4 hours", Language::EN, "a 4-hour limit", true),
            ("30 days", Language::EN, "30 minutes", false),
            ("5 working days", Language::EN, "5 days", true),
            ("95%", Language::EN, "95 percent", true),
            ("five days", Language::EN, "5 days", true),
            ("twenty-five days", Language::EN, "25 days", true),
            ("within one month", Language::EN, "1 month", true),
            ("fifty-one days", Language::EN, "51 days", true),
            ("two hundred and ten days", Language::EN, "210 days", true),
            ("vijfentwintig dagen", Language::NL, "25 days", true),
            ("drieënzestig dagen", Language::NL, "63 days", true),
            ("eenenveertig dagen", Language::NL, "42 days", false),
            ("0,5 uur", Language::NL, "0.5 hours", true),
            ("12", Language::EN, "120", false),
            ("€ 40", Language::EN, "$40", false),
            ("€ 40 per month", Language::EN, "40 months", false),
            ("€ 40 per month", Language::EN, "40 euros", true),
        ] {
            let (claimed, held) = (one(claim, language), one(passage, Language::EN));
            assert_eq!(
                claimed.is_held_by(&held),
                agrees,
                "`{claim}` against `{passage}`: {claimed:?} {held:?}"
            );
        }
    }
}
