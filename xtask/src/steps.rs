//! The steps of `cargo xtask test`: a new one is a line in [`STEPS`].

use std::io::Write;
use std::process::Command;

use anyhow::Result;

use crate::counts::{self, Counts};
use crate::step_outcome::StepOutcome;
use crate::workspace::Workspace;
use crate::{generate, lints, npm, process, window};

/// Lanes run side by side, the steps of one lane in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lane {
    Rust,
    Ui,
}

pub struct Step {
    pub lane: Lane,
    pub name: &'static str,
    pub work: fn(&Workspace, &mut dyn Write) -> Result<StepOutcome>,
    /// For a step that runs tests: reads their number from its output.
    pub count: Option<fn(&str) -> Option<Counts>>,
}

const fn check(
    lane: Lane,
    name: &'static str,
    work: fn(&Workspace, &mut dyn Write) -> Result<StepOutcome>,
) -> Step {
    Step { lane, name, work, count: None }
}

const fn tests(
    lane: Lane,
    name: &'static str,
    count: fn(&str) -> Option<Counts>,
    work: fn(&Workspace, &mut dyn Write) -> Result<StepOutcome>,
) -> Step {
    Step { lane, name, work, count: Some(count) }
}

#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    check(Lane::Rust, "Rust format", |w, out| finish(w.cargo(), "fmt --all --check", out)),
    check(Lane::Rust, "Rust build and lints", lints::build),
    tests(Lane::Rust, "Rust tests", counts::of_cargo, |w, out| lints::test(w, out, "--no-fail-fast")),
    tests(Lane::Rust, "window tests", counts::of_cargo, window::test),
    check(Lane::Rust, "generated types", generate::check),
    check(Lane::Ui, "UI types", |w, out| npm_run(w, out, "check")),
    check(Lane::Ui, "UI format", |w, out| npm_run(w, out, "format:check")),
    tests(Lane::Ui, "UI tests", counts::of_vitest, |w, out| npm_run(w, out, "test")),
];

fn npm_run(workspace: &Workspace, out: &mut dyn Write, script: &str) -> Result<StepOutcome> {
    finish(npm::command(workspace), &format!("run --silent {script}"), out)
}

fn finish(mut command: Command, arguments: &str, out: &mut dyn Write) -> Result<StepOutcome> {
    command.args(arguments.split(' '));
    process::stream(command, out).map(StepOutcome::from)
}
