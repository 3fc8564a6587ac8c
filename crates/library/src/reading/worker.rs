//! A process that reads files for another one: requests come in on its standard input, answers go out on its standard output, each
//! as JSON behind its length. The one who asks kills it when it takes too long.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::{Deserialize, Serialize};

use super::Unreadable;
use super::reader::{FileContent, WorkerCommand, read_file};

/// A program that is started with this as its first argument calls [`serve_worker`] at once.
pub const WORKER_ARGUMENT: &str = "__read-files";

/// What a worker may take of the address space.
#[cfg(target_os = "linux")]
const MAX_MEMORY: u64 = 2 << 30;
/// Parsers of nested things need a deep stack.
const STACK: usize = 64 << 20;
const MAX_REQUEST: usize = 1 << 20;

/// What one file may cost.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Limits {
    pub max_bytes: u64,
    pub max_text: usize,
}

impl Limits {
    /// Text may be escaped, and every few characters may be a block.
    const fn max_answer(self) -> usize {
        (self.max_text.saturating_mul(12)).saturating_add(16 << 20)
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    /// Not a string: paths need not be Unicode.
    path: OsString,
    limits: Limits,
}

type Answer = Result<FileContent, Unreadable>;

/// Why no answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It was no longer there when it was asked.
    Gone,
    Crashed,
    TooSlow,
    TooLarge,
}

/// The side that asks.
#[derive(Debug)]
pub(super) struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<io::Result<Vec<u8>>>,
}

impl Worker {
    pub fn start(command: &WorkerCommand, limits: Limits) -> Result<Self, Unreadable> {
        let cannot = |error: io::Error| {
            let program = command.program.display().to_string().into();
            let reader = Detail::of(Message::UnreadableReader, [("program", program)]);
            Unreadable::NoAccess { reason: Detail::about(reader, error.to_string()).into() }
        };
        let mut process = Command::new(&command.program)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot)?;
        let requests = process.stdin.take();
        let (send, answers) = channel();
        if let Some(mut output) = process.stdout.take() {
            // Ends with the process, or when nobody waits for answers any more.
            thread::spawn(move || {
                loop {
                    let frame = read_frame(&mut output, limits.max_answer());
                    let last = frame.is_err();
                    if send.send(frame).is_err() || last {
                        break;
                    }
                }
            });
        }
        Ok(Self { process, requests, answers })
    }

    pub fn ask(&mut self, path: &Path, limits: Limits, deadline: Duration) -> Result<Answer, Fault> {
        let request = Request { path: path.as_os_str().to_owned(), limits };
        let request = serde_json::to_vec(&request).map_err(|_| Fault::Gone)?;
        let requests = self.requests.as_mut().ok_or(Fault::Gone)?;
        write_frame(requests, &request).map_err(|_| Fault::Gone)?;
        match self.answers.recv_timeout(deadline) {
            Ok(Ok(frame)) => serde_json::from_slice(&frame).map_err(|_| Fault::Crashed),
            Ok(Err(error)) if error.kind() == ErrorKind::FileTooLarge => Err(Fault::TooLarge),
            Err(RecvTimeoutError::Timeout) => Err(Fault::TooSlow),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(Fault::Crashed),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be busy with a file for ever, so closing its input is not enough. Nothing can be done where killing fails.
        drop(self.requests.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Answers requests until the one who asks goes away; never returns.
pub fn serve_worker() -> ! {
    limit_memory();
    // What a parser has to say when it breaks down is for nobody.
    std::panic::set_hook(Box::new(|_| {}));
    let (send, requests) = channel::<Vec<u8>>();
    let reading = thread::Builder::new().stack_size(STACK).spawn(move || {
        for request in requests {
            if answer(&request).is_err() {
                std::process::exit(0);
            }
        }
    });
    if reading.is_err() {
        std::process::exit(1);
    }
    // Listening here while the other thread reads: when the input closes, the process ends even in the middle of a file.
    let mut input = io::stdin().lock();
    while let Ok(request) = read_frame(&mut input, MAX_REQUEST) {
        if send.send(request).is_err() {
            break;
        }
    }
    std::process::exit(0)
}

fn answer(request: &[u8]) -> io::Result<()> {
    let request: Request = serde_json::from_slice(request)?;
    let mut answer: Answer = read_file(Path::new(&request.path), request.limits);
    let mut frame = serde_json::to_vec(&answer)?;
    if frame.len() > request.limits.max_answer() {
        answer = Err(Unreadable::too_large(Message::UnreadableStructure));
        frame = serde_json::to_vec(&answer)?;
    }
    write_frame(&mut io::stdout().lock(), &frame)
}

#[cfg(target_os = "linux")]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limits = [(Resource::As, MAX_MEMORY), (Resource::Core, 0)];
    for (resource, limit) in limits {
        let maximum = getrlimit(resource).maximum;
        let limit = maximum.map_or(limit, |maximum| maximum.min(limit));
        // Where the system refuses, the deadline is still there.
        let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum });
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_memory() {}

fn read_frame(input: &mut impl Read, max: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > max {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut frame = Vec::new();
    // The length is not trusted with memory before the bytes are there.
    input.take(length as u64).read_to_end(&mut frame)?;
    if frame.len() < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(frame)
}

fn write_frame(output: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
    output.write_all(&length.to_be_bytes())?;
    output.write_all(frame)?;
    output.flush()
}
