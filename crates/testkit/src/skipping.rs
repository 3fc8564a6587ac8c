//! Tests that this machine cannot run.

use std::fs::OpenOptions;
use std::io::Write;

/// The file in which `cargo xtask test` looks for what was skipped.
const REPORT: &str = "PLUMBLINE_SKIPPED";

/// Says that the test which calls this, and returns next, was not run, and why.
///
/// Rust's own test runner knows no such thing and counts the test as passed, so it is also written down, and
/// `cargo xtask test` counts it as skipped.
pub fn skip(reason: &str) {
    println!("skipped: {reason}");
    let Some(report) = std::env::var_os(REPORT) else { return };
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let binary = std::env::current_exe().unwrap_or_default();
    let binary = binary.file_stem().unwrap_or_default().to_string_lossy();
    // One write, so that lines of tests which run side by side do not mix.
    let line = format!("{binary}\t{test}\t{reason}\n");
    let mut file = OpenOptions::new().create(true).append(true).open(report).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}
