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

/// A field of a record that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactField {
    /// Its status.
    Status,
    /// When it was decided or last updated.
    Date,
    /// Who owns it.
    Owner,
    /// Who approved it.
    Approvers,
    /// What it replaces.
    Supersedes,
    /// What replaces it.
    SupersededBy,
    /// Its version.
    Version,
    /// Its title.
    Title,
}

impl FactField {
    /// The name in responses, packs and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Date => "date",
            Self::Owner => "owner",
            Self::Approvers => "approvers",
            Self::Supersedes => "supersedes",
            Self::SupersededBy => "superseded_by",
            Self::Version => "version",
            Self::Title => "title",
        }
    }
}
