//! The guard: this program, started once more, as the parent of the server.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::memory;

/// The first argument of the process that guards the server.
pub const GUARD_ARGUMENT: &str = "guard-model-server";
/// The second one of the process that becomes the server.
const BECOME: &str = "become";
/// Where llama.cpp's server takes its key from: no other user can read it there, as they could among the arguments.
const KEY_VARIABLE: &str = "LLAMA_API_KEY";
/// How often it is looked whether all is well.
const PULSE: Duration = Duration::from_millis(50);
/// So much of what the server says last is kept.
const LAST_LINES: usize = 6;
const LONGEST_LINE: usize = 400;
/// Somebody who only looks whether it is held lets go of the lock at once.
const LOCK_TRIES: u32 = 20;

/// How the guard is started: a program, and what comes before [`GUARD_ARGUMENT`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardCommand {
    /// The program.
    pub program: PathBuf,
}

impl GuardCommand {
    /// This program.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self { program: std::env::current_exe()? })
    }
}

/// What the guard is to do, as the first line of its input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub key: String,
    pub memory: u64,
    pub lock: PathBuf,
    pub state: PathBuf,
}

/// What the guard tells, a line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Told {
    /// Somebody else guards a server of this workspace.
    Taken,
    /// The server is a process now.
    Started { process: u32 },
    /// It could not be started.
    NotStarted { why: String },
    /// It took too much memory and was ended.
    Memory,
    /// It ended by itself.
    Ended { status: String, words: String },
}

fn tell(told: &Told) {
    if let Ok(line) = serde_json::to_string(told) {
        // Who does not listen any more is about to close our input.
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }
}

/// Runs the server that is ordered on standard input until that closes, which it does when whoever started us is gone.
pub fn serve_guard() -> ! {
    let mut arguments = std::env::args_os().skip(2);
    if arguments.next().is_some_and(|argument| argument == BECOME) {
        become_server(arguments.collect());
    }
    let mut input = BufReader::new(std::io::stdin());
    let mut line = String::new();
    let read = input.read_line(&mut line);
    if let (Ok(1..), Ok(order)) = (read, serde_json::from_str::<Order>(&line)) {
        let (gone, ended) = channel();
        thread::spawn(move || {
            let _ = input.read_to_end(&mut Vec::new());
            let _ = gone.send(());
        });
        guard(&order, &ended);
    }
    std::process::exit(0)
}

fn guard(order: &Order, ended: &Receiver<()>) {
    let Some(_lock) = locked(order) else { return tell(&Told::Taken) };
    let mut server = match start(order) {
        Ok(server) => server,
        Err(problem) => return tell(&Told::NotStarted { why: problem.to_string() }),
    };
    let words = last_words(&mut server);
    tell(&Told::Started { process: server.id() });
    let told = loop {
        match ended.recv_timeout(PULSE) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => break None,
        }
        if let Ok(Some(status)) = server.try_wait() {
            let words = words.lock().unwrap_or_else(PoisonError::into_inner);
            let words = words.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
            break Some(Told::Ended { status: shown(status), words });
        }
        if memory::used(server.id()).is_some_and(|used| used > order.memory) {
            break Some(Told::Memory);
        }
    };
    // It may have ended by itself.
    let _ = server.kill();
    let _ = server.wait();
    let _ = std::fs::remove_file(&order.state);
    if let Some(told) = told {
        tell(&told);
    }
}

fn locked(order: &Order) -> Option<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&order.lock).ok()?;
    for _ in 0..LOCK_TRIES {
        if file.try_lock().is_ok() {
            return Some(file);
        }
        thread::sleep(PULSE);
    }
    None
}

/// A signal has no code, and what Rust says of it is English.
fn shown(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| code.to_string())
}

fn last_words(server: &mut Child) -> Arc<Mutex<VecDeque<String>>> {
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    if let Some(errors) = server.stderr.take() {
        let kept = Arc::clone(&kept);
        thread::spawn(move || {
            let mut lines = BufReader::new(errors);
            let mut line = Vec::new();
            while matches!(lines.by_ref().take(64 * 1024).read_until(b'\n', &mut line), Ok(1..)) {
                let text: String = String::from_utf8_lossy(&line).trim().chars().take(LONGEST_LINE).collect();
                line.clear();
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if !text.is_empty() {
                    kept.push_back(text);
                }
                while kept.len() > LAST_LINES {
                    kept.pop_front();
                }
            }
        });
    }
    kept
}

/// On Linux the server is told to end with us even where we are killed: a process asks that for itself, and then becomes the server.
#[cfg(target_os = "linux")]
fn start(order: &Order) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([GUARD_ARGUMENT, BECOME, &std::process::id().to_string()]).arg(&order.program);
    spawn(command, order)
}

#[cfg(not(target_os = "linux"))]
fn start(order: &Order) -> std::io::Result<Child> {
    spawn(Command::new(&order.program), order)
}

fn spawn(mut command: Command, order: &Order) -> std::io::Result<Child> {
    command.args(&order.arguments).env(KEY_VARIABLE, &order.key);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

#[cfg(target_os = "linux")]
fn become_server(arguments: Vec<std::ffi::OsString>) -> ! {
    use std::os::unix::process::CommandExt;

    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    let mut arguments = arguments.into_iter();
    let parent = arguments.next().and_then(|id| id.to_str()?.parse::<i32>().ok());
    let asked = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    // A guard that was gone before we asked sends nothing.
    let still_there = getppid().map(|id| id.as_raw_nonzero().get()) == parent;
    if let (true, true, Some(program)) = (asked, still_there, arguments.next()) {
        let problem = Command::new(&program).args(arguments).exec();
        eprintln!("{}: {problem}", program.display());
    }
    std::process::exit(127)
}

#[cfg(not(target_os = "linux"))]
fn become_server(_: Vec<std::ffi::OsString>) -> ! {
    std::process::exit(127)
}
