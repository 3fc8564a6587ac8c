//! Running other programs.

use std::io::{self, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Runs a command with both its outputs, in the order written, going to `out`.
pub fn stream(mut command: Command, out: &mut dyn Write) -> Result<ExitStatus> {
    let line = describe(&command);
    writeln!(out, "$ {line}")?;
    let (mut reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    // What is captured is parsed and printed later, so colours would only be in the way.
    command
        .env("CARGO_TERM_COLOR", "never")
        .env("NO_COLOR", "1")
        .env("TERM", "dumb")
        .env_remove("FORCE_COLOR");
    let mut child = command.spawn().with_context(|| format!("could not start `{line}`"))?;
    // The command holds the pipe's writing end: while it lives, reading never ends.
    drop(command);
    io::copy(&mut reader, out)?;
    Ok(child.wait()?)
}

/// Like [`stream`], for a command that must succeed.
pub fn stream_ok(command: Command, out: &mut dyn Write) -> Result<()> {
    let line = describe(&command);
    let status = stream(command, out)?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs a command on this terminal.
pub fn hand_over(command: &mut Command) -> Result<ExitStatus> {
    command.status().with_context(|| format!("could not start `{}`", describe(command)))
}

/// What a quiet command prints, or nothing where it is absent or fails.
pub fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Our exit code for a child's.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    match status.code() {
        Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        None => ExitCode::FAILURE,
    }
}

fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
