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
    /// Of this year, by the document's own date.
    pub year: Option<i16>,
}
