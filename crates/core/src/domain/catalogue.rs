//! What can be asked of the catalogue: lists by filter, and fields of one record.

use super::{Kind, Standing};

/// Which documents a list is of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilter {
    /// Of these kinds; all listable ones where empty.
    pub kinds: Vec<Kind>,
    /// Out of this source.
    pub source: Option<String>,
    /// In a folder that goes by this noun: "standards", "patterns".
    pub folder: Option<String>,
    /// With one of these standings, or with the words of [`Self::statuses`].
    pub standings: Vec<Standing>,
    /// With none of these standings.
    pub excluded: Vec<Standing>,
    /// About this topic, as the user worded it.
    pub about: Option<String>,
    /// Owned by this person or team.
    pub owner: Option<String>,
    /// With this person or team among those who decided, approved or own it.
    pub person: Option<String>,
    /// With any of these words in the status, as the library writes it.
    pub statuses: Vec<String>,
    /// Of these years, by the document's own date.
    pub years: Option<Years>,
    /// Of these months, by the document's own date.
    pub months: Option<Months>,
    /// With these numbers.
    pub numbers: Option<NumberRange>,
}

/// Numbers of records from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRange {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
}

impl NumberRange {
    /// From one number to a higher one.
    pub fn new(from: u32, to: u32) -> Option<Self> {
        (from < to).then_some(Self { from, to })
    }

    /// From one number on.
    pub fn onwards(from: u32) -> Self {
        Self { from, to: u32::MAX }
    }

    /// The last number, where there is one.
    pub fn last(self) -> Option<u32> {
        (self.to != u32::MAX).then_some(self.to)
    }

    /// Whether a number is one of them.
    pub fn contains(self, number: u32) -> bool {
        (self.from..=self.to).contains(&number)
    }
}

impl DocumentFilter {
    /// Whether a status is asked for in any way.
    pub fn is_by_status(&self) -> bool {
        !self.standings.is_empty() || !self.excluded.is_empty() || !self.statuses.is_empty()
    }
}

/// Years from one to another, both included; open where there is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Years {
    /// The first.
    pub from: Option<i16>,
    /// The last.
    pub to: Option<i16>,
}

impl Years {
    /// One year.
    pub const fn only(year: i16) -> Self {
        Self { from: Some(year), to: Some(year) }
    }

    /// Whether a year is one of them.
    pub fn contains(self, year: i16) -> bool {
        self.from.is_none_or(|from| from <= year) && self.to.is_none_or(|to| year <= to)
    }
}

/// A month of a year, in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    /// The year.
    pub year: i16,
    /// The month, from 1 to 12.
    pub month: i8,
}

impl Month {
    /// The one after it.
    pub const fn next(self) -> Self {
        if self.month == 12 {
            Self { year: self.year + 1, month: 1 }
        } else {
            Self { month: self.month + 1, ..self }
        }
    }

    /// The one before it.
    pub const fn previous(self) -> Self {
        if self.month == 1 {
            Self { year: self.year - 1, month: 12 }
        } else {
            Self { month: self.month - 1, ..self }
        }
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{:02}", self.year, self.month)
    }
}

/// Months from one to another, both included; open where there is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Months {
    /// The first.
    pub from: Option<Month>,
    /// The last.
    pub to: Option<Month>,
}

impl Months {
    /// Whether a month is one of them.
    pub fn contains(self, month: Month) -> bool {
        self.from.is_none_or(|from| from <= month) && self.to.is_none_or(|to| month <= to)
    }
}
