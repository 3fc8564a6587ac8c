//! `cargo xtask same OLD`: asks an older build and this one the same questions and prints what differs in their responses.
//!
//! Questions go through the command line, which prints the whole response as JSON and whose flags older builds understand too. What
//! models said, and what lying and honest turns are held against, is in the core's tests: those write their outcomes for this.

mod asking;
mod difference;
mod outcomes;
mod sets;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::progress;
use crate::workspace::Workspace;
use asking::Program;
use difference::{Answer, Comparison};

const USAGE: &str = "usage: cargo xtask same OLD [--new PATH] [--old-tests PATH] [--new-tests PATH] [--only SET]

OLD is an older `plumbline`, or the folder that holds it; --new another one than this checkout's. --old-tests is the older build's
test program `core` (target/debug/deps/core-…): with it, outcomes of models' replies, lying and honest turns are compared too.
--only names one set: golden, outcomes, or a library of the shared questions.";

/// The set of what the core's tests write down.
const OUTCOMES: &str = "outcomes";
const PROGRAM: &str = if cfg!(windows) { "plumbline.exe" } else { "plumbline" };

#[derive(Debug, Default, PartialEq)]
struct Wish {
    old: PathBuf,
    new: Option<PathBuf>,
    old_tests: Option<PathBuf>,
    new_tests: Option<PathBuf>,
    only: Option<String>,
}

impl Wish {
    fn wants(&self, set: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == set)
    }
}

pub fn same(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let wish = read(arguments)?;
    let mut sets = sets::all(workspace)?;
    sets.retain(|set| wish.wants(&set.name));
    let mut differing = 0;
    let mut closing = Vec::new();
    let mut close = |name: &str, compared: Comparison| {
        differing += compared.differing;
        closing.push(format!("{name}: {} asked, {} differ", compared.asked, compared.differing));
    };
    if !sets.is_empty() {
        let old = Program::at(program(&wish.old)?, workspace);
        let new = match &wish.new {
            Some(path) => Program::at(program(path)?, workspace),
            None => Program::at(built(workspace)?, workspace),
        };
        for set in &sets {
            let (before, after) = asking::side_by_side(&old, &new, set)?;
            close(&set.name, told(&set.name, &before, &after));
        }
    }
    match &wish.old_tests {
        Some(old) if wish.wants(OUTCOMES) => {
            let new = match &wish.new_tests {
                Some(path) => path.clone(),
                None => outcomes::built(workspace)?,
            };
            let (before, after) = (outcomes::of(old)?, outcomes::of(&new)?);
            close(OUTCOMES, told(OUTCOMES, &before, &after));
        }
        None if wish.only.as_deref() == Some(OUTCOMES) => bail!("outcomes need --old-tests\n\n{USAGE}"),
        None if wish.only.is_none() => {
            println!("{OUTCOMES}: skipped, because --old-tests names no test program")
        }
        _ => {}
    }
    if closing.is_empty() {
        bail!("there is no set `{}`", wish.only.unwrap_or_default());
    }
    closing.iter().for_each(|line| println!("{line}"));
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what differs.
fn told(set: &str, before: &[Answer], after: &[Answer]) -> Comparison {
    let compared = difference::compare(before, after);
    for (question, difference) in &compared.differences {
        println!("== {set} {question}\n{difference}");
    }
    compared
}

fn read(arguments: &[String]) -> Result<Wish> {
    let mut wish = Wish::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if !argument.starts_with("--") && wish.old.as_os_str().is_empty() {
            wish.old = argument.into();
            continue;
        }
        let value = arguments.next().filter(|value| !value.starts_with("--"));
        let Some(value) = value else { bail!("`{argument}` is not understood\n\n{USAGE}") };
        match argument.as_str() {
            "--new" => wish.new = Some(value.into()),
            "--old-tests" => wish.old_tests = Some(value.into()),
            "--new-tests" => wish.new_tests = Some(value.into()),
            "--only" => wish.only = Some(value.clone()),
            _ => bail!("`{argument}` is not understood\n\n{USAGE}"),
        }
    }
    if wish.old.as_os_str().is_empty() {
        bail!("an older build must be named\n\n{USAGE}");
    }
    Ok(wish)
}

/// The command line at a path, or in the folder that it names.
fn program(path: &Path) -> Result<PathBuf> {
    let path = if path.is_dir() { path.join(PROGRAM) } else { path.to_owned() };
    if !path.is_file() {
        bail!("there is no {}", path.display());
    }
    Ok(std::path::absolute(path)?)
}

/// This checkout's command line, built as the packages are.
fn built(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--workspace", "--bins", "--locked"]);
    let mut out = std::io::stdout();
    if !progress::build(workspace, command, &mut out, &mut std::io::stdout())?.success() {
        bail!("this checkout could not be built");
    }
    program(&workspace.target().join("release"))
}

#[cfg(test)]
mod tests {
    use super::{Wish, read};

    fn wished(line: &str) -> Option<Wish> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&words).ok()
    }

    #[test]
    fn the_old_build_is_all_that_must_be_said() {
        assert_eq!(wished("old"), Some(Wish { old: "old".into(), ..Wish::default() }));
        let all = wished("--new b a --old-tests c --new-tests d --only golden").unwrap();
        assert_eq!((all.old, all.new), ("a".into(), Some("b".into())));
        assert_eq!((all.old_tests, all.new_tests), (Some("c".into()), Some("d".into())));
        assert_eq!(all.only.as_deref(), Some("golden"));
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        for wrong in ["", "--new", "a --new", "a b", "a --new --only", "a --older b"] {
            assert_eq!(wished(wrong), None, "{wrong}");
        }
    }
}
