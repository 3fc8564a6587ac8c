use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::fmt::MakeWriter;

/// A log kept in memory, for tests. Clones share their lines.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl MemoryLog {
    /// What has been written so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// The lines written so far, read as JSON.
    pub fn entries(&self) -> Result<Vec<serde_json::Value>, serde_json::Error> {
        self.text().lines().map(serde_json::from_str).collect()
    }
}

impl Write for MemoryLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for MemoryLog {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
