//! Clippy, in the same build as the tests.
//!
//! `cargo clippy` checks every dependency once more, since what it makes of them is of no use to a build. So the members are
//! compiled by clippy's driver, which is the compiler with the lints in it, and the tests run on what it made.

use std::io::{Write, stdout};
use std::process::Command;

use anyhow::{Result, bail};

use crate::step_outcome::StepOutcome;
use crate::workspace::Workspace;
use crate::{process, progress, skipped, store_server};

const DRIVER: &str = "clippy-driver";

/// Cargo, with lints for the members and every warning an error.
pub fn cargo(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    // Both names are those that `cargo clippy` itself uses.
    command.env("RUSTC_WORKSPACE_WRAPPER", DRIVER);
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    command
}

pub fn build(workspace: &Workspace, out: &mut dyn Write) -> Result<StepOutcome> {
    if process::answer(DRIVER, &["--version"]).is_none() {
        bail!("the toolchain has no clippy: run `rustup component add clippy rustfmt`");
    }
    let mut command = cargo(workspace);
    command.args(["build", "--workspace", "--all-targets", "--locked"]);
    progress::build(workspace, command, out, &mut stdout()).map(StepOutcome::from)
}

/// Runs tests of what [`build`] has built.
pub fn test(workspace: &Workspace, out: &mut dyn Write, arguments: &str) -> Result<StepOutcome> {
    let mut command = cargo(workspace);
    command.args(["test", "--workspace", "--locked"]).args(arguments.split(' '));
    command.envs(store_server::S3.variable(workspace, out)?);
    skipped::run_tests(command, out)
}
