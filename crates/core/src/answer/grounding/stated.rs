//! What a sentence states in figures, days and names, for those who compare sentences.

use jiff::civil::Date;

use super::claims::Claims;
use crate::domain::Language;
use crate::text::words;

/// What a sentence states in figures, days and names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stated {
    /// Its numbers, but for those in days and codes.
    pub quantities: Vec<Quantity>,
    /// Its days, and where they stand; the last of a month where only that is given.
    pub days: Vec<(Date, usize)>,
    /// Names of people, products and the like, and codes, as written, and where they stand.
    pub names: Vec<(String, usize)>,
}

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    /// As written.
    pub written: String,
    /// Its value.
    pub value: f64,
    /// The unit of measure, by its name over languages.
    pub unit: Option<String>,
    /// Where it stands.
    pub at: usize,
}

impl Stated {
    /// Reads a sentence.
    pub fn of(text: &str, language: Language) -> Self {
        let claims = Claims::of(text, &words(text), language);
        let quantities = claims.numbers.iter().filter_map(|number| {
            Some(Quantity {
                written: number.written.clone(),
                value: *number.values.first()?,
                unit: number.unit.clone(),
                at: number.at,
            })
        });
        let days = claims.dates.iter().filter_map(|day| {
            let first = Date::new(day.parts.year, day.parts.month, day.parts.day.unwrap_or(1)).ok()?;
            Some((if day.parts.day.is_some() { first } else { first.last_of_month() }, day.at))
        });
        let names = claims.names.iter().chain(&claims.codes);
        Self {
            quantities: quantities.collect(),
            days: days.collect(),
            names: names.map(|name| (name.written.clone(), name.at)).collect(),
        }
    }
}
