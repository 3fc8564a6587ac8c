use anyhow::Context;
use plumbline_evaluation::calibration::{Calibration, calibrate, gauge};

use crate::arguments::{CalibrateArguments, Global};
use crate::commands::eval_golden;
use crate::{Outcome, wiring};

/// Finds the thresholds that suit a library from its golden set, and writes what is worth changing.
pub fn run(global: &Global, arguments: &CalibrateArguments) -> anyhow::Result<Outcome> {
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let set = eval_golden::golden_file(arguments.set.questions.as_deref())?.set;
    let (workspace, _kept) = eval_golden::opened(global, &arguments.set, &runtime, &stop)?;
    let opened = runtime.block_on(workspace.engine())?;
    let engine = &opened.engine;
    let asked = eval_golden::ask(global, None, &runtime, engine, &set, &stop)?;
    let gauged = runtime.block_on(gauge(engine, &asked, |done| {
        wiring::remark(global, &format!("measured {done}"));
    }))?;
    wiring::remark(global, "");
    let calibration = calibrate(&gauged, &workspace.thresholds(opened.embedder.as_ref())?);
    if let Some(output) = &arguments.output {
        std::fs::write(output, serde_json::to_string_pretty(&calibration)?)
            .with_context(|| format!("cannot write {}", output.display()))?;
    }
    if global.json {
        println!("{}", serde_json::to_string_pretty(&calibration)?);
    } else {
        print(&calibration);
    }
    if arguments.write && !calibration.proposals.is_empty() {
        let changes: Vec<(String, String, Option<f64>)> = calibration
            .proposals
            .iter()
            .map(|proposal| (proposal.section.clone(), proposal.field.clone(), Some(proposal.after)))
            .collect();
        let options = wiring::options(global, global.workspace.clone(), &[]);
        plumbline_workspace::change_thresholds(&options, opened.meant_for(), &changes)?;
        if !global.json {
            println!("\nwritten to {}", options.folder()?.join("thresholds.yaml").display());
        }
    }
    Ok(Outcome::Done)
}

fn print(calibration: &Calibration) {
    println!("{} questions come to the gates\n", calibration.questions);
    println!(
        "{:<20} {:>10} {:>12} {:>14} {:>13}  rule",
        "", "answerable", "unanswerable", "false refusals", "false answers"
    );
    for settled in &calibration.settled {
        println!(
            "{:<20} {:>10} {:>12} {:>12.1} % {:>11.1} %  {}",
            settled.section,
            settled.answerable,
            settled.unanswerable,
            100.0 * settled.now.false_refusals,
            100.0 * settled.now.false_answers,
            settled.rule
        );
    }
    if calibration.proposals.is_empty() {
        println!("\nNo change is worth it: none lowers the error on questions that it was not chosen by.");
        return;
    }
    println!("\nWorth changing (mean of both errors, on questions that the value was not chosen by):");
    for proposal in &calibration.proposals {
        println!(
            "  {}.{}: {} -> {} (error {:.1} % -> {:.1} %)",
            proposal.section,
            proposal.field,
            proposal.before,
            proposal.after,
            100.0 * proposal.error_before,
            100.0 * proposal.error_after
        );
    }
    println!("\nAs a diff to thresholds.yaml:");
    for proposal in &calibration.proposals {
        println!("  collections.{}:", proposal.section);
        println!("-   {}: {}\n+   {}: {}", proposal.field, proposal.before, proposal.field, proposal.after);
    }
}
