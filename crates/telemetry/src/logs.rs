//! Logs as JSON lines: one object per event, with the request's fields in every line.

mod fields;
mod layer;
mod line;
mod memory;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, WorkerGuard};
use tracing_appender::rolling::{InitError, RollingFileAppender, Rotation};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;

use crate::clock::SystemClock;
pub use layer::{JsonLayer, json_layer};
pub use memory::MemoryLog;

/// Where logs go and what they may say.
#[derive(Debug, Clone)]
pub struct LogSettings {
    /// The folder, made if it is missing. One file a day, `plumbline.<date>.jsonl`.
    pub folder: PathBuf,
    /// How many daily files to keep; at least two, zero keeps all.
    pub max_files: usize,
    /// Whether to leave the user's words out.
    pub privacy: bool,
    /// The least severe level to write.
    pub level: LogLevel,
}

/// How severe an event must be to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Only what failed.
    Error,
    /// And what degraded.
    Warn,
    /// And what happened.
    #[default]
    Info,
    /// And how it happened.
    Debug,
    /// Everything.
    Trace,
}

/// Whether the user's words (the fields `query` and `term`) are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogPrivacy {
    /// They are.
    #[default]
    Off,
    /// They are left out.
    On,
}

/// Why logging could not start.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The log file could not be made.
    #[error("log file in {}: {source}", folder.display())]
    File {
        /// The folder it was to be made in.
        folder: PathBuf,
        /// What the system said.
        source: InitError,
    },
    /// Another subscriber receives this process's events already.
    #[error("this process has a log subscriber already")]
    AlreadySet,
}

/// Keeps the log writer running; what is still queued is written when it is dropped.
#[must_use = "logging stops when the guard is dropped"]
#[derive(Debug)]
pub struct LogGuard {
    dropped: ErrorCounter,
    _worker: WorkerGuard,
}

impl LogGuard {
    /// Lines lost because the disk did not keep up.
    pub fn dropped_lines(&self) -> usize {
        self.dropped.dropped_lines()
    }
}

/// Sends the events of this process to daily files, for as long as the guard lives.
///
/// Events of other libraries are written from `WARN` up only: below that they tell about themselves, and in
/// fields that the privacy rules do not know.
pub fn init_logs(settings: LogSettings) -> Result<LogGuard, LogError> {
    // The appender counts today's file among the old ones when it starts: with a limit of one, every start
    // would delete the log of the day.
    let max_files = if settings.max_files == 0 { 0 } else { settings.max_files.max(2) };
    // The appender complains on standard error where the folder is still to be made; where it cannot be made, it says why.
    let _ = std::fs::create_dir_all(&settings.folder);
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("plumbline")
        .filename_suffix("jsonl")
        .max_log_files(max_files)
        .build(&settings.folder)
        .map_err(|source| LogError::File { folder: settings.folder, source })?;
    let (writer, worker) = NonBlocking::new(files);
    let dropped = writer.error_counter();

    let level = LevelFilter::from(settings.level);
    let wanted =
        filter_fn(move |event| *event.level() <= level_for(event.target(), level)).with_max_level_hint(level);
    let layer = json_layer(writer, settings.privacy.into(), Arc::new(SystemClock)).with_filter(wanted);
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))
        .map_err(|_| LogError::AlreadySet)?;
    Ok(LogGuard { dropped, _worker: worker })
}

/// Ours are bare component names ("router") or modules of our crates; a module path of another crate is theirs.
fn level_for(target: &str, ours: LevelFilter) -> LevelFilter {
    if target.starts_with("plumbline") || !target.contains("::") { ours } else { ours.min(LevelFilter::WARN) }
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
            LogLevel::Trace => Self::TRACE,
        }
    }
}

impl From<bool> for LogPrivacy {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

#[cfg(test)]
mod tests;
