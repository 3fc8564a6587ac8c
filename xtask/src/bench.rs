//! `cargo xtask bench`.

use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

pub fn bench(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let status = process::hand_over(workspace.cargo().args(["bench", "--workspace"]).args(arguments))?;
    Ok(process::exit_code(status))
}
