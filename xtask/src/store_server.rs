//! The S3 server that the tests of team libraries talk to. It is built once where Go is, and kept in the cache; without Go those
//! tests are skipped and counted.

use std::ffi::OsString;
use std::io::Write;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

const MODULE: &str = "github.com/versity/versitygw/cmd/versitygw";
const VERSION: &str = "1.8.0";
/// Where the tests look for the program.
const VARIABLE: &str = "PLUMBLINE_VERSITYGW";

/// The variable that names the server to the tests, where it can be had.
pub fn variable(workspace: &Workspace, out: &mut dyn Write) -> Result<Option<(&'static str, OsString)>> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let folder = workspace.cache.join("tools").join(format!("versitygw-{VERSION}"));
    let program = folder.join(if cfg!(windows) { "versitygw.exe" } else { "versitygw" });
    if !program.exists() {
        if process::answer("go", &["version"]).is_none() {
            writeln!(out, "note: there is no Go here, so the tests of a real S3 server are skipped")?;
            return Ok(None);
        }
        let mut install = Command::new("go");
        install.args(["install", &format!("{MODULE}@v{VERSION}")]).env("GOBIN", &folder);
        // No network, or an old Go: that is no failure of ours.
        if !process::stream(install, out)?.success() {
            writeln!(
                out,
                "note: versitygw could not be built, so the tests of a real S3 server are skipped"
            )?;
            return Ok(None);
        }
    }
    Ok(Some((VARIABLE, program.into_os_string())))
}
