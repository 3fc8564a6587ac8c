//! Dialogs belong to the system, and a test cannot press their buttons. In debug builds the environment may hold the answers.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Paths in the order in which dialogs will ask for them, separated as in `PATH`; an empty one stands for "cancel".
const VARIABLE: &str = "PLUMBLINE_TEST_DIALOGS";

pub struct PreparedAnswers(Mutex<VecDeque<PathBuf>>);

impl PreparedAnswers {
    pub fn of_environment() -> Self {
        let paths = std::env::var_os(VARIABLE);
        Self(Mutex::new(paths.iter().flat_map(|paths| std::env::split_paths(paths)).collect()))
    }

    /// The next answer; nothing where the user is to be asked.
    pub fn next(&self) -> Option<Option<PathBuf>> {
        let path = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()?;
        Some((!path.as_os_str().is_empty()).then_some(path))
    }
}
