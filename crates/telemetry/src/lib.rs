//! What the assistant tells about itself: request context, metrics, JSON logs and audit records.
//!
//! Nothing here knows the domain: labels, components and reasons are text that the caller chooses.

#![warn(missing_docs)]

pub mod audit;
pub mod clock;
pub mod context;
pub mod hash;
pub mod logs;
pub mod metrics;

pub use audit::{AuditError, AuditHistory, AuditLog, AuditRecord, AuditSink, MemoryAudit, NullAudit};
pub use clock::{Clock, ManualClock, SystemClock};
pub use context::{RequestContext, Route};
pub use hash::sha256_hex;
pub use logs::{LogError, LogGuard, LogLevel, LogPrivacy, LogSettings, MemoryLog, init_logs, json_layer};
pub use metrics::names;
pub use metrics::{Metrics, Percentiles, Rates, Snapshot};

#[cfg(test)]
mod observability_tests;
