//! What two builds of the core's tests make of recorded replies, lying turns and honest ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::difference::Answer;
use crate::lints;
use crate::workspace::Workspace;

/// The file to which the tests write a line for every reply: see `crates/core/tests/core/outcomes.rs`.
const FILE: &str = "PLUMBLINE_OUTCOMES";
/// The tests that write them.
const TESTS: [&str; 3] =
    ["real_answers::real_answers", "liar::liar_over_500_turns", "honest::honest_over_500_turns"];

/// The core's test program of this checkout, built as `cargo xtask test` builds it.
pub fn built(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = lints::cargo(workspace);
    command.args(["test", "--workspace", "--locked", "--test", "core", "--no-run"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = command.output().context("could not start cargo")?;
    if !output.status.success() {
        bail!("the core's tests could not be built");
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    programs.next().context("cargo named no test program")
}

/// What a test program writes down, by the reply's name.
pub fn of(program: &Path) -> Result<Vec<Answer>> {
    let file = env::temp_dir().join(format!("plumbline-outcomes-{}", std::process::id()));
    let mut command = Command::new(program);
    command.args(TESTS).args(["--exact", "--test-threads=1"]).env(FILE, &file);
    let ran = command.output().with_context(|| format!("could not start {}", program.display()))?;
    let written = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(&file);
    if written.is_empty() {
        let said = String::from_utf8_lossy(&ran.stdout);
        bail!("{} writes no outcomes; it is older than them, or failed:\n{said}", program.display());
    }
    // A test that fails has written its outcomes all the same: they are what is compared.
    let outcome = |line: &str| -> Result<Answer> {
        let value: Value = serde_json::from_str(line).context("an outcome is no JSON")?;
        let reply = value["reply"].as_str().context("an outcome names no reply")?.to_owned();
        Ok(Answer::of(&reply, value, &env::temp_dir()))
    };
    written.lines().map(outcome).collect()
}
