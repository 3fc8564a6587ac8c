//! One record per question: enough to see, and to replay, why it was answered as it was.

mod log;
mod record;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

pub use log::{AuditHistory, AuditLog};
pub use record::{
    AuditCandidate, AuditCitation, AuditConfidence, AuditDroppedMarker, AuditGate, AuditGeneration,
    AuditLane, AuditRecord, AuditRetrieval, AuditRouting, AuditStage, AuditWithheld,
};

/// Where audit records go.
pub trait AuditSink: Send + Sync {
    /// Keeps one record.
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError>;
}

/// Why a record could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The file or folder could not be used.
    #[error("audit log {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The record has no JSON form.
    #[error("audit record: {0}")]
    Encode(#[from] serde_json::Error),
}

/// Keeps records in memory, for tests.
#[derive(Debug, Default)]
pub struct MemoryAudit {
    records: Mutex<Vec<AuditRecord>>,
}

impl MemoryAudit {
    /// The records so far.
    pub fn records(&self) -> Vec<AuditRecord> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl AuditSink for MemoryAudit {
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
        Ok(())
    }
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullAudit;

impl AuditSink for NullAudit {
    fn record(&self, _: &AuditRecord) -> Result<(), AuditError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
