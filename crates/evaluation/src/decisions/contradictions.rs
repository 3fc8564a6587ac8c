//! Contradictions that were planted, pairs of statements that are compatible, and what was found of either.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_core::decisions::ContradictionKind;
use serde::{Deserialize, Serialize};

use super::{Share, is_unseen};
use crate::lines::{SetError, values};

/// A sentence that opposes a statement of a real document.
#[derive(Debug, Clone, Deserialize)]
pub struct Planted {
    /// Its name in the set.
    pub id: String,
    /// In what way it opposes the other.
    pub kind: ContradictionKind,
    /// The file that it is added to.
    pub file: String,
    /// The heading below which it is added.
    #[serde(default)]
    pub heading: Option<String>,
    /// The sentence.
    pub text: String,
    /// The file that it opposes.
    pub against: String,
}

/// A sentence that is compatible with a statement of a real document.
#[derive(Debug, Clone, Deserialize)]
pub struct Compatible {
    /// Its name in the set.
    pub id: String,
    /// The other statement's file.
    pub file: String,
    /// The sentence.
    pub statement: String,
    /// Why it is compatible.
    pub why_compatible: String,
}

/// Two statements that were told to oppose each other.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// In what way.
    pub kind: ContradictionKind,
    /// The files.
    pub files: (String, String),
    /// The lines, from 1.
    pub lines: (u32, u32),
    /// The sentences.
    pub sentences: (String, String),
    /// The words of each that oppose the other's.
    pub opposes: (String, String),
}

impl Finding {
    /// The other file, where one of the two is this sentence. Of a text of several sentences any one counts.
    pub fn opposing(&self, text: &str) -> Option<&str> {
        let bare = |text: &str| text.replace(['`', '*'], "");
        let text = bare(text);
        let holds = |sentence: &str| sentence.len() > 12 && text.contains(bare(sentence).as_str());
        match (holds(&self.sentences.0), holds(&self.sentences.1)) {
            (true, _) => Some(&self.files.1),
            (_, true) => Some(&self.files.0),
            _ => None,
        }
    }
}

impl Planted {
    /// Reads a file of them.
    pub fn read(path: &Path) -> Result<Vec<Self>, SetError> {
        values(path)
    }
}

impl Compatible {
    /// Reads a file of them.
    pub fn read(path: &Path) -> Result<Vec<Self>, SetError> {
        values(path)
    }
}

/// What was found of the planted ones, by half and kind: as one of the two sides of a finding of any kind, and opposed to the file that
/// it was written against.
pub fn found(
    planted: &[Planted],
    findings: &[Finding],
) -> BTreeMap<(bool, ContradictionKind), (Share, Share)> {
    let mut found: BTreeMap<(bool, ContradictionKind), (Share, Share)> = BTreeMap::new();
    for one in planted {
        let opposing: Vec<&str> = findings.iter().filter_map(|finding| finding.opposing(&one.text)).collect();
        let (any, against) = found.entry((is_unseen(&one.file), one.kind)).or_default();
        any.all += 1;
        against.all += 1;
        any.good += usize::from(!opposing.is_empty());
        against.good += usize::from(opposing.contains(&one.against.as_str()));
    }
    found
}

/// How many compatible statements were told to oppose anything, by half.
pub fn alarms(compatible: &[Compatible], findings: &[Finding]) -> BTreeMap<bool, Share> {
    let mut alarms: BTreeMap<bool, Share> = BTreeMap::new();
    for one in compatible {
        let share = alarms.entry(is_unseen(&one.file)).or_default();
        share.all += 1;
        share.good += usize::from(findings.iter().any(|finding| finding.opposing(&one.statement).is_some()));
    }
    alarms
}
