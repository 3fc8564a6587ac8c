//! What can be asked of the catalogue: lists by filter, and fields of one record.

use super::{Kind, Standing};

/// Which documents a list is of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilter {
    /// Of these kinds; all listable ones where empty.
    pub kinds: Vec<Kind>,
    /// With this standing.
    pub standing: Option<Standing>,
    /// About this topic, as the user worded it.
    pub about: Option<String>,
    /// Owned by this person or team.
    pub owner: Option<String>,
    /// With this person or team among those who decided, approved or own it.
    pub person: Option<String>,
    /// With these words in the status, as the library writes it.
    pub status: Option<String>,
    /// Of these years, by the document's own date.
    pub years: Option<Years>,
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
