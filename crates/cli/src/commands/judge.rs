use std::path::Path;

use anyhow::{Context, bail};
use plumbline_evaluation::comparison::{ComparisonReport, compare_answers};

use crate::arguments::{Global, JudgeArguments};
use crate::commands::check_regression;
use crate::{Outcome, wiring};

/// Has a model compare the answers of two reports without knowing whose they are.
pub fn run(global: &Global, arguments: &JudgeArguments) -> anyhow::Result<Outcome> {
    let (first, second) = (report(&arguments.first)?, report(&arguments.second)?);
    let workspace = wiring::workspace(global)?;
    let models = &workspace.settings().models;
    let Some(model) = arguments.model.clone().or_else(|| models.judge.clone()) else {
        bail!("name a model with --model, or set `models.judge`")
    };
    let judge = wiring::judge_model(&workspace, &model)?;
    let runtime = wiring::runtime()?;
    let done = |compared: usize| wiring::remark(global, &format!("compared {compared}"));
    let report = runtime.block_on(compare_answers(&judge, &first, &second, done));
    wiring::remark(global, "");
    let json = serde_json::to_string_pretty(&report)?;
    if let Some(output) = &arguments.output {
        std::fs::write(output, &json).with_context(|| format!("cannot write {}", output.display()))?;
    }
    if report.compared > 0 && report.unreadable == report.compared {
        bail!(
            "no verdict of {} could be read; `plumbline doctor` tells whether it can be reached",
            judge.model
        );
    }
    if global.json {
        println!("{json}");
    } else {
        print(&report);
    }
    Ok(Outcome::Done)
}

fn report(file: &Path) -> anyhow::Result<plumbline_evaluation::quality::QualityReport> {
    let report = check_regression::read(file)?;
    if report.answers.is_empty() {
        bail!("{} holds no answers: write it with `plumbline eval golden --output FILE`", file.display());
    }
    Ok(report)
}

fn print(report: &ComparisonReport) {
    println!(
        "{} answers compared by {}, {} identical, {} verdicts could not be read",
        report.compared, report.judge, report.identical, report.unreadable
    );
    println!("\n{:<14} {:>7} {:>7} {:>7}", "", "first", "second", "tie");
    for (criterion, wins) in &report.criteria {
        println!("{criterion:<14} {:>7} {:>7} {:>7}", wins.first, wins.second, wins.ties);
    }
    if let Some(share) = report.first_place_wins {
        println!("\nthe answer shown first won {:.0} %: half is fair", 100.0 * share);
    }
}
