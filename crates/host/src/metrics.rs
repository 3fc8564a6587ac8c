use plumbline_contract::{CommandError, MetricsFormat, MetricsSnapshot};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// All metrics at this moment.
    pub async fn metrics(&self) -> Result<MetricsSnapshot, CommandError> {
        Err(unfinished())
    }

    /// Asks where to, and writes the metrics there; the path, or nothing where the user changed their mind.
    pub async fn export_metrics(&self, format: MetricsFormat) -> Result<Option<String>, CommandError> {
        let _ = format;
        Err(unfinished())
    }
}
