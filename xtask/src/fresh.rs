//! `cargo xtask fresh`: the README's commands, and the package, on a bare machine.
//!
//! A machine on which somebody develops has everything already. So this makes a minimal Debian or Ubuntu in a folder, copies the
//! Rust toolchain and Node into it and nothing else, and does there what a new user would do.

mod package;
mod root;
mod stages;
mod system;

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::process;
use crate::workspace::Workspace;
use root::Root;
use stages::Stage;
use system::System;

const USAGE: &str = "usage: cargo xtask fresh [--root debian-12|ubuntu-24.04] [--stage run|test|package] [--anew]

Without --stage all of them, one after the other. What is there is used again, so that a stage which was stopped goes on where it
was; --anew begins with an empty root. Logs are kept beside the roots.";

struct Wish {
    system: &'static System,
    stages: Vec<Stage>,
    anew: bool,
}

pub fn fresh(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let wish = read(arguments)?;
    if process::answer("id", &["-u"]).as_deref() != Some("0") {
        bail!("a root folder with its own packages takes the rights of root: run it with sudo");
    }
    for stage in wish.stages {
        let log = root::folder(workspace).join(format!("{}-{}.log", wish.system.name, stage.name()));
        println!("== {} on {}, log in {}", stage.name(), wish.system.name, log.display());
        stdout().flush()?;
        let succeeded = match stage {
            Stage::Package => package::try_out(workspace, wish.system, &log)?,
            Stage::Run | Stage::Test => {
                let root = Root::ready(workspace, wish.system, "build", wish.anew)?;
                stages::build(workspace, &root, stage, &log)?
            }
        };
        if !succeeded {
            bail!("`{}` failed on a bare {}: see {}", stage.name(), wish.system.name, log.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(arguments: &[String]) -> Result<Wish> {
    let mut wish = Wish { system: &system::SYSTEMS[0], stages: Stage::ALL.to_vec(), anew: false };
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match (argument, argument == "--root" || argument == "--stage") {
            ("--anew", _) => wish.anew = true,
            (name, true) => {
                let value = arguments.next().unwrap_or_default();
                let system = system::SYSTEMS.iter().find(|system| name == "--root" && system.name == value);
                let stage = Stage::ALL.into_iter().find(|stage| name == "--stage" && stage.name() == value);
                match (system, stage) {
                    (Some(system), _) => wish.system = system,
                    (_, Some(stage)) => wish.stages = vec![stage],
                    _ => bail!("`{name}` cannot be `{value}`\n\n{USAGE}"),
                }
            }
            (other, false) => bail!("`{other}` is not understood\n\n{USAGE}"),
        }
    }
    Ok(wish)
}

#[cfg(test)]
mod tests {
    use super::read;

    fn wished(line: &str) -> Option<(&'static str, Vec<&'static str>, bool)> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let wish = read(&words).ok()?;
        Some((wish.system.name, wish.stages.iter().map(|stage| stage.name()).collect(), wish.anew))
    }

    #[test]
    fn what_is_not_said_is_debian_and_everything() {
        assert_eq!(wished(""), Some(("debian-12", vec!["run", "test", "package"], false)));
        assert_eq!(
            wished("--stage run --root ubuntu-24.04 --anew"),
            Some(("ubuntu-24.04", vec!["run"], true))
        );
    }

    #[test]
    fn what_cannot_be_done_is_not_begun() {
        for wrong in ["--root", "--root fedora", "--stage debian-12", "--root run", "again"] {
            assert_eq!(wished(wrong), None, "{wrong}");
        }
    }
}
