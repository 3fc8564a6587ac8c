//! Time comes in as an argument: everything that needs it holds a [`Clock`].

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Where time comes from.
pub trait Clock: Send + Sync {
    /// The wall clock, which may jump.
    fn now(&self) -> Timestamp;

    /// Time since a fixed but arbitrary point; it never goes back, so differences are durations.
    fn monotonic(&self) -> Duration;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        ORIGIN.elapsed()
    }
}

/// A clock that moves only when told to, for tests and replays.
#[derive(Debug)]
pub struct ManualClock {
    start: Timestamp,
    elapsed_nanos: AtomicU64,
}

impl ManualClock {
    /// A clock that stands still at `start`.
    pub fn new(start: Timestamp) -> Self {
        Self { start, elapsed_nanos: AtomicU64::new(0) }
    }

    /// Moves both the wall clock and the monotonic clock forward.
    pub fn advance(&self, by: Duration) {
        let nanos = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        // The closure always returns Some, so the update cannot fail.
        let _ = self
            .elapsed_nanos
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |now| Some(now.saturating_add(nanos)));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.start.checked_add(self.monotonic()).unwrap_or(Timestamp::MAX)
    }

    fn monotonic(&self) -> Duration {
        Duration::from_nanos(self.elapsed_nanos.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_advanced() {
        let start: Timestamp = "2026-02-09T10:30:00Z".parse().unwrap();
        let clock = Arc::new(ManualClock::new(start));
        let port: Arc<dyn Clock> = clock.clone();
        assert_eq!((port.now(), port.monotonic()), (start, Duration::ZERO));

        clock.advance(Duration::from_millis(1500));
        assert_eq!(port.now().to_string(), "2026-02-09T10:30:01.5Z");
        assert_eq!(port.monotonic(), Duration::from_millis(1500));
    }

    #[test]
    fn a_manual_clock_stops_at_the_end_of_time() {
        let clock = ManualClock::new(Timestamp::MAX);
        clock.advance(Duration::MAX);
        clock.advance(Duration::from_secs(1));
        assert_eq!(clock.now(), Timestamp::MAX, "an overflow must not panic or go back");
    }
}
