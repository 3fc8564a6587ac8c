use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{QualityReport, Score};

/// A drop, or a rise of refusals, that is larger fails.
const TOLERANCE: f64 = 0.05;

/// One figure before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What it is: `precision`, `recall` or `abstention`, and of what.
    pub what: String,
    /// In the baseline; absent where it was not measured.
    pub before: Option<f64>,
    /// Now; absent where it is not measured any more.
    pub after: Option<f64>,
    /// Whether it is worse by more than is tolerated.
    pub fails: bool,
}

/// A report held against an earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// Every figure that was compared.
    pub changes: Vec<Change>,
    /// Questions that were answered as expected before and are not now.
    pub newly_failing: Vec<String>,
    /// The other way round.
    pub newly_passing: Vec<String>,
    /// Why the two cannot be compared question by question, where they cannot.
    pub remark: Option<String>,
}

impl Regression {
    /// Whether nothing got worse by more than is tolerated.
    pub fn holds(&self) -> bool {
        self.changes.iter().all(|change| !change.fails)
    }
}

/// Compares a report with its baseline.
pub fn compare(baseline: &QualityReport, current: &QualityReport) -> Regression {
    let mut changes = Vec::new();
    let mut add = |of: &str, before: Option<&Score>, after: Option<&Score>| {
        let precision = |score: &Score| score.precision;
        let recall = |score: &Score| score.recall;
        changes.push(change(format!("precision, {of}"), before.map(precision), after.map(precision), -1.0));
        changes.push(change(format!("recall, {of}"), before.map(recall), after.map(recall), -1.0));
    };
    let (before, after) = (&baseline.metrics, &current.metrics);
    add("overall", Some(&before.overall), Some(&after.overall));
    let collections: BTreeSet<&String> =
        before.by_collection.keys().chain(after.by_collection.keys()).collect();
    for name in collections {
        add(name, before.by_collection.get(name), after.by_collection.get(name));
    }
    let rates = (before.abstention.total_rate, after.abstention.total_rate);
    changes.push(change("abstention, overall".to_owned(), Some(rates.0), Some(rates.1), 1.0));
    let failing = |report: &QualityReport| -> BTreeSet<String> {
        report.failures.iter().map(|failure| failure.id.clone()).collect()
    };
    let (old, new) = (failing(baseline), failing(current));
    let same_set = baseline.meta.golden_set_hash == current.meta.golden_set_hash;
    Regression {
        changes,
        newly_failing: new.difference(&old).cloned().collect(),
        newly_passing: old.difference(&new).cloned().collect(),
        remark: (!same_set).then(|| {
            format!(
                "the golden set has changed since the baseline ({} then, {} now)",
                baseline.meta.golden_set_version, current.meta.golden_set_version
            )
        }),
    }
}

/// `worse` is the sign of a change for the worse.
fn change(what: String, before: Option<f64>, after: Option<f64>, worse: f64) -> Change {
    let fails = match (before, after) {
        (Some(before), Some(after)) => (after - before) * worse > TOLERANCE,
        // A figure that is not measured any more may hide anything.
        (Some(_), None) => true,
        (None, _) => false,
    };
    Change { what, before, after, fails }
}
