//! Faults that a test switches on and off while the fake is in use.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use plumbline_core::ports::PortError;

/// What goes wrong with a fake's calls, and how many there were.
#[derive(Debug, Default)]
pub struct Faults {
    calls: AtomicUsize,
    failures_left: AtomicUsize,
    failing: AtomicBool,
    hanging: AtomicBool,
    delay_ms: AtomicU64,
}

impl Faults {
    /// Every call fails while this is on.
    pub fn fail(&self, on: bool) {
        self.failing.store(on, Ordering::SeqCst);
    }

    /// The next `times` calls fail, and those after them do not.
    pub fn fail_times(&self, times: usize) {
        self.failures_left.store(times, Ordering::SeqCst);
    }

    /// Calls that begin while this is on never return.
    pub fn hang(&self, on: bool) {
        self.hanging.store(on, Ordering::SeqCst);
    }

    /// Every call takes this long.
    pub fn delay(&self, by: Duration) {
        self.delay_ms.store(u64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// How many calls there were, failed ones included.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Counts a call, and waits or hangs where that is switched on; whether the call is to fail.
    pub async fn meet(&self) -> bool {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if self.hanging.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        let delay = self.delay_ms.load(Ordering::SeqCst);
        if delay > 0 {
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        let counted = self
            .failures_left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
            .is_ok();
        counted || self.failing.load(Ordering::SeqCst)
    }

    /// As [`Faults::meet`], with the failure as a port reports it.
    pub async fn pass(&self, service: &'static str) -> Result<(), PortError> {
        if self.meet().await {
            return Err(PortError::Failed { service, detail: "switched off by the test".into() });
        }
        Ok(())
    }
}
