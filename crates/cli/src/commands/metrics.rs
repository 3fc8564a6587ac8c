use plumbline_workspace::kept_counters;

use crate::arguments::{Global, MetricsFormat};
use crate::{Outcome, wiring};

/// Prints what the workspace has counted since it began.
pub fn run(global: &Global, format: MetricsFormat) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let counted = kept_counters(workspace.folder())?;
    match format {
        MetricsFormat::Json => println!("{}", counted.to_json()?),
        MetricsFormat::Prometheus => print!("{}", counted.to_prometheus_text()),
    }
    Ok(Outcome::Done)
}
