//! A bare root: a folder with a system of its own, and commands that run in it as if there were nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::io::stdout;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::system::System;
use crate::workspace::Workspace;
use crate::{debian, process};

/// Stands in a root that is complete.
const COMPLETE: &str = "opt/complete";
/// What the machine trusts. Packages may write the usual place anew, so it has one of its own.
const CERTIFICATES: &str = "/opt/certificates.crt";
const MACHINES_CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

pub struct Root {
    pub folder: PathBuf,
}

/// Where roots and logs are.
pub fn folder(workspace: &Workspace) -> PathBuf {
    workspace.cache.join("fresh")
}

impl Root {
    /// The root for this purpose, made where there is none.
    pub fn ready(workspace: &Workspace, system: &System, purpose: &str, anew: bool) -> Result<Self> {
        let folder = folder(workspace).join(format!("{}-{purpose}", system.name));
        if anew {
            remove(&folder)?;
        }
        if !folder.join(COMPLETE).exists() {
            remove(&folder)?;
            copy(&bare(workspace, system)?, &folder)?;
            connect(&folder)?;
            fs::write(folder.join(COMPLETE), "")?;
        }
        let root = Self { folder };
        if anew || !root.list().exists() {
            root.counts_as_bare()?;
        }
        Ok(root)
    }

    /// What is installed by now is what a user is told to have.
    pub fn counts_as_bare(&self) -> Result<()> {
        let packages: Vec<String> = self.packages()?.into_iter().collect();
        Ok(fs::write(self.list(), packages.join("\n"))?)
    }

    /// The file that names the packages of the bare system.
    fn list(&self) -> PathBuf {
        let mut name = self.folder.clone().into_os_string();
        name.push(".packages");
        name.into()
    }

    /// A command that runs in the root, with processes and mounts of its own: when it ends, or whoever started it is gone, so are they.
    pub fn command(&self, line: &str) -> Command {
        let enter = format!(
            "mount -t proc proc '{root}/proc' && mount --rbind /dev '{root}/dev' && mount -t sysfs sysfs '{root}/sys' \
             && exec chroot '{root}' /bin/sh -c \"$0\"",
            root = self.folder.display()
        );
        let mut command = Command::new("setpriv");
        command.args([
            "--pdeathsig",
            "KILL",
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "/bin/sh",
            "-c",
        ]);
        command.arg(enter).arg(line);
        command.env_clear();
        // Where this machine goes through a proxy, so must the root.
        let proxies = std::env::vars_os()
            .filter(|(name, _)| name.to_str().is_some_and(|name| name.to_lowercase().ends_with("_proxy")));
        command.envs(proxies);
        command
            .env(
                "PATH",
                "/opt/rust/bin:/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            )
            .env("HOME", "/root")
            .env("LANG", "C.UTF-8")
            .env("DEBIAN_FRONTEND", "noninteractive");
        if self.folder.join(&CERTIFICATES[1..]).exists() {
            for name in ["SSL_CERT_FILE", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
                command.env(name, CERTIFICATES);
            }
        }
        command
    }

    /// What this prints, where it must succeed.
    pub fn answer(&self, line: &str) -> Result<String> {
        let output = self.command(line).output().with_context(|| format!("could not start `{line}`"))?;
        if !output.status.success() {
            bail!("`{line}` failed in the root: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The installed packages, by name.
    pub fn packages(&self) -> Result<BTreeSet<String>> {
        let listing = self.answer("dpkg-query --show --showformat='${Package} ${db:Status-Status}\\n'")?;
        let installed = listing.lines().filter_map(|line| line.strip_suffix(" installed"));
        Ok(installed.map(str::to_owned).collect())
    }

    /// What was installed since it was bare.
    pub fn added_packages(&self) -> Result<Vec<String>> {
        let bare = fs::read_to_string(self.list())?;
        let bare: BTreeSet<String> = bare.lines().map(str::to_owned).collect();
        Ok(self.packages()?.difference(&bare).cloned().collect())
    }
}

/// The system as debootstrap makes it, once; roots are copies of it.
fn bare(workspace: &Workspace, system: &System) -> Result<PathBuf> {
    let home = folder(workspace);
    let bare = home.join(format!("{}-bare", system.name));
    if bare.join(COMPLETE).exists() {
        return Ok(bare);
    }
    fs::create_dir_all(&home)?;
    remove(&bare)?;
    debian::install(&["debootstrap", "curl"], &mut stdout())?;
    system.install(&bare, &home)?;
    fs::write(bare.join(COMPLETE), "")?;
    Ok(bare)
}

/// Names are resolved and servers trusted as on this machine.
fn connect(root: &Path) -> Result<()> {
    for file in ["/etc/resolv.conf", "/etc/hosts"] {
        if Path::new(file).exists() {
            fs::copy(file, root.join(&file[1..])).with_context(|| format!("could not copy {file}"))?;
        }
    }
    if Path::new(MACHINES_CERTIFICATES).exists() {
        fs::copy(MACHINES_CERTIFICATES, root.join(&CERTIFICATES[1..]))?;
    }
    Ok(())
}

pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new("cp");
    command.args(["--archive", "--no-target-directory"]).arg(from).arg(to);
    process::stream_ok(command, &mut stdout())
}

pub fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("could not remove {}", folder.display()))?;
    }
    Ok(())
}
