use std::path::Path;

use anyhow::{Context, bail};
use plumbline_evaluation::quality::{QualityReport, Regression, compare};

use crate::Outcome;
use crate::arguments::Global;

/// Compares two reports; fails where the current one is worse by more than is tolerated.
pub fn run(global: &Global, current: &Path, baseline: &Path) -> anyhow::Result<Outcome> {
    let compared = compare(&read(baseline)?, &read(current)?);
    if global.json {
        println!("{}", serde_json::to_string_pretty(&compared)?);
    } else {
        print(&compared);
    }
    if !compared.holds() {
        bail!("worse than the baseline by more than is tolerated");
    }
    Ok(Outcome::Done)
}

pub fn read(file: &Path) -> anyhow::Result<QualityReport> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no report of `eval golden`", file.display()))
}

pub fn print(compared: &Regression) {
    if let Some(remark) = &compared.remark {
        println!("\n{remark}");
    }
    println!("\n{:<32} {:>8} {:>8} {:>8}", "", "before", "after", "change");
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
    for change in &compared.changes {
        let difference = match (change.before, change.after) {
            (Some(before), Some(after)) => format!("{:+.3}", after - before),
            _ => "-".to_owned(),
        };
        let mark = if change.fails { " ✗" } else { "" };
        println!(
            "{:<32} {:>8} {:>8} {difference:>8}{mark}",
            change.what,
            shown(change.before),
            shown(change.after)
        );
    }
    for (what, ids) in [("fail now", &compared.newly_failing), ("pass now", &compared.newly_passing)] {
        if !ids.is_empty() {
            println!("{what}: {}", ids.join(", "));
        }
    }
}
