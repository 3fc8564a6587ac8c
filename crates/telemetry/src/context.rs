//! What one request carries through every stage: its id, route and active fallbacks.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tracing::Span;

use crate::clock::Clock;

/// How a question travels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Through several collections.
    #[default]
    Tree,
    /// Straight to one collection.
    Direct,
}

impl Route {
    /// The name used in logs, labels and audit records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Direct => "direct",
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The identity of one request. Clones are cheap and share their state.
///
/// Events reach the logs with the request's fields when they are emitted inside [`RequestContext::span`].
#[derive(Clone)]
pub struct RequestContext {
    inner: Arc<Inner>,
}

struct Inner {
    request_id: String,
    clock: Arc<dyn Clock>,
    started: Duration,
    span: Span,
    state: Mutex<State>,
}

struct State {
    route: Route,
    fallback_flags: Vec<String>,
}

impl RequestContext {
    /// Opens a request; `elapsed` counts from here.
    pub fn new(request_id: impl Into<String>, route: Route, clock: Arc<dyn Clock>) -> Self {
        let request_id = request_id.into();
        // At ERROR, so that no level setting can take the request's fields away from an event; without a
        // parent, so that a request started while another is current does not inherit its fields.
        let span = tracing::error_span!(
            target: "router",
            parent: None,
            "request",
            request_id = request_id.as_str(),
            route = route.as_str(),
            fallback_flags = "[]",
        );
        let state = Mutex::new(State { route, fallback_flags: Vec::new() });
        Self { inner: Arc::new(Inner { request_id, started: clock.monotonic(), clock, span, state }) }
    }

    /// The id shared by everything this request logs and records.
    pub fn request_id(&self) -> &str {
        &self.inner.request_id
    }

    /// The route taken so far.
    pub fn route(&self) -> Route {
        self.state().route
    }

    /// Changes the route; events from now on carry the new one.
    pub fn set_route(&self, route: Route) {
        let mut state = self.state();
        state.route = route;
        self.inner.span.record("route", route.as_str());
    }

    /// Notes an active fallback, once; flags keep the order in which they were first added.
    pub fn add_fallback(&self, flag: &str) {
        let mut state = self.state();
        if state.fallback_flags.iter().any(|known| known == flag) {
            return;
        }
        state.fallback_flags.push(flag.to_owned());
        let json = serde_json::Value::from(state.fallback_flags.clone()).to_string();
        // Recorded under the lock: two threads must not record their flags in the wrong order.
        self.inner.span.record("fallback_flags", json.as_str());
    }

    /// The active fallbacks.
    pub fn fallback_flags(&self) -> Vec<String> {
        self.state().fallback_flags.clone()
    }

    /// Time since the request was opened.
    pub fn elapsed(&self) -> Duration {
        self.inner.clock.monotonic().saturating_sub(self.inner.started)
    }

    /// The span "request": enter it, or instrument a future with a clone of it.
    pub fn span(&self) -> &Span {
        &self.inner.span
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RequestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("RequestContext")
            .field("request_id", &self.inner.request_id)
            .field("route", &state.route)
            .field("fallback_flags", &state.fallback_flags)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn flags_keep_their_order_without_doubles_and_are_shared_by_clones() {
        let context =
            RequestContext::new("req-1", Route::Tree, Arc::new(ManualClock::new(Timestamp::UNIX_EPOCH)));
        let clone = context.clone();
        clone.add_fallback("circuit_open");
        context.add_fallback("bm25_only");
        clone.add_fallback("circuit_open");
        clone.set_route(Route::Direct);

        assert_eq!(context.fallback_flags(), ["circuit_open", "bm25_only"]);
        assert_eq!(context.route(), Route::Direct);
    }

    #[test]
    fn elapsed_counts_from_the_opening_of_the_request() {
        let clock = Arc::new(ManualClock::new(Timestamp::UNIX_EPOCH));
        clock.advance(Duration::from_secs(9));
        let context = RequestContext::new("req-1", Route::Tree, clock.clone());
        clock.advance(Duration::from_millis(120));
        assert_eq!(context.elapsed(), Duration::from_millis(120));
    }

    #[test]
    fn a_route_reads_the_same_in_json_and_in_labels() {
        for route in [Route::Tree, Route::Direct] {
            assert_eq!(serde_json::to_value(route).unwrap(), route.as_str());
        }
    }
}
