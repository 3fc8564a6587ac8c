//! The tests that drive the real window, and the pictures that they can take of it.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;

use crate::step_outcome::StepOutcome;
use crate::workspace::Workspace;
use crate::{lints, process, setup};

/// Where the tests put pictures, when they are asked for them.
const PICTURES: &str = "PLUMBLINE_SCREENSHOTS";

pub fn test(workspace: &Workspace, out: &mut dyn Write) -> Result<StepOutcome> {
    if let Some(missing) = missing() {
        writeln!(out, "note: skipped, because {missing}")?;
        return Ok(StepOutcome::Skipped);
    }
    // One after the other: each has a display and a window of its own, and machines have few cores.
    lints::test(workspace, out, "--test window -- --test-threads=1")
}

pub fn screenshots(workspace: &Workspace) -> Result<ExitCode> {
    setup::with_page(workspace, &mut stdout())?;
    if let Some(missing) = missing() {
        anyhow::bail!("no pictures can be taken: {missing}");
    }
    let mut command = workspace.cargo();
    command.args([
        "test",
        "--workspace",
        "--test",
        "window",
        "--",
        "--ignored",
        "--exact",
        "pictures::of_every_view",
    ]);
    command.env(PICTURES, workspace.root.join("docs/screenshots"));
    Ok(process::exit_code(process::hand_over(&mut command)?))
}

/// Why the window cannot be driven on this machine, if so.
fn missing() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("WebKitWebDriver exists on Linux only".to_owned());
    }
    // Neither has an option that merely tells its version and succeeds everywhere.
    let absent = |program: &str| process::answer("which", &[program]).is_none();
    let missing: Vec<_> = ["Xvfb", "WebKitWebDriver"].into_iter().filter(|program| absent(program)).collect();
    (!missing.is_empty())
        .then(|| format!("there is no {} here and it could not be installed", missing.join(" and no ")))
}
