//! Files on disk, read within limits.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::worker::{Fault, Limits, Worker};
use super::{Format, MAX_TEXT, ReadDocument, Unreadable, format, read_within};

/// What reading may cost, and where it happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderOptions {
    /// Larger files are not opened.
    pub max_bytes: u64,
    /// How long one file may take. Holds only where a worker reads.
    pub deadline: Duration,
    /// The most characters of text in a document.
    pub max_text: usize,
    /// The program that reads in its own process, so that a file that brings a parser down or keeps it busy for ever costs that
    /// file alone; without one files are read in this process.
    pub worker: Option<WorkerCommand>,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self { max_bytes: 50_000_000, deadline: Duration::from_secs(30), max_text: MAX_TEXT, worker: None }
    }
}

/// How a worker is started; the program must call [`serve_worker`](super::serve_worker).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// What it is started with.
    pub args: Vec<String>,
}

impl WorkerCommand {
    /// The running program, started with [`WORKER_ARGUMENT`](super::WORKER_ARGUMENT).
    pub fn this_program() -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, args: vec![super::WORKER_ARGUMENT.to_owned()] })
    }
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileContent {
    /// What it says.
    pub document: ReadDocument,
    /// The hash of its bytes.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Reads files; may be shared between threads, each of which gets a worker of its own.
#[derive(Debug)]
pub struct Reader {
    options: ReaderOptions,
    idle: Mutex<Vec<Worker>>,
}

impl Reader {
    /// A reader; workers start when they are needed.
    pub fn new(options: ReaderOptions) -> Self {
        Self { options, idle: Mutex::new(Vec::new()) }
    }

    /// Reads a file.
    pub fn read(&self, path: &Path) -> Result<FileContent, Unreadable> {
        let limits = Limits { max_bytes: self.options.max_bytes, max_text: self.options.max_text };
        match &self.options.worker {
            Some(command) => self.ask(command, path, limits),
            None => read_file(path, limits),
        }
    }

    fn ask(&self, command: &WorkerCommand, path: &Path, limits: Limits) -> Result<FileContent, Unreadable> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::start(command, limits)?,
        };
        let answer = match worker.ask(path, limits, self.options.deadline) {
            // It went away between two files; this one is not to blame.
            Err(Fault::Gone) => {
                worker = Worker::start(command, limits)?;
                worker.ask(path, limits, self.options.deadline)
            }
            answer => answer,
        };
        match answer {
            Ok(answer) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
                answer
            }
            Err(Fault::Gone | Fault::Crashed) => Err(Unreadable::Crashed),
            Err(Fault::TooSlow) => Err(Unreadable::TooSlow { seconds: self.options.deadline.as_secs() }),
            Err(Fault::TooLarge) => Err(Unreadable::too_large(Message::UnreadableStructure)),
        }
    }
}

/// Reads a file in this process.
pub(super) fn read_file(path: &Path, limits: Limits) -> Result<FileContent, Unreadable> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let metadata = fs::metadata(path).map_err(|error| fault(&error))?;
    if !metadata.is_file() {
        return Err(Unreadable::NotAFile);
    }
    if Format::of(&name).is_none() {
        return Err(Unreadable::UnknownFormat { extension: format::extension(&name).to_owned() });
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    let read = File::open(path).and_then(|file| file.take(limits.max_bytes + 1).read_to_end(&mut bytes));
    read.map_err(|error| fault(&error))?;
    if bytes.len() as u64 > limits.max_bytes {
        let size = format!("{} MB", limits.max_bytes / 1_000_000).into();
        return Err(Unreadable::too_large(Detail::of(Message::UnreadableBytes, [("size", size)])));
    }
    let document = catch_unwind(AssertUnwindSafe(|| read_within(&name, &bytes, limits.max_text)))
        .unwrap_or(Err(Unreadable::Crashed))?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileContent { document, sha256, bytes: bytes.len() as u64 })
}

fn fault(error: &io::Error) -> Unreadable {
    match error.kind() {
        ErrorKind::NotFound => Unreadable::NotFound,
        ErrorKind::IsADirectory => Unreadable::NotAFile,
        _ => Unreadable::NoAccess { reason: Detail::from(error.to_string()).into() },
    }
}
