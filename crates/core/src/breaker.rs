//! Circuit breakers: a service that keeps failing is left alone for a while, and comes back by itself.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plumbline_telemetry::{Clock, Metrics, names};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::settings::BreakerSettings;

#[cfg(test)]
mod tests;

/// Whether a service is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum BreakerState {
    /// Asked as usual.
    Closed,
    /// Asked by one probe at a time, to see whether it has recovered.
    HalfOpen,
    /// Left alone.
    Open,
}

impl BreakerState {
    /// The name in logs and stages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::HalfOpen => "half_open",
            Self::Open => "open",
        }
    }

    const fn gauge(self) -> f64 {
        match self {
            Self::Closed => names::BREAKER_CLOSED,
            Self::HalfOpen => names::BREAKER_HALF_OPEN,
            Self::Open => names::BREAKER_OPEN,
        }
    }
}

/// The service is not to be asked now.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{service} failed repeatedly and is left alone; the next try is in {} s", seconds(*.retry_in))]
pub struct CircuitOpen {
    /// The service.
    pub service: &'static str,
    /// How long until it is tried again; zero while a probe is under way.
    pub retry_in: Duration,
}

/// The breaker of one service. Clones share their state.
#[derive(Clone)]
pub struct Breaker {
    shared: Arc<Shared>,
}

struct Shared {
    service: &'static str,
    settings: BreakerSettings,
    clock: Arc<dyn Clock>,
    metrics: Metrics,
    inner: Mutex<Inner>,
}

struct Inner {
    state: BreakerState,
    /// Grows with every change of state; a permit of an earlier generation has no say.
    generation: u64,
    failures: u32,
    successes: u32,
    opened_at: Duration,
    probing: bool,
}

impl Breaker {
    /// A closed breaker. The service's name is the label of its metrics.
    pub fn new(
        service: &'static str,
        settings: BreakerSettings,
        clock: Arc<dyn Clock>,
        metrics: Metrics,
    ) -> Self {
        metrics.set(&names::CIRCUIT_BREAKER_STATE, [service], names::BREAKER_CLOSED);
        let inner = Inner {
            state: BreakerState::Closed,
            generation: 0,
            failures: 0,
            successes: 0,
            opened_at: Duration::ZERO,
            probing: false,
        };
        Self { shared: Arc::new(Shared { service, settings, clock, metrics, inner: Mutex::new(inner) }) }
    }

    /// Leave to ask the service once, or when it will be tried again.
    ///
    /// The caller tells the permit how it went; a permit that is dropped, because the request was cancelled, counts
    /// as neither.
    pub fn permit(&self) -> Result<Permit, CircuitOpen> {
        let shared = &self.shared;
        let mut inner = shared.lock();
        if inner.state == BreakerState::Open {
            let retry_in = shared.remaining(&inner);
            if !retry_in.is_zero() {
                return Err(CircuitOpen { service: shared.service, retry_in });
            }
            shared.change(&mut inner, BreakerState::HalfOpen);
        }
        if inner.state == BreakerState::HalfOpen {
            if inner.probing {
                return Err(CircuitOpen { service: shared.service, retry_in: Duration::ZERO });
            }
            inner.probing = true;
        }
        Ok(Permit { shared: Arc::clone(shared), generation: inner.generation, recorded: false })
    }

    /// Whether the service is asked. An open breaker turns half-open with the first request after its time is up.
    pub fn state(&self) -> BreakerState {
        self.shared.lock().state
    }

    /// How long until the service is tried again; nothing while it is asked as usual.
    pub fn retry_in(&self) -> Option<Duration> {
        self.outage().map(|(_, retry_in)| retry_in)
    }

    fn outage(&self) -> Option<(BreakerState, Duration)> {
        let inner = self.shared.lock();
        match inner.state {
            BreakerState::Closed => None,
            BreakerState::HalfOpen => Some((inner.state, Duration::ZERO)),
            BreakerState::Open => Some((inner.state, self.shared.remaining(&inner))),
        }
    }

    /// The service's name.
    pub fn service(&self) -> &'static str {
        self.shared.service
    }
}

impl fmt::Debug for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Breaker").field("service", &self.service()).field("state", &self.state()).finish()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is complete before anything could panic, so a poisoned state is still a state.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remaining(&self, inner: &Inner) -> Duration {
        let waited = self.clock.monotonic().saturating_sub(inner.opened_at);
        Duration::from_secs(self.settings.timeout_seconds).saturating_sub(waited)
    }

    fn change(&self, inner: &mut Inner, state: BreakerState) {
        inner.state = state;
        inner.generation += 1;
        inner.failures = 0;
        inner.successes = 0;
        inner.probing = false;
        let service = self.service;
        // Under the lock, so that the gauge never shows a state that is already past.
        self.metrics.set(&names::CIRCUIT_BREAKER_STATE, [service], state.gauge());
        match state {
            BreakerState::Open => {
                inner.opened_at = self.clock.monotonic();
                self.metrics.inc(&names::CIRCUIT_BREAKER_TRIP_TOTAL, [service]);
                tracing::warn!(target: "breaker", event = "circuit_open", service);
            }
            BreakerState::HalfOpen => {
                tracing::info!(target: "breaker", event = "circuit_half_open", service);
            }
            BreakerState::Closed => tracing::info!(target: "breaker", event = "circuit_closed", service),
        }
    }

    fn record(&self, generation: u64, outcome: CallOutcome) {
        let mut inner = self.lock();
        if inner.generation != generation {
            return;
        }
        match (inner.state, outcome) {
            (BreakerState::Closed, CallOutcome::Success) => inner.failures = 0,
            (BreakerState::Closed, CallOutcome::Failure) => {
                inner.failures += 1;
                if inner.failures >= self.settings.failure_threshold {
                    self.change(&mut inner, BreakerState::Open);
                }
            }
            (BreakerState::HalfOpen, CallOutcome::Success) => {
                inner.probing = false;
                inner.successes += 1;
                if inner.successes >= self.settings.success_threshold {
                    self.change(&mut inner, BreakerState::Closed);
                }
            }
            (BreakerState::HalfOpen, CallOutcome::Failure) => self.change(&mut inner, BreakerState::Open),
            (BreakerState::HalfOpen, CallOutcome::Cancelled) => inner.probing = false,
            (BreakerState::Closed, CallOutcome::Cancelled) | (BreakerState::Open, _) => {}
        }
    }
}

#[derive(Clone, Copy)]
enum CallOutcome {
    Success,
    Failure,
    Cancelled,
}

/// Leave to ask a service once.
#[must_use = "a permit that is dropped at once counts as a cancelled request"]
pub struct Permit {
    shared: Arc<Shared>,
    generation: u64,
    recorded: bool,
}

impl Permit {
    /// The service answered.
    pub fn success(mut self) {
        self.recorded = true;
        self.shared.record(self.generation, CallOutcome::Success);
    }

    /// The service failed, or did not answer in time.
    pub fn failure(mut self) {
        self.recorded = true;
        self.shared.record(self.generation, CallOutcome::Failure);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.recorded {
            self.shared.record(self.generation, CallOutcome::Cancelled);
        }
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("service", &self.shared.service).finish_non_exhaustive()
    }
}

/// One breaker per service.
#[derive(Debug, Clone)]
pub struct Breakers {
    /// Vectors.
    pub embeddings: Breaker,
    /// Language models.
    pub generation: Breaker,
    /// The vocabulary of record.
    pub vocabulary: Breaker,
    /// The cross-encoder.
    pub reranker: Breaker,
}

/// A service that is off or being tried, as the window's banner names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BannerItem {
    /// The service.
    pub service: String,
    /// Whether it is asked.
    pub state: BreakerState,
    /// Whole seconds until it is tried again; zero where the next question tries it.
    pub retry_in_seconds: u64,
}

impl Breakers {
    /// Closed breakers for all services.
    pub fn new(settings: BreakerSettings, clock: &Arc<dyn Clock>, metrics: &Metrics) -> Self {
        let breaker = |service| Breaker::new(service, settings, Arc::clone(clock), metrics.clone());
        Self {
            embeddings: breaker("embeddings"),
            generation: breaker("generation"),
            vocabulary: breaker("vocabulary"),
            reranker: breaker("reranker"),
        }
    }

    /// What is not asked as usual; empty when all is well.
    pub fn banner(&self) -> Vec<BannerItem> {
        [&self.embeddings, &self.generation, &self.vocabulary, &self.reranker]
            .into_iter()
            .filter_map(|breaker| {
                let (state, retry_in) = breaker.outage()?;
                let service = breaker.service().to_owned();
                Some(BannerItem { service, state, retry_in_seconds: seconds(retry_in) })
            })
            .collect()
    }
}

/// Whole seconds, rounded up: "in 0 s" would be untrue a moment before the time is up.
fn seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
