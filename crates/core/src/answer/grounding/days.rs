//! Days in one spelling: a reader takes "31 December 2027" and "2027-12-31" for two days, and whether they are one is known here.

use super::claims::Claims;
use crate::domain::Language;
use crate::text::words;

/// A text with every whole day written as `2027-12-31`.
pub(crate) fn with_plain_days(text: &str, language: Language) -> String {
    let mut plain = text.to_owned();
    let mut changed_from = text.len();
    let mut days = Claims::of(text, &words(text), language).dates;
    days.sort_by_key(|day| std::cmp::Reverse(day.at));
    for found in days {
        let (year, month) = (found.parts.year, found.parts.month);
        let range = found.at..found.at + found.written.len();
        if let Some(day) = found.parts.day.filter(|_| range.end <= changed_from) {
            changed_from = range.start;
            plain.replace_range(range, &format!("{year:04}-{month:02}-{day:02}"));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_in_one_way_and_nothing_else_changes() {
        for (text, language, plain) in [
            (
                "Allowed until December 31, 2027 at the latest.",
                Language::EN,
                "Allowed until 2027-12-31 at the latest.",
            ),
            ("From 1 March 2024 to 2024-06-30.", Language::EN, "From 2024-03-01 to 2024-06-30."),
            ("Geldig tot 31 december 2027.", Language::NL, "Geldig tot 2027-12-31."),
            (
                "Decided in January 2024, with 31 others.",
                Language::EN,
                "Decided in January 2024, with 31 others.",
            ),
        ] {
            assert_eq!(with_plain_days(text, language), plain);
        }
    }
}
