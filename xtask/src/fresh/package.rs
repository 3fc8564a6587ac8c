//! The package in a bare root: installed by apt with what it declares, used in a real window, and removed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::root::{self, Root};
use super::stages::logged;
use super::system::System;
use crate::workspace::Workspace;
use crate::{bundle, lints, process};

const PACKAGE: &str = "/opt/plumbline.deb";
const WINDOW_TESTS: &str = "/opt/window-tests";

/// A step of the trial, and the command that fails where it does.
const STEPS: [(&str, &str); 6] = [
    (
        "apt installs it with what it declares",
        "apt-get update --quiet && apt-get install --yes --no-install-recommends /opt/plumbline.deb",
    ),
    (
        "every library of the program is there",
        "ldd /usr/bin/plumbline-desktop > /opt/libraries && ! grep 'not found' /opt/libraries",
    ),
    (
        "what only this trial needs",
        "apt-get install --yes --no-install-recommends xvfb webkit2gtk-driver dbus",
    ),
    (
        "it starts and answers a question about the sample library",
        "PLUMBLINE_PROGRAM=/usr/bin/plumbline-desktop /opt/window-tests --nocapture --exact \
         answers::the_first_run_offers_the_sample_library_and_answers_from_it",
    ),
    ("it is removed", "dpkg -L plumbline > /opt/files && apt-get purge --yes plumbline"),
    (
        "nothing of it is left",
        "while read -r path; do if [ -e \"$path\" ] && [ ! -d \"$path\" ]; then echo \"left behind: $path\"; exit 1; fi; done < /opt/files; \
         ! find / -xdev -iname '*plumbline*' -not -path '/opt/*' -not -path '/proc/*' -not -path '/var/log/*' | grep .",
    ),
];

pub fn try_out(workspace: &Workspace, system: &System, log: &Path) -> Result<bool> {
    let package = built(workspace)?;
    let tests = window_tests(workspace)?;
    // Bare each time: what an earlier trial installed would hide what the package does not declare.
    let root = Root::ready(workspace, system, "package", true)?;
    root::copy(&package, &root.folder.join(&PACKAGE[1..]))?;
    root::copy(&tests, &root.folder.join(&WINDOW_TESTS[1..]))?;
    for (name, line) in STEPS {
        println!("\n-- {name}");
        if !logged(root.command(line), log)? {
            println!("FAILED: {name}");
            return Ok(false);
        }
        if line.contains(PACKAGE) {
            let added = root.added_packages()?;
            println!("\n{} packages were installed with it: {}", added.len(), added.join(" "));
            println!("{} MiB packed, {} MiB installed", size(&package)?, root.answer(INSTALLED_SIZE)?.trim());
        }
    }
    Ok(true)
}

const INSTALLED_SIZE: &str =
    "dpkg-query --show --showformat='${Installed-Size}' plumbline | awk '{ print int($1 / 1024) }'";

fn size(file: &Path) -> Result<u64> {
    Ok(fs::metadata(file)?.len() / 1024 / 1024)
}

/// The package of the commit that is checked out, built outside of the root and once.
fn built(workspace: &Workspace) -> Result<PathBuf> {
    let head = workspace.head()?;
    let kept = root::folder(workspace).join(format!("plumbline-{head}.deb"));
    if !kept.exists() {
        fs::create_dir_all(root::folder(workspace))?;
        let made = bundle::deb(workspace)?;
        fs::copy(&made, &kept).with_context(|| format!("could not copy {}", made.display()))?;
    }
    Ok(kept)
}

/// The program that drives the real window.
fn window_tests(workspace: &Workspace) -> Result<PathBuf> {
    let mut output = Vec::new();
    let mut command = lints::cargo(workspace);
    command.args(["test", "--workspace", "--locked", "--test", "window", "--no-run"]);
    process::stream_ok(command, &mut output)?;
    let output = String::from_utf8_lossy(&output);
    // `  Executable tests/window/main.rs (target/debug/deps/window-0123456789abcdef)`
    let path = output.lines().filter(|line| line.trim_start().starts_with("Executable"));
    let path = path.filter_map(|line| line.rsplit_once('(')?.1.strip_suffix(')')).next_back();
    let Some(path) = path else { bail!("cargo did not say where the window's tests are:\n{output}") };
    Ok(workspace.root.join(path))
}
