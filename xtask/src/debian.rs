//! Packages of Debian and Ubuntu.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::parts::Parts;
use crate::process;

struct Group {
    purpose: &'static str,
    needed: fn(&Parts) -> bool,
    /// Nothing builds without them; of others it is enough to say that they are missing.
    essential: bool,
    packages: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        purpose: "building",
        needed: |_| true,
        essential: true,
        packages: &["build-essential", "pkg-config"],
    },
    Group {
        purpose: "the window",
        needed: |parts| parts.window,
        essential: true,
        packages: &["libgtk-3-dev", "libwebkit2gtk-4.1-dev"],
    },
    Group {
        purpose: "testing the window",
        needed: |parts| parts.window,
        essential: false,
        packages: &["dbus", "webkit2gtk-driver", "xvfb"],
    },
];

const INSTALL: [&str; 4] = ["apt-get", "install", "--yes", "--no-install-recommends"];

pub fn install_missing(parts: &Parts, out: &mut dyn Write) -> Result<()> {
    let wanted = wanted(parts);
    if process::answer("dpkg-query", &["--version"]).is_none() {
        writeln!(
            out,
            "This is not Debian or Ubuntu: see to it that what they call these is installed: {}",
            wanted.join(" ")
        )?;
        return Ok(());
    }
    // A package that dpkg never heard of is an error to dpkg-query, so its exit code tells nothing.
    let known = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\\n"])
        .args(&wanted)
        .stderr(Stdio::null())
        .output()
        .context("could not ask dpkg-query for the installed packages")?;
    let missing = missing(&wanted, &String::from_utf8_lossy(&known.stdout));
    if missing.is_empty() {
        return Ok(());
    }
    for group in GROUPS.iter().filter(|group| (group.needed)(parts)) {
        let of_group: Vec<_> =
            group.packages.iter().filter(|package| missing.contains(package)).copied().collect();
        if !of_group.is_empty() {
            writeln!(out, "Missing for {}: {}", group.purpose, of_group.join(" "))?;
        }
    }
    let (essential, useful): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|package| is_essential(package));
    install(&essential, out)?;
    if let Err(problem) = install(&useful, out) {
        writeln!(out, "note: {problem:#}\nUntil then, what needs them is skipped.")?;
    }
    Ok(())
}

/// Installs packages, where there is a way to become root.
pub fn install(packages: &[&'static str], out: &mut dyn Write) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let Some(root) = root() else {
        bail!(
            "these packages must be installed first:\n\n    sudo {} {}\n",
            INSTALL.join(" "),
            packages.join(" ")
        );
    };
    if !process::stream(as_root(root, &INSTALL, packages), out)?.success() {
        // Fresh images come with empty package lists.
        process::stream_ok(as_root(root, &["apt-get", "update"], &[]), out)?;
        process::stream_ok(as_root(root, &INSTALL, packages), out)?;
    }
    Ok(())
}

fn is_essential(package: &str) -> bool {
    GROUPS.iter().any(|group| group.essential && group.packages.contains(&package))
}

fn wanted(parts: &Parts) -> Vec<&'static str> {
    GROUPS.iter().filter(|group| (group.needed)(parts)).flat_map(|group| group.packages).copied().collect()
}

/// The wanted packages that `listing`, with a name and a status per line, does not call installed.
fn missing(wanted: &[&'static str], listing: &str) -> Vec<&'static str> {
    let installed: Vec<&str> =
        listing.lines().filter_map(|line| line.trim_end().strip_suffix(" installed")).collect();
    wanted.iter().filter(|package| !installed.contains(package)).copied().collect()
}

#[derive(Clone, Copy)]
enum Root {
    Already,
    BySudo,
}

/// How to become root without a password, if there is a way.
fn root() -> Option<Root> {
    if process::answer("id", &["-u"]).as_deref() == Some("0") {
        return Some(Root::Already);
    }
    process::answer("sudo", &["-n", "true"]).map(|_| Root::BySudo)
}

fn as_root(root: Root, words: &[&str], packages: &[&str]) -> Command {
    let mut command = Command::new(match root {
        Root::Already => "env",
        Root::BySudo => "sudo",
    });
    if let Root::BySudo = root {
        command.args(["-n", "env"]);
    }
    command.arg("DEBIAN_FRONTEND=noninteractive").args(words).args(packages);
    command
}

#[cfg(test)]
mod tests {
    use super::{is_essential, missing, wanted};
    use crate::parts::Parts;

    const NOTHING_YET: Parts = Parts { window: false, chat: false, ask: false };

    #[test]
    fn only_a_fully_installed_package_counts() {
        let listing = "pkg-config installed\nxvfb config-files\nlibssl-dev installed\nlibssl-dev installed\n";
        let wanted = ["pkg-config", "xvfb", "libssl-dev", "imagemagick"];
        assert_eq!(missing(&wanted, listing), ["xvfb", "imagemagick"]);
        assert_eq!(missing(&wanted, ""), wanted, "an empty listing means nothing is there");
    }

    #[test]
    fn a_longer_name_does_not_stand_in() {
        assert_eq!(missing(&["xvfb"], "xvfb-run installed\n"), ["xvfb"]);
    }

    #[test]
    fn packages_are_wanted_once_their_part_exists() {
        assert_eq!(wanted(&NOTHING_YET), ["build-essential", "pkg-config"]);
        let window = wanted(&Parts { window: true, ..NOTHING_YET });
        assert!(window.contains(&"libwebkit2gtk-4.1-dev") && window.contains(&"xvfb"));
    }

    #[test]
    fn what_only_tests_need_keeps_nobody_from_building() {
        assert!(is_essential("libwebkit2gtk-4.1-dev") && is_essential("pkg-config"));
        assert!(!is_essential("xvfb") && !is_essential("webkit2gtk-driver"));
    }
}
