//! Days in the spelling of a statement: a reader takes "31 December 2027" and "2027-12-31" for two days, and whether they are one is
//! known here.

use super::claims::{Claims, Day};
use crate::domain::Language;
use crate::text::words;

/// The days that a statement gives.
pub(crate) struct StatedDays(Vec<Day>);

impl StatedDays {
    pub fn of(statement: &str, language: Language) -> Self {
        Self(Claims::of(statement, &words(statement), language).dates)
    }

    /// A text with these days written as the statement writes them; all else stays.
    pub fn spelled_in(&self, text: &str, language: Language) -> String {
        let mut spelled = text.to_owned();
        if self.0.is_empty() {
            return spelled;
        }
        let mut changed_from = text.len();
        let mut held = Claims::of(text, &words(text), language).dates;
        held.sort_by_key(|day| std::cmp::Reverse(day.at));
        for day in held {
            let range = day.at..day.at + day.written.len();
            let stated = self.0.iter().find(|stated| stated.parts == day.parts);
            if let Some(stated) = stated.filter(|_| range.end <= changed_from) {
                changed_from = range.start;
                spelled.replace_range(range, &stated.written);
            }
        }
        spelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_a_statement_are_spelled_its_way_and_nothing_else_changes() {
        let passage = "Allowed from 2024-03-01 until 2027-12-31 at the latest.";
        for (statement, language, spelled) in [
            (
                "It ends on December 31, 2027.",
                Language::EN,
                "Allowed from 2024-03-01 until December 31, 2027 at the latest.",
            ),
            (
                "Het eindigt op 31 december 2027.",
                Language::NL,
                "Allowed from 2024-03-01 until 31 december 2027 at the latest.",
            ),
            ("It ends on 30 December 2027.", Language::EN, passage),
            ("It ends in December 2027.", Language::EN, passage),
            ("It ends.", Language::EN, passage),
        ] {
            let days = StatedDays::of(statement, language);
            assert_eq!(days.spelled_in(passage, Language::EN), spelled, "{statement}");
        }
    }
}
