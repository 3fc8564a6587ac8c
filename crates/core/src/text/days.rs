//! Days as texts write them, with the names of months in every language.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::language::{Pack, across, fixed};

/// A day, or as much of it as was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DateParts {
    pub year: i16,
    pub month: i8,
    pub day: Option<i8>,
}

impl DateParts {
    /// Whether a passage that holds `other` supports this date.
    pub fn is_held_by(self, other: Self) -> bool {
        (self.year, self.month) == (other.year, other.month) && (self.day.is_none() || self.day == other.day)
    }
}

// Boundaries are ASCII: those of Unicode make the engine ten times slower where a text holds a "€".
static ISO_DAY: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"(?-u:\b)([0-9]{4})-([0-9]{1,2})(?:-([0-9]{1,2}))?(?-u:\b)"));

static DAY_FIRST: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"(?-u:\b)([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})(?-u:\b)"));

/// The days of a text, and where they stand.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, DateParts)> {
    let named = &across().claims;
    let readings: [(&Regex, [usize; 3]); 5] = [
        (&*ISO_DAY, [1, 2, 3]),
        (&*DAY_FIRST, [3, 2, 1]),
        (&named.day_month, [3, 2, 1]),
        (&named.month_day, [3, 1, 2]),
        (&named.month_year, [2, 1, 0]),
    ];
    let mut days: Vec<(Range<usize>, DateParts)> = Vec::new();
    // What one reading has taken is blanked for the next.
    let mut rest = text.to_owned();
    for (pattern, [year, month, day]) in readings {
        let known = days.len();
        for found in pattern.captures_iter(&rest) {
            let part =
                |group: usize| if group == 0 { None } else { found.get(group).map(|part| part.as_str()) };
            let (Some(year), Some(month)) =
                (part(year).and_then(|y| y.parse().ok()), part(month).and_then(month_number))
            else {
                continue;
            };
            let day = part(day).and_then(|d| d.parse::<i8>().ok());
            if !(1..=12).contains(&month) || day.is_some_and(|day| !(1..=31).contains(&day)) {
                continue;
            }
            days.extend(found.get(0).map(|whole| (whole.range(), DateParts { year, month, day })));
        }
        for (range, _) in &days[known..] {
            rest.replace_range(range.clone(), &" ".repeat(range.len()));
        }
    }
    days
}

fn month_number(written: &str) -> Option<i8> {
    if let Ok(number) = written.parse() {
        return Some(number);
    }
    let lower = written.to_lowercase();
    Pack::all().find_map(|pack| pack.words.months.get(&lower).copied())
}
