//! The steps of `cargo xtask test`: a new one is a line in [`STEPS`].

use std::io::Write;
use std::process::{Command, ExitStatus};

use anyhow::Result;

use crate::counts::{self, Counts};
use crate::workspace::Workspace;
use crate::{generate, lints, process, skipped, window};

/// Lanes run side by side, the steps of one lane in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lane {
    Rust,
    Ui,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Passed,
    Failed,
    Skipped,
}

impl From<ExitStatus> for Verdict {
    fn from(status: ExitStatus) -> Self {
        if status.success() { Self::Passed } else { Self::Failed }
    }
}

pub struct Step {
    pub lane: Lane,
    pub name: &'static str,
    pub work: fn(&Workspace, &mut dyn Write) -> Result<Verdict>,
    /// For a step that runs tests: reads their number from its output.
    pub count: Option<fn(&str) -> Option<Counts>>,
}

const fn check(
    lane: Lane,
    name: &'static str,
    work: fn(&Workspace, &mut dyn Write) -> Result<Verdict>,
) -> Step {
    Step { lane, name, work, count: None }
}

const fn tests(
    lane: Lane,
    name: &'static str,
    count: fn(&str) -> Option<Counts>,
    work: fn(&Workspace, &mut dyn Write) -> Result<Verdict>,
) -> Step {
    Step { lane, name, work, count: Some(count) }
}

#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    check(Lane::Rust, "Rust format", |w, out| finish(w.cargo(), "fmt --all --check", out)),
    check(Lane::Rust, "Rust build and lints", lints::build),
    tests(Lane::Rust, "Rust tests", counts::of_cargo, |w, out| cargo_test(w, out, "--no-fail-fast")),
    tests(Lane::Rust, "window tests", counts::of_cargo, window::test),
    check(Lane::Rust, "generated types", generate::check),
    check(Lane::Ui, "UI types", |w, out| npm_run(w, out, "check")),
    check(Lane::Ui, "UI format", |w, out| npm_run(w, out, "format:check")),
    tests(Lane::Ui, "UI tests", counts::of_vitest, |w, out| npm_run(w, out, "test")),
];

/// Runs tests of what the step before has built.
pub fn cargo_test(workspace: &Workspace, out: &mut dyn Write, arguments: &str) -> Result<Verdict> {
    let mut command = lints::cargo(workspace);
    command.args(["test", "--workspace", "--locked"]).args(arguments.split(' '));
    skipped::run_tests(command, out)
}

fn npm_run(workspace: &Workspace, out: &mut dyn Write, script: &str) -> Result<Verdict> {
    finish(workspace.npm(), &format!("run --silent {script}"), out)
}

fn finish(mut command: Command, arguments: &str, out: &mut dyn Write) -> Result<Verdict> {
    command.args(arguments.split(' '));
    process::stream(command, out).map(Verdict::from)
}
