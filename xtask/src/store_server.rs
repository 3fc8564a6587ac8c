//! Servers in Go that the tests of stores talk to. They are built once where Go is, and kept in the cache; without Go those tests
//! are skipped and counted.

use std::ffi::OsString;
use std::io::Write;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

pub struct StoreServer {
    name: &'static str,
    module: &'static str,
    version: &'static str,
    /// Where the tests look for the program.
    variable: &'static str,
    /// What the tests are of.
    stands_for: &'static str,
}

pub const S3: StoreServer = StoreServer {
    name: "versitygw",
    module: "github.com/versity/versitygw/cmd/versitygw",
    version: "1.8.0",
    variable: "PLUMBLINE_VERSITYGW",
    stands_for: "a real S3 server",
};

pub const GOOGLE: StoreServer = StoreServer {
    name: "fake-gcs-server",
    module: "github.com/fsouza/fake-gcs-server",
    version: "1.56.1",
    variable: "PLUMBLINE_FAKE_GCS",
    stands_for: "Google Cloud Storage",
};

impl StoreServer {
    /// The variable that names the server to the tests, where it can be had.
    pub fn variable(
        &self,
        workspace: &Workspace,
        out: &mut dyn Write,
    ) -> Result<Option<(&'static str, OsString)>> {
        let Self { name, module, version, variable, stands_for } = self;
        if std::env::var_os(variable).is_some() {
            return Ok(None);
        }
        let folder = workspace.cache.join("tools").join(format!("{name}-{version}"));
        let program = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        if !program.exists() {
            if process::answer("go", &["version"]).is_none() {
                writeln!(out, "note: there is no Go here, so the tests of {stands_for} are skipped")?;
                return Ok(None);
            }
            let mut install = Command::new("go");
            install.args(["install", &format!("{module}@v{version}")]).env("GOBIN", &folder);
            // No network, or an old Go: that is no failure of ours.
            if !process::stream(install, out)?.success() {
                writeln!(out, "note: {name} could not be built, so the tests of {stands_for} are skipped")?;
                return Ok(None);
            }
        }
        Ok(Some((variable, program.into_os_string())))
    }
}
