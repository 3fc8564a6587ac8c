//! The time, as it is written down.

use plumbline_telemetry::{Clock, SystemClock};

/// Now, ISO 8601.
pub(crate) fn now() -> String {
    SystemClock.now().to_string()
}
