//! Running other programs.

use std::io::{self, PipeWriter, Write};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Runs a command with both its outputs, in the order written, going to `out`.
pub fn stream(mut command: Command, out: &mut dyn Write) -> Result<ExitStatus> {
    writeln!(out, "$ {}", describe(&command))?;
    let (mut reader, writer) = io::pipe()?;
    plainly(&mut command, &writer)?;
    let mut child = spawn(&mut command)?;
    // Both hold the pipe's writing end: while they live, reading never ends.
    drop((command, writer));
    io::copy(&mut reader, out)?;
    Ok(child.wait()?)
}

/// Has a command write both its outputs into a pipe, without colours: what is captured is parsed and printed later.
pub fn plainly(command: &mut Command, pipe: &PipeWriter) -> io::Result<()> {
    command.stdin(Stdio::null()).stdout(pipe.try_clone()?).stderr(pipe.try_clone()?);
    command
        .env("CARGO_TERM_COLOR", "never")
        .env("NO_COLOR", "1")
        .env("TERM", "dumb")
        .env_remove("FORCE_COLOR");
    Ok(())
}

pub fn spawn(command: &mut Command) -> Result<Child> {
    command.spawn().with_context(|| format!("could not start `{}`", describe(command)))
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

pub fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
