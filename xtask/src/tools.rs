//! Cargo's companions of a fixed version, kept in the cache.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::steps::Verdict;
use crate::workspace::Workspace;

pub struct Tool {
    package: &'static str,
    version: &'static str,
}

pub const DENY: Tool = Tool { package: "cargo-deny", version: "0.20.2" };
pub const MACHETE: Tool = Tool { package: "cargo-machete", version: "0.9.2" };

impl Tool {
    /// Runs the tool in the workspace's root. Where it cannot be had, that is a failure in CI and elsewhere a note.
    pub fn check(&self, workspace: &Workspace, out: &mut dyn Write, arguments: &[&str]) -> Result<Verdict> {
        let program = match self.find_or_install(workspace, out) {
            Ok(program) => program,
            Err(error) if in_ci() => return Err(error),
            Err(error) => {
                writeln!(out, "note: {error:#}; skipped here, a failure in CI")?;
                return Ok(Verdict::Skipped);
            }
        };
        let mut command = Command::new(program);
        command.current_dir(&workspace.root).args(arguments);
        process::stream(command, out).map(Verdict::from)
    }

    fn find_or_install(&self, workspace: &Workspace, out: &mut dyn Write) -> Result<PathBuf> {
        let folder = workspace.cache.join("tools");
        let cached = folder.join("bin").join(format!("{}{}", self.package, env::consts::EXE_SUFFIX));
        let on_path = PathBuf::from(self.package);
        if let Some(found) = [&on_path, &cached].into_iter().find(|program| self.is_version_of(program)) {
            return Ok(found.clone());
        }
        let mut install = workspace.cargo();
        install.args(["install", "--locked", "--quiet", "--version", self.version, "--root"]);
        install.arg(&folder).arg(self.package);
        // Built once: its objects must not stay in the workspace's target folder.
        install.env_remove("CARGO_TARGET_DIR");
        process::stream_ok(install, out)
            .with_context(|| format!("{} {} could not be installed", self.package, self.version))?;
        Ok(cached)
    }

    fn is_version_of(&self, program: &Path) -> bool {
        let version = process::answer(&program.to_string_lossy(), &["--version"]);
        version.is_some_and(|version| version.split_whitespace().next_back() == Some(self.version))
    }
}

fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}
