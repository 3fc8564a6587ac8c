use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Collection, DocumentId, Kind, Standing};
use crate::language::{Language, Pack, StatusWords, across};

impl Standing {
    /// Reads a status as people write it. What ended a record outranks what began it: "accepted, superseded by ADR.7".
    pub fn from_status(status: &str) -> Self {
        let words = words_of(status);
        let says = |signs: &[Vec<String>]| signs.iter().any(|sign| says(&words, sign));
        let signs = &across().statuses;
        signs.iter().find(|(_, signs)| says(signs)).map_or(Self::Unknown, |(standing, _)| *standing)
    }
}

/// Whether these words stand in a status, and are not taken back there.
fn says(status: &[String], sign: &[String]) -> bool {
    status.windows(sign.len().max(1)).enumerate().any(|(at, window)| {
        !denied(&status[..at]) && window.iter().zip(sign).all(|(word, sign)| matches(word, sign))
    })
}

/// Whether what stands before a word takes it back: "not accepted", "not yet approved", "nog niet goedgekeurd".
fn denied(before: &[String]) -> bool {
    let any = |holds: &dyn Fn(&StatusWords) -> bool| Pack::all().any(|pack| holds(&pack.documents.status));
    let mut before = before.iter().rev().skip_while(|word| any(&|status| status.between.contains(word)));
    before.next().is_some_and(|word| any(&|status| status.denials.contains(word)))
}

fn words_of(status: &str) -> Vec<String> {
    let status = status.to_lowercase();
    status.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn matches(word: &str, sign: &str) -> bool {
    sign.strip_suffix('*').map_or(word == sign, |stem| word.starts_with(stem))
}

/// A document of the library, as far as an answer needs to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Stable id.
    pub id: DocumentId,
    /// What it is.
    pub kind: Kind,
    /// The collection it is searched in.
    pub collection: Collection,
    /// Its number among its kind, where it has one.
    pub number: Option<u32>,
    /// What the library calls it, as written: `POL-03`, `PRI.17`.
    #[serde(default)]
    pub codes: Vec<String>,
    /// Its title, without the number.
    pub title: String,
    /// Its status, as written.
    pub status: Option<String>,
    /// What the approval record says of the status, where it says otherwise.
    pub approval_status: Option<String>,
    /// Its version, as written.
    pub version: Option<String>,
    /// The day of its last update by its own account.
    pub date: Option<Date>,
    /// Its owner.
    pub owner: Option<String>,
    /// Who decided it, by its own account.
    #[serde(default)]
    pub deciders: Vec<String>,
    /// Who approved it.
    pub approvers: Vec<String>,
    /// Topic tags.
    pub tags: Vec<String>,
    /// The records that it replaces.
    pub supersedes: Vec<DocumentId>,
    /// The records that replace it.
    pub superseded_by: Vec<DocumentId>,
    /// Its language.
    pub language: Language,
    /// The name of the folder that was added, with the folder around it.
    #[serde(default)]
    pub source: String,
    /// Where it lies, relative to its source.
    pub path: String,
}

impl Document {
    /// The document's standing, from its own status.
    pub fn standing(&self) -> Standing {
        self.status.as_deref().map_or(Standing::Unknown, Standing::from_status)
    }

    /// Whether its status holds these words, and does not deny them.
    pub(crate) fn says_in_status(&self, said: &str) -> bool {
        self.status.as_deref().is_some_and(|status| says(&words_of(status), &words_of(said)))
    }

    /// The id as people write it: `ADR-0012`, `ADR-0012D`, `PCP-0039`; other kinds go by their title.
    pub fn reference(&self) -> String {
        match (self.kind, self.number) {
            (Kind::Adr, Some(number)) => format!("ADR-{number:04}"),
            (Kind::Dar, Some(number)) => format!("ADR-{number:04}D"),
            (Kind::Principle, Some(number)) => format!("PCP-{number:04}"),
            _ => self.title.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_a_record_outranks_what_began_it() {
        for (status, standing) in [
            ("accepted", Standing::InForce),
            ("✅ Accepted", Standing::InForce),
            ("Accepted, superseded by ADR.21", Standing::Superseded),
            ("superceded", Standing::Superseded),
            ("Proposed", Standing::Proposed),
            ("Deprecated since 2024", Standing::Deprecated),
            ("rejected", Standing::Rejected),
            ("voorgesteld", Standing::Proposed),
            ("Deprecated (no superseding ADR)", Standing::Deprecated),
            ("Accepted, supersedes ADR.3", Standing::InForce),
            ("Adopted (lazy consensus) & implemented", Standing::InForce),
            ("Proposed, not implemented yet.", Standing::Proposed),
            ("Awaiting approval", Standing::Proposed),
            ("Adoption needs tests", Standing::Unknown),
            ("on hold", Standing::Proposed),
            ("⌛️ Superseded 0019", Standing::Superseded),
            ("nog niet goedgekeurd", Standing::Unknown),
            ("Not yet approved", Standing::Unknown),
            ("inactive", Standing::Deprecated),
            ("In force", Standing::InForce),
            ("Not-Implemented", Standing::Unknown),
            ("", Standing::Unknown),
        ] {
            assert_eq!(Standing::from_status(status), standing, "status `{status}`");
        }
    }
}
