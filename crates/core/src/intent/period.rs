//! The years or months that a list is narrowed to.

use crate::domain::{Month, Months, Years};
use crate::language::Pack;

/// From when to when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Years(Years),
    Months(Months),
}

/// The period that a text begins with, and where it ends.
pub(super) fn period_at(text: &str, pack: &Pack) -> Option<(Period, usize)> {
    let found = pack.intent.list.periods.captures(text)?;
    let year = |name: &str| found.name(name).and_then(|year| year.as_str().parse::<i16>().ok());
    let month = |name: &str| {
        let written = found.name(&format!("{name}_month"))?;
        pack.words.months.get(written.as_str().trim_end_matches('.')).copied()
    };
    let end = found.get(0)?.end();
    let named = ["in", "from", "to", "since", "after", "until", "before"];
    if named.iter().all(|name| month(name).is_none()) {
        let bound = |names: [&str; 2], beside: (&str, i16)| {
            names.into_iter().find_map(year).or_else(|| year(beside.0).map(|year| year + beside.1))
        };
        let years = match year("in") {
            Some(year) => Years::only(year),
            None => Years {
                from: bound(["from", "since"], ("after", 1)),
                to: bound(["to", "until"], ("before", -1)),
            },
        };
        return Some((Period::Years(years), end));
    }
    // Of two months of one year the first is often named without it: "between March and August 2022".
    let bound = |name: &str, or: i8| {
        let year = year(name).or_else(|| year("to").filter(|_| name == "from"))?;
        Some(Month { year, month: month(name).unwrap_or(or) })
    };
    let months = match bound("in", 1) {
        Some(month) => Months { from: Some(month), to: Some(month) },
        None => Months {
            from: bound("from", 1).or_else(|| bound("since", 1)).or_else(|| Some(bound("after", 12)?.next())),
            to: bound("to", 12)
                .or_else(|| bound("until", 12))
                .or_else(|| Some(bound("before", 1)?.previous())),
        },
    };
    Some((Period::Months(months), end))
}
