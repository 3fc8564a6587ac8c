//! Days as people write them.

use std::sync::LazyLock;

use jiff::civil::Date;
use plumbline_core::domain::Language;
use plumbline_core::language::fixed;
use plumbline_core::text::WordList;
use regex::{Captures, Regex};

use super::clue::Clue;

/// A day found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    /// Why the day is not certain, where it is not.
    pub(super) doubt: Option<Clue>,
}

/// What a value says when a day is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DateValue {
    Day(Day),
    /// It looks like a day and is none.
    Impossible(String),
    Nothing,
}

struct Forms {
    year_first: Regex,
    year_last: Regex,
    day_month: Regex,
    month_day: Regex,
    month_only: Regex,
    compact: Regex,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let month = format!(
        "(?P<month>{})",
        MONTHS.iter().map(|(name, _)| regex::escape(name)).collect::<Vec<_>>().join("|")
    );
    let any = |words: fn(&WordList) -> &Vec<String>| {
        let words = Language::all().flat_map(|language| words(WordList::of(language)));
        words.map(|word| regex::escape(word)).collect::<Vec<_>>().join("|")
    };
    let (ordinals, of) = (any(|words| &words.ordinals), any(|words| &words.of_month));
    let form = |pattern: &str| {
        let pattern = pattern.replace("MONTH", &month).replace("ORDINALS", &ordinals).replace("OF", &of);
        fixed(&format!("(?i){pattern}"))
    };
    Forms {
        year_first: form(r"\b(?P<y>[0-9]{4})(?P<sign>[-/.])(?P<a>[0-9]{1,2})[-/.](?P<b>[0-9]{1,2})(?:\b|T)"),
        year_last: form(r"\b(?P<a>[0-9]{1,2})(?P<sign>[-/.])(?P<b>[0-9]{1,2})[-/.](?P<y>[0-9]{4})\b"),
        day_month: form(
            r"\b(?P<d>[0-9]{1,2})(?:[ ^]?(?:ORDINALS)|\.)?[ -](?:(?:OF) )?MONTH\.?,?[ -](?P<y>[0-9]{4})\b",
        ),
        month_day: form(r"\bMONTH\.? (?P<d>[0-9]{1,2})(?:ORDINALS)?,? (?P<y>[0-9]{4})\b"),
        month_only: form(r"\bMONTH\.?,? (?P<y>[0-9]{4})\b"),
        compact: form(r"\b(?P<y>(?:19|20)[0-9]{2})(?P<a>[0-9]{2})(?P<b>[0-9]{2})\b"),
    }
});

/// Months of languages that have no pack: days in their documents are read all the same.
const FOREIGN_MONTHS: [(&str, i8); 12] = [
    ("januar", 1),
    ("februar", 2),
    ("märz", 3),
    ("mai", 5),
    ("dezember", 12),
    ("dez", 12),
    ("janvier", 1),
    ("février", 2),
    ("mars", 3),
    ("juin", 6),
    ("juillet", 7),
    ("décembre", 12),
];

/// The months by their names; longer names stand before their beginnings.
static MONTHS: LazyLock<Vec<(&str, i8)>> = LazyLock::new(|| {
    let known = Language::all().flat_map(|language| &WordList::of(language).months);
    let known = known.map(|(name, month)| (name.as_str(), *month));
    let mut months: Vec<(&str, i8)> = known.chain(FOREIGN_MONTHS).collect();
    months.sort_unstable_by_key(|(name, _)| (std::cmp::Reverse(name.len()), *name));
    months.dedup_by_key(|(name, _)| *name);
    months
});

/// What a value says; of several days the last counts.
pub(super) fn read(text: &str) -> DateValue {
    let (days, impossible) = scan(text);
    let last = days.into_iter().max_by_key(|day| day.date);
    match (last, impossible) {
        (Some(day), _) => DateValue::Day(day),
        (None, Some(written)) => DateValue::Impossible(written),
        (None, None) => DateValue::Nothing,
    }
}

/// The last day that a text names.
pub(super) fn last_in(text: &str) -> Option<Date> {
    scan(text).0.into_iter().map(|day| day.date).max()
}

/// A text that is one day and nothing else, such as the beginning of a file name.
pub(super) fn exactly(text: &str) -> Option<Date> {
    let forms = [&FORMS.year_first, &FORMS.compact];
    forms.into_iter().find_map(|form| {
        let captures = form.captures(text)?;
        let whole = captures.get(0)?;
        (whole.range() == (0..text.len()))
            .then(|| numeric(&captures, true).ok())
            .flatten()
            .map(|day| day.date)
    })
}

fn scan(text: &str) -> (Vec<Day>, Option<String>) {
    let mut days = Vec::new();
    let mut impossible = None;
    let mut rest = text.to_owned();
    let mut take = |form: &Regex, read: &dyn Fn(&Captures<'_>) -> Result<Day, ()>| {
        let mut spans = Vec::new();
        for captures in form.captures_iter(&rest) {
            let Some(whole) = captures.get(0) else { continue };
            spans.push(whole.range());
            match read(&captures) {
                Ok(day) => days.push(day),
                Err(()) => impossible = Some(whole.as_str().to_owned()),
            }
        }
        // What one form has read, the next must not read again in part.
        for span in spans {
            let blank = " ".repeat(span.len());
            rest.replace_range(span, &blank);
        }
    };
    take(&FORMS.year_first, &|captures| numeric(captures, true));
    take(&FORMS.year_last, &|captures| numeric(captures, false));
    take(&FORMS.day_month, &named);
    take(&FORMS.month_day, &named);
    take(&FORMS.month_only, &named);
    take(&FORMS.compact, &|captures| numeric(captures, true));
    (days, impossible)
}

fn number<T: std::str::FromStr>(captures: &Captures<'_>, name: &str) -> Option<T> {
    captures.name(name)?.as_str().parse().ok()
}

/// Year first is year, month, day; year last is day, month, year. The other order is taken where that is no date.
fn numeric(captures: &Captures<'_>, year_first: bool) -> Result<Day, ()> {
    let (year, a, b) = (number(captures, "y"), number(captures, "a"), number(captures, "b"));
    let (Some(year), Some(a), Some(b)) = (year, a, b) else { return Err(()) };
    let (month, day) = if year_first { (a, b) } else { (b, a) };
    if let Some(date) = plausible(year, month, day) {
        return Ok(Day { date, doubt: None });
    }
    plausible(year, day, month).map(|date| Day { date, doubt: Some(Clue::SwappedDate) }).ok_or(())
}

fn named(captures: &Captures<'_>) -> Result<Day, ()> {
    let name = captures.name("month").map_or(String::new(), |name| name.as_str().to_lowercase());
    let month = MONTHS.iter().find(|(known, _)| *known == name).map(|(_, month)| *month).ok_or(())?;
    let year = number(captures, "y").ok_or(())?;
    let day = number::<i8>(captures, "d");
    let doubt = day.is_none().then_some(Clue::NoDay);
    plausible(year, month, day.unwrap_or(1)).map(|date| Day { date, doubt }).ok_or(())
}

fn plausible(year: i16, month: i8, day: i8) -> Option<Date> {
    Date::new(year, month, day).ok().filter(|date| (1950..=2199).contains(&date.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        for (text, day) in [
            ("2024-01-23", "2024-01-23"),
            ("2024-01-23T10:00:00Z", "2024-01-23"),
            ("2024/1/3", "2024-01-03"),
            ("02-10-2019", "2019-10-02"),
            ("2.10.2019", "2019-10-02"),
            ("12/31/2019", "2019-12-31"),
            ("2024-29-08", "2024-08-29"),
            ("2 October 2019", "2019-10-02"),
            ("2nd of June, 2021", "2021-06-02"),
            ("2^nd June 2021", "2021-06-02"),
            ("3 maart 2024", "2024-03-03"),
            ("1 augustus 2024", "2024-08-01"),
            ("2e maart 2024", "2024-03-02"),
            ("3de maart 2024", "2024-03-03"),
            ("3. März 2024", "2024-03-03"),
            ("Oct 2, 2019", "2019-10-02"),
            ("September 14th 2020", "2020-09-14"),
            ("02-Oct-2019", "2019-10-02"),
            ("20240123", "2024-01-23"),
            ("March 2024", "2024-03-01"),
            ("2019-10-02 (revised 2020-01-05)", "2020-01-05"),
        ] {
            let DateValue::Day(read) = read(text) else { panic!("`{text}` is a day") };
            assert_eq!(read.date.to_string(), day, "`{text}`");
        }
    }

    #[test]
    fn what_is_no_day_is_said_or_left_alone() {
        assert_eq!(read("31-02-2024"), DateValue::Impossible("31-02-2024".to_owned()));
        assert_eq!(read("2024-13-45"), DateValue::Impossible("2024-13-45".to_owned()));
        for text in ["soon", "", "1.2.3", "version 10.4", "may 2", "IEC 61850-9-2"] {
            assert_eq!(read(text), DateValue::Nothing, "`{text}`");
        }
        let DateValue::Day(day) = read("2024-29-08") else { panic!("a day") };
        assert!(day.doubt.is_some(), "a swapped month is not certain");
    }

    #[test]
    fn a_name_that_is_a_day_is_told_from_one_that_holds_a_number() {
        assert_eq!(exactly("2022-02-03"), Some(Date::constant(2022, 2, 3)));
        assert_eq!(exactly("20220203"), Some(Date::constant(2022, 2, 3)));
        assert_eq!(exactly("0012"), None);
    }
}
