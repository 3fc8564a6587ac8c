//! Precision and recall of relations by type, against relations that were read out of documents one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_core::decisions::RelationKind;
use serde::{Deserialize, Serialize};

use super::is_unseen;
use crate::lines::{SetError, values};

/// A line of the truth table.
#[derive(Debug, Clone, Deserialize)]
pub struct RelationTruth {
    /// The first record's file.
    from: Option<String>,
    /// The second record's file; absent where it is not in the corpora.
    #[serde(default)]
    to: Option<String>,
    /// What is said; absent where a file relates to nothing.
    #[serde(default, rename = "type")]
    kind: Option<RelationKind>,
    /// What a careful reader could say instead.
    #[serde(default)]
    or: Vec<RelationKind>,
    /// Another target that would do.
    #[serde(default)]
    or_to: Option<Several>,
    /// Where it is said: `from`, `to`, or a file.
    #[serde(default)]
    said_in: Option<String>,
    /// The line, from 1.
    #[serde(default)]
    pub line: u32,
    /// Whether all that the file says is in the table.
    #[serde(default)]
    complete: bool,
    /// True by its content; the target is not named.
    #[serde(default)]
    implicit: bool,
    /// One record of a file that holds many.
    #[serde(default)]
    from_named: Option<String>,
    #[serde(default)]
    to_named: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Several {
    One(String),
    Many(Vec<String>),
}

/// A relation that was read out of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The first record's file.
    pub from: String,
    /// The second record's file.
    pub to: String,
    /// What is said.
    pub kind: RelationKind,
    /// The file that says so.
    pub said_in: String,
    /// The line, from 1.
    pub line: u32,
    /// The sentence.
    pub sentence: String,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// What is right, or was found.
    pub good: usize,
    /// All.
    pub all: usize,
}

/// How well one type was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TypeScore {
    /// Of what was read, what is right: in files that were read whole, and of pairs that were judged elsewhere.
    pub precision: Share,
    /// Of what the table names, what was read with the right type.
    pub recall: Share,
}

impl RelationTruth {
    /// Reads a truth table.
    pub fn read(path: &Path) -> Result<Vec<Self>, SetError> {
        values(path)
    }

    /// The file that says so.
    pub fn said_in(&self) -> &str {
        let file = match self.said_in.as_deref() {
            None | Some("from") => self.from.as_deref(),
            Some("to") => self.to.as_deref(),
            Some(other) => Some(other),
        };
        file.unwrap_or_default()
    }

    /// Whether it can be read at all: it is said, and both records are files of the corpora.
    fn is_wanted(&self) -> bool {
        let rows = self.from_named.is_some() || self.to_named.is_some();
        self.kind.is_some() && self.from.is_some() && self.to.is_some() && !self.implicit && !rows
    }

    fn accepts(&self, kind: RelationKind) -> bool {
        self.kind == Some(kind) || self.or.contains(&kind)
    }

    fn targets(&self) -> Vec<&str> {
        let more: &[String] = match &self.or_to {
            None => &[],
            Some(Several::One(one)) => std::slice::from_ref(one),
            Some(Several::Many(many)) => many,
        };
        self.to.iter().chain(more).map(String::as_str).collect()
    }

    fn is_of_pair(&self, found: &Found) -> bool {
        let from = self.from.as_deref().unwrap_or_default();
        let fits = |a: &str, b: &str| a == from && self.targets().contains(&b);
        found.said_in == self.said_in() && (fits(&found.from, &found.to) || fits(&found.to, &found.from))
    }

    fn is_met_by(&self, found: &Found) -> bool {
        let from = self.from.as_deref().unwrap_or_default();
        let same_way = found.from == from && self.targets().contains(&found.to.as_str());
        // A mention leads from who mentions, and a conflict leads both ways.
        let either_way = matches!(found.kind, RelationKind::Mentions | RelationKind::ConflictsWith);
        self.accepts(found.kind) && self.is_of_pair(found) && (same_way || either_way)
    }
}

/// What the table names and was not read, with the type that was read instead.
pub fn missed<'t>(
    truth: &'t [RelationTruth],
    found: &'t [Found],
) -> impl Iterator<Item = (&'t RelationTruth, Option<&'t Found>)> {
    let wanted = truth.iter().filter(|one| one.is_wanted());
    let missed = wanted.filter(|one| !found.iter().any(|found| one.is_met_by(found)));
    missed.map(|one| (one, found.iter().find(|found| one.is_of_pair(found))))
}

/// What was read and is wrong, as far as the table can tell.
pub fn wrong<'t>(truth: &'t [RelationTruth], found: &'t [Found]) -> Vec<&'t Found> {
    judged(truth, found).into_iter().filter(|(_, right)| !right).map(|(found, _)| found).collect()
}

fn judged<'t>(truth: &'t [RelationTruth], found: &'t [Found]) -> Vec<(&'t Found, bool)> {
    let whole: BTreeSet<&str> =
        truth.iter().filter(|one| one.complete || one.kind.is_none()).map(RelationTruth::said_in).collect();
    let of = |found: &'t Found| {
        let mut of_pair = truth.iter().filter(|one| one.is_of_pair(found)).peekable();
        let told = of_pair.peek().is_some() || whole.contains(found.said_in.as_str());
        told.then(|| (found, of_pair.any(|one| one.is_met_by(found))))
    };
    found.iter().filter_map(of).collect()
}

/// Precision and recall by half and type.
pub fn score(truth: &[RelationTruth], found: &[Found]) -> BTreeMap<(bool, RelationKind), TypeScore> {
    let mut scores: BTreeMap<(bool, RelationKind), TypeScore> = BTreeMap::new();
    for (found, right) in judged(truth, found) {
        let share = &mut scores.entry((is_unseen(&found.said_in), found.kind)).or_default().precision;
        share.all += 1;
        share.good += usize::from(right);
    }
    for one in truth.iter().filter(|one| one.is_wanted()) {
        let Some(kind) = one.kind else { continue };
        let share = &mut scores.entry((is_unseen(one.said_in()), kind)).or_default().recall;
        share.all += 1;
        share.good += usize::from(found.iter().any(|found| one.is_met_by(found)));
    }
    scores
}
