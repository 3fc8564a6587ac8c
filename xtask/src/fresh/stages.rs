//! What a new user does in a bare root: the README's commands.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use super::root::{self, Root};
use crate::process;
use crate::workspace::Workspace;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    Run,
    Test,
    Package,
}

/// Where the clone lies in the root.
const CLONE: &str = "/srv/plumbline";
/// No Rust toolchain links without one, and rustup asks for it: it is part of what a user is told to have.
const LINKER: &str = "apt-get update --quiet && apt-get install --yes --no-install-recommends gcc libc6-dev";
/// So many of a command's last lines are shown again at the end.
const CLOSING_LINES: usize = 25;

impl Stage {
    pub const ALL: [Self; 3] = [Self::Run, Self::Test, Self::Package];

    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Test => "test",
            Self::Package => "package",
        }
    }
}

/// One of the README's commands in a clean clone.
pub fn build(workspace: &Workspace, root: &Root, stage: Stage, log: &Path) -> Result<bool> {
    copy_tools(root)?;
    clone(workspace, root)?;
    let line = format!("cd {CLONE} && cargo xtask {}", stage.name());
    let succeeded = logged(root.command(&line), log)?;
    let added = root.added_packages()?;
    println!("\n{} packages were installed by it: {}", added.len(), added.join(" "));
    Ok(succeeded)
}

/// Runs a command with its output on the screen and in the log, and says at the end how it ended.
pub fn logged(mut command: Command, log: &Path) -> Result<bool> {
    let mut file = File::options().create(true).append(true).open(log)?;
    let started = Instant::now();
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = process::spawn(&mut command)?;
    drop(command);
    let mut closing = VecDeque::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        writeln!(file, "{text}")?;
        println!("{text}");
        if closing.len() == CLOSING_LINES {
            closing.pop_front();
        }
        closing.push_back(text.into_owned());
    }
    let status = child.wait()?;
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    println!("\n== ended after {minutes:.1} minutes ({status}). Its closing lines:");
    closing.iter().for_each(|line| println!("{line}"));
    stdout().flush()?;
    Ok(status.success())
}

/// The toolchain and Node of this machine, which a user is told to have.
fn copy_tools(root: &Root) -> Result<()> {
    let rust = root.folder.join("opt/rust");
    if !rust.exists() {
        let sysroot = process::answer("rustc", &["--print", "sysroot"]).context("rustc does not answer")?;
        root.answer(LINKER)?;
        root.counts_as_bare()?;
        root::copy(Path::new(&sysroot), &rust)?;
        // Documentation is most of a toolchain's files and no part of building.
        root::remove(&rust.join("share/doc"))?;
    }
    let node = root.folder.join("opt/node");
    if !node.exists() {
        let program =
            process::answer("node", &["--print", "process.execPath"]).context("node does not answer")?;
        let packages = process::answer("npm", &["root", "--global"]).context("npm does not answer")?;
        fs::create_dir_all(node.join("bin"))?;
        fs::create_dir_all(node.join("lib/node_modules"))?;
        root::copy(&PathBuf::from(program), &node.join("bin/node"))?;
        root::copy(&PathBuf::from(packages).join("npm"), &node.join("lib/node_modules/npm"))?;
        for name in ["npm", "npx"] {
            let target = format!("../lib/node_modules/npm/bin/{name}-cli.js");
            link(&target, &node.join("bin").join(name))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, name: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(target, name)?)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> Result<()> {
    anyhow::bail!("a root folder can be made on Linux only")
}

/// What is committed, and nothing else. A clone that is there is brought up to it and keeps what it has built.
fn clone(workspace: &Workspace, root: &Root) -> Result<()> {
    let clone = root.folder.join(&CLONE[1..]);
    let head = workspace.head()?;
    if !clone.join(".git").exists() {
        let mut command = Command::new("git");
        command.args(["clone", "--quiet", "--no-hardlinks"]).arg(&workspace.root).arg(&clone);
        process::stream_ok(command, &mut stdout())?;
    }
    let in_clone = || {
        let mut command = Command::new("git");
        command.arg("-C").arg(&clone);
        command
    };
    let mut fetch = in_clone();
    fetch.args(["fetch", "--quiet"]).arg(&workspace.root).arg(&head);
    process::stream_ok(fetch, &mut stdout())?;
    let mut reset = in_clone();
    reset.args(["reset", "--quiet", "--hard", &head]);
    process::stream_ok(reset, &mut stdout())?;
    println!("A clean clone of {head}.");
    Ok(())
}
