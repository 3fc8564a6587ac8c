//! Tests that skip themselves, which Rust's test runner counts as passed: they write a line each into a file, see
//! `crates/testkit/src/skipping.rs`.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use crate::process;
use crate::step_outcome::StepOutcome;

const REPORT: &str = "PLUMBLINE_SKIPPED";
/// How a skipped test begins in the output, from which it is counted.
pub const MARK: &str = "skipped test: ";

/// Runs tests; those that skipped themselves follow in the output.
pub fn run_tests(mut command: Command, out: &mut dyn Write) -> Result<StepOutcome> {
    let report = env::temp_dir().join(format!("plumbline-skipped-{}", std::process::id()));
    remove(&report)?;
    command.env(REPORT, &report);
    let status = process::stream(command, out)?;
    for line in lines(&read(&report)?) {
        writeln!(out, "{line}")?;
    }
    remove(&report)?;
    Ok(status.into())
}

/// One line a test, however often it said so.
fn lines(report: &str) -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    let mut lines = BTreeSet::new();
    for (test, reason) in report.lines().filter_map(|line| line.rsplit_once('\t')) {
        if tests.insert(test) {
            // Cargo adds a hash to a binary's name.
            let (binary, name) = test.split_once('\t').unwrap_or(("", test));
            let binary = binary.rsplit_once('-').map_or(binary, |(name, _)| name);
            lines.insert(format!("{MARK}{binary} {name}: {reason}"));
        }
    }
    lines
}

fn read(report: &PathBuf) -> Result<String> {
    match fs::read_to_string(report) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("could not read {}", report.display())),
    }
}

fn remove(report: &Path) -> Result<()> {
    match fs::remove_file(report) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("could not remove {}", report.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_test_is_skipped_once_and_keeps_its_first_reason() {
        let report = "identity-0a1b\tcorpora::records\tno truth\nidentity-0a1b\tcorpora::records\tno corpora\n\
                      core-2c3d\treal_answers\tno answers\n";
        let expected = [
            "skipped test: core real_answers: no answers",
            "skipped test: identity corpora::records: no truth",
        ];
        assert_eq!(lines(report).into_iter().collect::<Vec<_>>(), expected);
        assert!(lines("").is_empty(), "where all ran there is nothing to tell");
    }
}
