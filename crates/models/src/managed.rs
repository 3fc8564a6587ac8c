//! A model that this program runs by itself: llama.cpp's server as a process of our own, off until asked for.
//!
//! The server is the child of a [guard](serve_guard), which is this same program: it ends the server when we end, however that
//! comes about, and when it takes more memory than it may. What runs is told to other programs by a file in the workspace, which
//! counts only as long as the guard holds the lock beside it.

mod error;
mod fetch;
mod guard;
mod memory;
mod process;
mod state;

use std::path::{Path, PathBuf};

use plumbline_core::settings::ManagedSettings;

pub use error::ManagedError;
pub use fetch::{FetchProgress, fetch};
pub use guard::{GUARD_ARGUMENT, GuardCommand, serve_guard};
pub use process::{ManagedServer, Status};
pub use state::{RunningModel, STATE_FILE, running};

/// Downloaded models, in the workspace.
pub const MODELS_FOLDER: &str = "models";
/// What the server's program is called.
const PROGRAM: &str = "llama-server";

/// All that is needed to run a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// llama.cpp's server.
    pub program: PathBuf,
    /// The weights.
    pub file: PathBuf,
    /// What the model is called.
    pub model: String,
    /// Tokens of prompt and reply together.
    pub context: usize,
    /// Bytes that the server may take.
    pub memory: u64,
    /// The port that is tried first.
    pub port: u16,
}

impl Plan {
    /// What the settings say, or what is missing.
    pub fn of(settings: &ManagedSettings, workspace: &Path) -> Result<Self, ManagedError> {
        let program = find_program(settings).ok_or_else(|| match &settings.program {
            Some(given) => ManagedError::NoSuchFile(given.into()),
            None => ManagedError::NoProgram,
        })?;
        let file = weights(settings, workspace)?;
        let size = std::fs::metadata(&file).map(|found| found.len());
        let size = size.map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound if settings.file.is_none() => ManagedError::NotFetched,
            std::io::ErrorKind::NotFound => ManagedError::NoSuchFile(file.clone()),
            _ => ManagedError::file(&file, &source),
        })?;
        let memory = settings.memory_mb.saturating_mul(1 << 20);
        if size > memory {
            return Err(ManagedError::TooLarge {
                megabytes: size.div_ceil(1 << 20),
                limit: settings.memory_mb,
            });
        }
        Ok(Self { program, model: name(&file), file, context: settings.context, memory, port: settings.port })
    }
}

/// llama.cpp's server: where the settings say, or wherever the system finds programs.
pub fn find_program(settings: &ManagedSettings) -> Option<PathBuf> {
    if let Some(given) = &settings.program {
        return Some(PathBuf::from(given)).filter(|path| path.is_file());
    }
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// Where the weights lie or will lie: a file of the user's, or what is downloaded.
pub fn weights(settings: &ManagedSettings, workspace: &Path) -> Result<PathBuf, ManagedError> {
    match &settings.file {
        Some(file) => Ok(file.into()),
        None => Ok(download(settings, workspace)?.file),
    }
}

/// What the model of the settings is called.
pub fn model_name(settings: &ManagedSettings, workspace: &Path) -> Option<String> {
    weights(settings, workspace).ok().map(|file| name(&file))
}

/// A download that the settings describe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// From where.
    pub address: String,
    /// What it must be, in lower case.
    pub sha256: String,
    /// To where.
    pub file: PathBuf,
}

/// What is to be downloaded. Nothing is taken that is not known by its hash.
pub fn download(settings: &ManagedSettings, workspace: &Path) -> Result<Download, ManagedError> {
    let address = settings.address.clone().ok_or(ManagedError::NoModel)?;
    let sha256 = settings.sha256.as_ref().ok_or(ManagedError::NoHash)?.trim().to_ascii_lowercase();
    if sha256.len() != 64 || !sha256.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(ManagedError::NotAHash(sha256));
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    let stem = last.strip_suffix(".gguf").unwrap_or(last);
    let tame = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let stem: String = stem.trim_start_matches('.').chars().map(tame).take(80).collect();
    let stem = if stem.is_empty() { "model".to_owned() } else { stem };
    // By its hash, so that another model of the same name is another file.
    let folder = workspace.join(MODELS_FOLDER).join(&sha256[..16]);
    Ok(Download { address, sha256, file: folder.join(format!("{stem}.gguf")) })
}

fn name(file: &Path) -> String {
    file.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
