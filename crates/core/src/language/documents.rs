//! How documents say what they are: `documents.toml`.

use serde::Deserialize;

use crate::kinds::Standing;

/// The words by which documents of a language say what they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentWords {
    /// The words of a status.
    pub status: StatusWords,
}

/// The words of a status for each standing; a star at the end stands for any ending.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusWords {
    /// Words that take back the word behind them.
    pub denials: Vec<String>,
    /// Words that may stand between the two.
    pub between: Vec<String>,
    in_force: Vec<String>,
    proposed: Vec<String>,
    superseded: Vec<String>,
    deprecated: Vec<String>,
    rejected: Vec<String>,
}

impl StatusWords {
    /// The words for a standing.
    pub fn of(&self, standing: Standing) -> &[String] {
        match standing {
            Standing::InForce => &self.in_force,
            Standing::Proposed => &self.proposed,
            Standing::Superseded => &self.superseded,
            Standing::Deprecated => &self.deprecated,
            Standing::Rejected => &self.rejected,
            Standing::Unknown => &[],
        }
    }
}
