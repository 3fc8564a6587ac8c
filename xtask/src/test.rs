//! `cargo xtask test`: every step runs, whatever the others say, and one line closes the report.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::counts::Counts;
use crate::setup;
use crate::step_outcome::StepOutcome;
use crate::steps::{Lane, STEPS, Step};
use crate::workspace::Workspace;

/// Before the lanes part: the Rust side is built around the page.
const SET_UP: Step = Step {
    lane: Lane::Ui,
    name: "set-up",
    work: |workspace, out| setup::with_page(workspace, out).map(|()| StepOutcome::Passed),
    count: None,
};

struct Report {
    name: &'static str,
    outcome: StepOutcome,
    tests: Option<Counts>,
    seconds: f64,
    /// What it printed last, where it failed.
    last_words: String,
}

/// So many lines of a failed step stand again before the closing table.
const LAST_LINES: usize = 80;

pub fn test(workspace: &Workspace) -> Result<ExitCode> {
    let mut reports = vec![perform(&SET_UP, workspace)];
    let lane =
        |lane: Lane| STEPS.iter().filter(move |step| step.lane == lane).map(|step| perform(step, workspace));
    let (rust, ui) = thread::scope(|scope| {
        let ui = scope.spawn(|| lane(Lane::Ui).collect::<Vec<_>>());
        let rust = lane(Lane::Rust).collect::<Vec<_>>();
        (rust, ui.join())
    });
    reports.extend(rust);
    reports.extend(ui.map_err(|_| anyhow!("the thread of the UI's steps panicked"))?);

    let total = total(&reports);
    print!("{}{}\n{total}\n", failures(&reports), table(&reports));
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs one step and prints its output in one piece, so that the lanes' lines do not mix.
fn perform(step: &Step, workspace: &Workspace) -> Report {
    println!("-- {}: started", step.name);
    let started = Instant::now();
    let mut output = Vec::new();
    let result = (step.work)(workspace, &mut output);
    let mut output = String::from_utf8_lossy(&output).into_owned();
    let (outcome, tests) = judge(step, result, &mut output);
    let seconds = started.elapsed().as_secs_f64();
    let mut screen = stdout().lock();
    // Nobody is left to tell when the screen itself is gone; the exit code still speaks.
    let _ =
        writeln!(screen, "\n== {}: {}, {seconds:.1} s\n{}\n", step.name, word(outcome), output.trim_end());
    let last_words = if outcome == StepOutcome::Failed { last_lines(&output) } else { String::new() };
    Report { name: step.name, outcome, tests, seconds, last_words }
}

/// Of a test run, what failed and why; of anything else, its end.
fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.trim_end().lines().collect();
    let telling =
        |line: &&&str| line.starts_with("error") || line.contains("panicked at") || line.ends_with("FAILED");
    let told = lines.iter().rev().skip(LAST_LINES).filter(telling).take(LAST_LINES);
    let mut shown: Vec<&str> = lines.iter().rev().take(LAST_LINES).chain(told).copied().collect();
    shown.reverse();
    shown.join("\n")
}

/// Failed steps once more, so that whoever sees only the end of a long log sees why.
fn failures(reports: &[Report]) -> String {
    let failed = reports.iter().filter(|report| !report.last_words.is_empty());
    failed
        .map(|report| format!("== {} failed, its last words:\n{}\n\n", report.name, report.last_words))
        .collect()
}

fn judge(step: &Step, result: Result<StepOutcome>, output: &mut String) -> (StepOutcome, Option<Counts>) {
    let outcome = result.unwrap_or_else(|error| {
        output.push_str(&format!("error: {error:#}\n"));
        StepOutcome::Failed
    });
    let Some(count) = step.count else { return (outcome, None) };
    match count(output) {
        None if outcome == StepOutcome::Passed => {
            output.push_str("error: the command succeeded, but no summary of its tests was found\n");
            (StepOutcome::Failed, None)
        }
        Some(tests) if tests.failed > 0 => (StepOutcome::Failed, Some(tests)),
        tests => (outcome, tests),
    }
}

/// Tests are counted one by one; any other step counts only when it failed or was skipped.
fn total(reports: &[Report]) -> Counts {
    let mut total = Counts::default();
    for report in reports {
        let tests = report.tests.unwrap_or_default();
        total += tests;
        match report.outcome {
            StepOutcome::Failed if tests.failed == 0 => total.failed += 1,
            StepOutcome::Skipped => total.skipped += 1,
            StepOutcome::Passed | StepOutcome::Failed => {}
        }
    }
    total
}

fn table(reports: &[Report]) -> String {
    let width = reports.iter().map(|report| report.name.len()).max().unwrap_or_default();
    let mut table = String::new();
    for Report { name, outcome, tests, seconds, .. } in reports {
        let tests = tests.map(|tests| format!("  {tests}")).unwrap_or_default();
        table.push_str(&format!("{name:width$}  {:7}  {seconds:7.1} s{tests}\n", word(*outcome)));
    }
    table
}

fn word(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Passed => "ok",
        StepOutcome::Failed => "FAILED",
        StepOutcome::Skipped => "skipped",
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::{Report, failures, judge, last_lines, table, total};
    use crate::counts::{self, Counts};
    use crate::step_outcome::StepOutcome;
    use crate::steps::{Lane, Step};

    fn report(outcome: StepOutcome, tests: Option<(u64, u64, u64)>) -> Report {
        let tests = tests.map(|(passed, failed, skipped)| Counts { passed, failed, skipped });
        Report { name: "step", outcome, tests, seconds: 1.25, last_words: String::new() }
    }

    fn closing(reports: &[Report]) -> String {
        total(reports).to_string()
    }

    const TESTS: Step = Step {
        lane: Lane::Rust,
        name: "tests",
        work: |_, _| Ok(StepOutcome::Passed),
        count: Some(counts::of_cargo),
    };

    #[test]
    fn tests_are_added_up_and_checks_that_pass_are_not_tests() {
        let reports = [
            report(StepOutcome::Passed, None),
            report(StepOutcome::Passed, Some((5, 0, 1))),
            report(StepOutcome::Passed, Some((2, 0, 0))),
        ];
        assert_eq!(closing(&reports), "7 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn a_failed_step_counts_once_and_failed_tests_each() {
        assert_eq!(closing(&[report(StepOutcome::Failed, None)]), "0 passed, 1 failed, 0 skipped");
        assert_eq!(closing(&[report(StepOutcome::Failed, Some((3, 2, 0)))]), "3 passed, 2 failed, 0 skipped");
        let crashed = report(StepOutcome::Failed, Some((3, 0, 0)));
        assert_eq!(
            closing(&[crashed]),
            "3 passed, 1 failed, 0 skipped",
            "a crash after passing tests is a failure"
        );
    }

    #[test]
    fn a_skipped_step_is_owned_up_to() {
        assert_eq!(closing(&[report(StepOutcome::Skipped, None)]), "0 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn tests_without_a_summary_do_not_pass() {
        let mut output = String::from("nothing of note\n");
        assert_eq!(judge(&TESTS, Ok(StepOutcome::Passed), &mut output), (StepOutcome::Failed, None));
        assert!(output.contains("no summary"), "the reason is in the output");
    }

    #[test]
    fn an_error_ends_in_the_output() {
        let mut output = String::new();
        assert_eq!(judge(&TESTS, Err(anyhow!("no such program")), &mut output).0, StepOutcome::Failed);
        assert_eq!(output, "error: no such program\n");
    }

    #[test]
    fn why_a_step_failed_stands_at_the_end_too() {
        let long = format!("thread 'x' panicked at src/x.rs\n{}the end\n", "noise\n".repeat(500));
        let words = last_lines(&long);
        assert!(words.contains("panicked at src/x.rs") && words.ends_with("the end"), "{words}");
        let failed = Report { last_words: words, ..report(StepOutcome::Failed, None) };
        assert!(failures(&[report(StepOutcome::Passed, None), failed]).starts_with("== step failed"));
    }

    #[test]
    fn the_table_has_a_line_per_step() {
        let reports = [report(StepOutcome::Failed, None), report(StepOutcome::Passed, Some((5, 0, 1)))];
        let expected = "step  FAILED       1.2 s\nstep  ok           1.2 s  5 passed, 0 failed, 1 skipped\n";
        assert_eq!(table(&reports), expected);
    }
}
