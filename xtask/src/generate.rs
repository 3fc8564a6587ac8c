//! What `crates/contract` generates, TypeScript and the settings file: writing it, and telling when what is committed is old.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use anyhow::{Context, Result, bail};

use crate::step_outcome::StepOutcome;
use crate::workspace::Workspace;
use crate::{lints, process};

/// Every file of this folder is generated, so that one which is not is old.
const FOLDER: &str = "ui/src/backend/generated";

/// Paths of files in the repository, with what is in them.
type Files = BTreeMap<PathBuf, Vec<u8>>;

pub fn generate(workspace: &Workspace) -> Result<ExitCode> {
    let fresh = produce(workspace, &mut stdout())?;
    let committed = committed(workspace, &fresh)?;
    for path in committed.keys().filter(|path| !fresh.contains_key(*path)) {
        fs::remove_file(workspace.root.join(path))?;
    }
    for (path, text) in &fresh {
        let path = workspace.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&workspace.root))?;
        fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
    }
    let changed = differences(&fresh, &committed).len();
    println!("{} files, {changed} of them changed or removed.", fresh.len());
    Ok(ExitCode::SUCCESS)
}

pub fn check(workspace: &Workspace, out: &mut dyn Write) -> Result<StepOutcome> {
    let fresh = produce(workspace, out)?;
    let differences = differences(&fresh, &committed(workspace, &fresh)?);
    if differences.is_empty() {
        return Ok(StepOutcome::Passed);
    }
    writeln!(out, "What is committed is not what crates/contract gives:")?;
    for difference in differences {
        writeln!(out, "    {difference}")?;
    }
    writeln!(out, "Run `cargo xtask generate` and commit the result.")?;
    Ok(StepOutcome::Failed)
}

/// What the contract gives today.
fn produce(workspace: &Workspace, out: &mut dyn Write) -> Result<Files> {
    let folder = env::temp_dir().join(format!("plumbline-types-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    // Built as the tests are, with everything else, so that nothing is compiled twice for it.
    let mut command = lints::cargo(workspace);
    command.args(["run", "--quiet", "--locked", "--example", "generate-types", "--"]);
    command.arg(&folder);
    let files = process::stream_ok(command, out).and_then(|()| read(&folder));
    fs::remove_dir_all(&folder)?;
    let files = files?;
    if files.is_empty() {
        bail!("generate-types wrote nothing at all");
    }
    Ok(files)
}

/// What is committed of the files that are generated, and what should not be among them.
fn committed(workspace: &Workspace, fresh: &Files) -> Result<Files> {
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "ts");
    let folder = read(&workspace.root.join(FOLDER))?;
    let mut files: Files = folder
        .into_iter()
        .filter(|(path, _)| is_script(path))
        .map(|(path, text)| (Path::new(FOLDER).join(path), text))
        .collect();
    for path in fresh.keys().filter(|path| !path.starts_with(FOLDER)) {
        let place = workspace.root.join(path);
        if place.exists() {
            files.insert(path.clone(), fs::read(place)?);
        }
    }
    Ok(files)
}

fn read(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    collect(folder, folder, &mut files).with_context(|| format!("could not read {}", folder.display()))?;
    Ok(files)
}

fn collect(base: &Path, folder: &Path, files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(base, &path, files)?;
        } else {
            let text = fs::read(&path)?;
            files.insert(path.strip_prefix(base).unwrap_or(&path).to_path_buf(), text);
        }
    }
    Ok(())
}

fn differences(fresh: &Files, committed: &Files) -> Vec<String> {
    let paths: BTreeSet<_> = fresh.keys().chain(committed.keys()).collect();
    let describe = |path: &PathBuf| match (fresh.get(path), committed.get(path)) {
        (Some(_), None) => Some(format!("{}: missing", path.display())),
        (None, _) => Some(format!("{}: no longer generated", path.display())),
        (Some(new), Some(old)) => (new != old).then(|| format!("{}: differs", path.display())),
    };
    paths.into_iter().filter_map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::{Files, differences};

    fn files(entries: &[(&str, &str)]) -> Files {
        entries.iter().map(|(path, text)| (path.into(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn each_file_that_is_not_as_generated_is_named() {
        let fresh = files(&[("Answer.ts", "new"), ("Same.ts", "same"), ("events/Delta.ts", "x")]);
        let committed = files(&[("Answer.ts", "old"), ("Same.ts", "same"), ("Gone.ts", "y")]);
        let expected = ["Answer.ts: differs", "Gone.ts: no longer generated", "events/Delta.ts: missing"];
        assert_eq!(differences(&fresh, &committed), expected);
        assert!(differences(&fresh, &fresh).is_empty(), "a folder does not differ from itself");
    }
}
