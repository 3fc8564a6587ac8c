//! `cargo xtask clouds`: the tests of stores, over emulators of Azure's and Google's as well. The emulators are put into the cache
//! first; the tests of one that cannot be had are skipped and named.

use std::env;
use std::io::{self, Write};
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::npm::{self, Packages};
use crate::step_outcome::StepOutcome;
use crate::workspace::Workspace;
use crate::{skipped, store_server};

/// Microsoft's emulator of Azure's storage.
const AZURITE: &str = "azurite@3.37.0";
const PROGRAM: &str = if cfg!(windows) { ".bin/azurite-blob.cmd" } else { ".bin/azurite-blob" };
/// Where the tests look for the program.
const VARIABLE: &str = "PLUMBLINE_AZURITE";

pub fn clouds(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let out = &mut io::stdout();
    let mut tests = workspace.cargo();
    tests.args(["test", "--package", "plumbline-storage", "--features", "clouds", "--locked", "--"]);
    tests.args(arguments);
    for server in [store_server::S3, store_server::GOOGLE] {
        tests.envs(server.variable(workspace, out)?);
    }
    name_azurite(workspace, &mut tests, out)?;
    Ok(match skipped::run_tests(tests, out)? {
        StepOutcome::Failed => ExitCode::FAILURE,
        StepOutcome::Passed | StepOutcome::Skipped => ExitCode::SUCCESS,
    })
}

/// Tells the tests where azurite is, where it can be had.
fn name_azurite(workspace: &Workspace, tests: &mut Command, out: &mut dyn Write) -> Result<()> {
    if env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    let folder = workspace.cache.join("tools/azurite");
    let installed = match npm::problem() {
        Some(problem) => Err(problem),
        None => Packages::installed(&folder, &[AZURITE], out).map_err(|problem| format!("{problem:#}")),
    };
    match installed {
        Ok(packages) => {
            // It is a script, which the first Node on the path runs.
            let path = env::var_os("PATH").unwrap_or_default();
            let node = packages.node.parent().map(Into::into);
            let folders = node.into_iter().chain(env::split_paths(&path));
            tests.env("PATH", env::join_paths(folders)?).env(VARIABLE, packages.path(PROGRAM));
        }
        // No network, or no Node: that is no failure of ours.
        Err(problem) => writeln!(out, "note: the tests of Azure Blob Storage are skipped: {problem}")?,
    }
    Ok(())
}
