//! Builds that say first what they will take, and then that they move.

use std::fs;
use std::io::{self, BufReader, IsTerminal, Read, Write, stderr};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::process;
use crate::workspace::Workspace;

/// Processor time that a build of everything takes on a new machine; docs/performance.md has the measurement.
const FIRST_BUILD_MINUTES: usize = 44;
/// A target folder that knows fewer crates than this has never seen a whole build.
const ALL_BUILT: usize = 500;
const MINUTE: Duration = Duration::from_secs(60);

/// Runs a command of cargo's that only builds. On a terminal cargo shows its own progress; elsewhere `screen` gets a line a
/// minute, and what cargo says goes to `out`.
pub fn build(
    workspace: &Workspace,
    mut command: Command,
    out: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<ExitStatus> {
    if let Some(announcement) = announcement(workspace) {
        writeln!(screen, "{announcement}")?;
    }
    if stderr().is_terminal() {
        return process::hand_over(&mut command);
    }
    watched(command, out, screen)
}

/// What is to be expected, where most is still to be built.
fn announcement(workspace: &Workspace) -> Option<String> {
    let known =
        fs::read_dir(workspace.target().join("debug/.fingerprint")).map_or(0, |crates| crates.count());
    let cores = available_parallelism().map_or(1, usize::from);
    (known < ALL_BUILT).then(|| expectation(cores))
}

fn expectation(cores: usize) -> String {
    let minutes = FIRST_BUILD_MINUTES.div_ceil(cores);
    format!(
        "The first build compiles some 800 crates, LanceDB among them: about {minutes} minutes on a machine with this \
         many cores ({cores}). That is once; later builds compile only what changed."
    )
}

fn watched(mut command: Command, out: &mut dyn Write, screen: &mut dyn Write) -> Result<ExitStatus> {
    writeln!(out, "$ {}", process::describe(&command))?;
    let (reader, writer) = io::pipe()?;
    process::plainly(&mut command, &writer)?;
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "80");
    let mut child = process::spawn(&mut command)?;
    // Both hold the pipe's writing end: while they live, reading never ends.
    drop((command, writer));
    let (sender, receiver) = mpsc::channel();
    // Nobody hears it any more where this thread has failed.
    let feeder = thread::spawn(move || pieces(reader, |piece| drop(sender.send(piece))));
    let started = Instant::now();
    let mut next_line = started + MINUTE;
    let mut latest = None;
    loop {
        match receiver.recv_timeout(next_line.saturating_duration_since(Instant::now())) {
            Ok(piece) => match read(&piece) {
                Some(state) => latest = Some(state),
                None => writeln!(out, "{piece}")?,
            },
            Err(RecvTimeoutError::Timeout) => {
                let minutes = started.elapsed().as_secs() / 60;
                match latest {
                    Some((done, all)) => writeln!(screen, "   {minutes} min: {done} of {all} built")?,
                    None => writeln!(screen, "   {minutes} min: cargo fetches and prepares")?,
                }
                screen.flush()?;
                next_line += MINUTE;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    feeder.join().map_err(|_| anyhow!("the thread that reads cargo's output panicked"))??;
    Ok(child.wait()?)
}

/// Hands on what lies between line ends and carriage returns, which is how progress overwrites itself.
fn pieces(reader: impl Read, mut take: impl FnMut(String)) -> io::Result<()> {
    let mut piece = Vec::new();
    for byte in BufReader::new(reader).bytes().chain([Ok(b'\n')]) {
        match byte? {
            b'\r' | b'\n' => {
                let text = String::from_utf8_lossy(&piece);
                if !text.trim().is_empty() {
                    take(text.trim_end().to_owned());
                }
                piece.clear();
            }
            byte => piece.push(byte),
        }
    }
    Ok(())
}

/// How many are built, of how many: `    Building [=====>      ] 213/640: lance, arrow-ord`.
fn read(piece: &str) -> Option<(u32, u32)> {
    let counts = piece.trim_start().strip_prefix("Building [")?.split_once("] ")?.1;
    let (done, rest) = counts.split_once('/')?;
    let all = rest.split_once(':').map_or(rest, |(all, _)| all);
    Some((done.trim().parse().ok()?, all.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{expectation, pieces, read};

    #[test]
    fn cargos_progress_is_understood() {
        assert_eq!(read("    Building [=====>      ] 213/640: lance, arrow-ord"), Some((213, 640)));
        assert_eq!(read("    Building [=======================> ] 639/640"), Some((639, 640)));
        for other in
            ["   Compiling lance v14.0.2", "error: expected `]`, found `1/2`", "    Building a 1/2 model"]
        {
            assert_eq!(read(other), None, "{other} is no progress");
        }
    }

    #[test]
    fn what_overwrites_itself_is_taken_apart() {
        let output = "   Compiling a v1\n    Building [> ] 1/9: a\r    Building [=> ] 2/9: b\r   Compiling b v1\r\n\nerror: no\n";
        let mut seen = Vec::new();
        pieces(output.as_bytes(), |piece| seen.push(piece)).unwrap();
        assert_eq!(seen.iter().filter_map(|piece| read(piece)).collect::<Vec<_>>(), [(1, 9), (2, 9)]);
        assert!(seen.contains(&"   Compiling b v1".to_owned()) && seen.contains(&"error: no".to_owned()));
    }

    #[test]
    fn more_cores_take_less_time() {
        assert!(expectation(2).contains("22 minutes") && expectation(8).contains("6 minutes"));
        assert!(expectation(2).contains("once"), "nobody should fear that it is so each time");
    }
}
