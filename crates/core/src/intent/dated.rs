//! Records that a text names by the day on which they were made: "the decision of 10 October 2024", "besluit 20241010".

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use crate::domain::{Kind, Reference};
use crate::language::{across, fixed};
use crate::text::DateParts;

/// A day without anything between its parts.
static COMPACT: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"\b(?P<year>(?:19|20)[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})\b"));

/// The records that a text names by their day. A day by itself names none: it may be a deadline, or the end of something.
pub(super) fn dated(text: &str) -> Vec<(Range<usize>, Reference)> {
    let days = days(text).into_iter();
    let named = days.filter_map(|(range, day)| {
        let before = across().references.dated.find(&text[..range.start])?;
        let reference =
            Reference { kind: Kind::Adr, number: None, name: Some(day.to_string()), written: String::new() };
        Some((before.start()..range.end, reference))
    });
    named.collect()
}

fn days(text: &str) -> Vec<(Range<usize>, Date)> {
    let compact = COMPACT.captures_iter(text).filter_map(|captures| {
        let part = |name: &str| captures.name(name).map(|part| part.as_str());
        let day =
            Date::new(part("year")?.parse().ok()?, part("month")?.parse().ok()?, part("day")?.parse().ok()?);
        Some((captures.get(0)?.range(), day.ok()?))
    });
    let whole = |(range, parts): (Range<usize>, DateParts)| {
        Some((range, Date::new(parts.year, parts.month, parts.day?).ok()?))
    };
    compact.chain(crate::text::days(text).into_iter().filter_map(whole)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(String, String)> {
        let text = text.to_lowercase();
        let found = dated(&text).into_iter();
        found.map(|(range, record)| (text[range].to_owned(), record.name.unwrap_or_default())).collect()
    }

    #[test]
    fn a_record_is_named_by_its_day() {
        for (text, written, day) in [
            ("What is the decision of 10 October 2024 about?", "decision of 10 october 2024", "2024-10-10"),
            ("besluit 20241010, waar ging dat over?", "besluit 20241010", "2024-10-10"),
            ("het besluit van 3 mei 2023", "besluit van 3 mei 2023", "2023-05-03"),
            ("ADR 2022-02-07", "adr 2022-02-07", "2022-02-07"),
            ("What did we decide on October 10, 2024?", "decide on october 10, 2024", "2024-10-10"),
        ] {
            assert_eq!(named(text), [(written.to_owned(), day.to_owned())], "of `{text}`");
        }
    }

    #[test]
    fn other_days_name_no_record() {
        for text in [
            "Which decisions were made since 10 October 2024?",
            "What changes on 1 January 2025?",
            "Is ADR-12 still in force on 2025-01-01?",
            "decision 12345678",
        ] {
            assert_eq!(named(text), [], "of `{text}`");
        }
    }
}
