//! Ids that repeat from run to run.

use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_core::ports::IdSource;

/// `req-000001`, `req-000002`, …
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl SequentialIds {
    /// Begins with `req-000001`.
    pub fn new() -> Self {
        Self::default()
    }
}

impl IdSource for SequentialIds {
    fn request_id(&self) -> String {
        format!("req-{:06}", self.0.fetch_add(1, Ordering::SeqCst) + 1)
    }
}
