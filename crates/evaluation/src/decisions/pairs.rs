//! Small records of our own: two that oppose each other, two that do not, and one that says something of another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_core::decisions::{ContradictionKind, RelationKind};
use serde::Deserialize;

use super::{Found, Share, TypeScore, is_unseen};
use crate::lines::{SetError, values};

/// A few records that are read together.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    /// Its name in the set.
    pub id: String,
    /// In what way the first two oppose each other; absent where they do not.
    #[serde(default)]
    pub kind: Option<ContradictionKind>,
    /// What the first says of the second.
    #[serde(default, rename = "type")]
    pub relation: Option<RelationKind>,
    /// In which direction that holds.
    #[serde(default)]
    pub direction: Option<Direction>,
    /// The records.
    pub documents: Vec<PairDocument>,
}

/// Which of two records a relation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From the first to the second.
    ToSecond,
    /// From the second to the first.
    ToFirst,
}

/// A record of a pair.
#[derive(Debug, Clone, Deserialize)]
pub struct PairDocument {
    /// Its file.
    pub path: String,
    /// What it says.
    pub text: String,
}

impl Pair {
    /// Reads a file of them.
    pub fn read(path: &Path) -> Result<Vec<Self>, SetError> {
        values(path)
    }

    /// Whether nothing may be fitted to what it says.
    pub fn is_unseen(&self) -> bool {
        is_unseen(&self.id)
    }

    /// Whether two files are the ones it is about, whichever comes first.
    pub fn is_of(&self, files: (&str, &str)) -> bool {
        let own: Vec<String> = self.documents.iter().map(|one| format!("{}/{}", self.id, one.path)).collect();
        own.iter().any(|path| path == files.0) && own.iter().any(|path| path == files.1)
    }

    fn is_met_by(&self, found: &Found) -> bool {
        let leads_on = found.from.ends_with(&self.documents[0].path);
        let fits = match self.direction {
            Some(Direction::ToFirst) => !leads_on,
            _ => leads_on,
        };
        self.relation == Some(found.kind) && (fits || found.kind == RelationKind::ConflictsWith)
    }
}

/// How many of these pairs were told to oppose each other, by half and kind.
pub fn told<'p>(
    pairs: &'p [Pair],
    opposing: &BTreeSet<&'p str>,
) -> BTreeMap<(bool, Option<ContradictionKind>), Share> {
    let mut told: BTreeMap<(bool, Option<ContradictionKind>), Share> = BTreeMap::new();
    for one in pairs {
        let share = told.entry((one.is_unseen(), one.kind)).or_default();
        share.all += 1;
        share.good += usize::from(opposing.contains(one.id.as_str()));
    }
    told
}

/// How well each type of relation was read, by half: each pair has one.
pub fn read_of_pairs(read: &[(&Pair, Vec<Found>)]) -> BTreeMap<(bool, RelationKind), TypeScore> {
    let mut scores: BTreeMap<(bool, RelationKind), TypeScore> = BTreeMap::new();
    for (pair, found) in read {
        for one in found {
            let share = &mut scores.entry((pair.is_unseen(), one.kind)).or_default().precision;
            share.all += 1;
            share.good += usize::from(pair.is_met_by(one));
        }
        let Some(kind) = pair.relation else { continue };
        let share = &mut scores.entry((pair.is_unseen(), kind)).or_default().recall;
        share.all += 1;
        share.good += usize::from(found.iter().any(|one| pair.is_met_by(one)));
    }
    scores
}
