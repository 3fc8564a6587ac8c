//! The systems that a bare root can be of, and where their packages come from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

pub struct System {
    pub name: &'static str,
    /// As debootstrap and the package sources call it.
    suite: &'static str,
    components: &'static str,
    distribution: Distribution,
}

#[derive(PartialEq)]
enum Distribution {
    Debian,
    Ubuntu,
}

pub const SYSTEMS: [System; 2] = [
    System { name: "debian-12", suite: "bookworm", components: "main", distribution: Distribution::Debian },
    System {
        name: "ubuntu-24.04",
        suite: "noble",
        components: "main,universe",
        distribution: Distribution::Ubuntu,
    },
];

/// debootstrap knows every release of Ubuntu by this one's script; Debian 12's has no link for the later ones.
const UBUNTU_SCRIPT: &str = "/usr/share/debootstrap/scripts/gutsy";
/// Ubuntu's keys, which Debian does not carry; that nobody changed them is told by the hash.
const UBUNTU_KEYS: &str = "pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb";
const UBUNTU_KEYS_SHA256: &str = "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8";

impl System {
    /// The smallest system that installs packages, in an empty folder; `scratch` is for what is needed on the way.
    pub fn install(&self, folder: &Path, scratch: &Path) -> Result<()> {
        let mut command = Command::new("debootstrap");
        command.args(["--variant=minbase", &format!("--components={}", self.components)]);
        let sources = match self.distribution {
            Distribution::Debian => {
                let sources = self.sources_of_this_machine();
                command.arg(self.suite).arg(folder);
                command.args(
                    sources.iter().find(|source| source.suite == self.suite).map(|source| &source.address),
                );
                sources
            }
            Distribution::Ubuntu => {
                let archive = ubuntus_archive()?;
                command.arg("--keyring").arg(ubuntus_keys(&archive, scratch)?).arg(self.suite).arg(folder);
                command.args([archive.as_str(), UBUNTU_SCRIPT]);
                let suites = ["", "-updates", "-security"].map(|pocket| format!("{}{pocket}", self.suite));
                suites.map(|suite| Source { address: archive.clone(), suite }).into()
            }
        };
        process::stream_ok(command, &mut std::io::stdout())?;
        if !sources.is_empty() {
            let components = self.components.replace(',', " ");
            let lines = sources
                .iter()
                .map(|source| format!("deb {} {} {components}\n", source.address, source.suite));
            fs::write(folder.join("etc/apt/sources.list"), lines.collect::<String>())?;
        }
        Ok(())
    }

    /// Where this machine has the same system's packages from; nothing where it is another system.
    fn sources_of_this_machine(&self) -> Vec<Source> {
        let format = "$(REPO_URI) $(CODENAME)";
        let listing =
            process::answer("apt-get", &["indextargets", "--format", format, "Created-By: Packages"]);
        let mut sources: Vec<Source> = Vec::new();
        for line in listing.unwrap_or_default().lines() {
            let Some((address, suite)) = line.split_once(' ') else { continue };
            let ours = suite == self.suite || suite.starts_with(&format!("{}-", self.suite));
            if ours && !sources.iter().any(|source| source.suite == suite) {
                sources.push(Source { address: address.to_owned(), suite: suite.to_owned() });
            }
        }
        sources
    }
}

struct Source {
    address: String,
    suite: String,
}

/// The archive that debootstrap itself would take, and that answers.
fn ubuntus_archive() -> Result<String> {
    let script = fs::read_to_string(UBUNTU_SCRIPT)
        .with_context(|| format!("debootstrap brings no {UBUNTU_SCRIPT}"))?;
    let addresses = script.lines().filter_map(|line| line.trim().strip_prefix("default_mirror "));
    let answers = |address: &&str| {
        process::answer("curl", &["-fsSI", "-m", "20", &format!("{address}/{UBUNTU_KEYS}")]).is_some()
    };
    let found = addresses.map(str::trim).find(answers);
    found.map(str::to_owned).context("no archive of Ubuntu's can be reached from here")
}

fn ubuntus_keys(archive: &str, scratch: &Path) -> Result<PathBuf> {
    let package = scratch.join("ubuntu-keyring.deb");
    let keys = scratch.join("ubuntu-keyring");
    let mut fetch = Command::new("curl");
    fetch.args(["-fsS", &format!("{archive}/{UBUNTU_KEYS}"), "-o"]).arg(&package);
    process::stream_ok(fetch, &mut std::io::stdout())?;
    let sum = process::answer("sha256sum", &[&package.to_string_lossy()]).unwrap_or_default();
    if !sum.starts_with(UBUNTU_KEYS_SHA256) {
        bail!("Ubuntu's keys are not what they should be: {} has the hash {sum}", package.display());
    }
    let mut unpack = Command::new("dpkg-deb");
    unpack.arg("--extract").arg(&package).arg(&keys);
    process::stream_ok(unpack, &mut std::io::stdout())?;
    Ok(keys.join("usr/share/keyrings/ubuntu-archive-keyring.gpg"))
}
