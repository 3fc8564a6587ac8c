//! The metrics registry: declared families in, snapshots out.

mod definition;
pub mod names;
mod rates;
mod snapshot;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use prometheus::core::{Collector, MetricVec, MetricVecBuilder};
use prometheus::{GaugeVec, HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};

use definition::{AnyDef, DefKind};
pub use definition::{CounterDef, GaugeDef, HistogramDef, ScalarDef};
pub use rates::Rates;
pub use snapshot::{
    Bucket, Family, FamilyKind, HistogramValue, Percentiles, Sample, SampleValue, Snapshot, SnapshotError,
};

/// Counts what happens. Clones are cheap and count together.
#[derive(Clone)]
pub struct Metrics {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    counters: HashMap<&'static str, IntCounterVec>,
    gauges: HashMap<&'static str, GaugeVec>,
    histograms: HashMap<&'static str, HistogramVec>,
    carried: Snapshot,
}

impl Metrics {
    /// A registry with every metric of [`names`]; series whose label values are known in advance start at zero.
    pub fn new() -> Self {
        Self::with_carried(Snapshot::default())
    }

    /// As [`Metrics::new`], and adds the counters and histograms of an earlier process to every snapshot.
    ///
    /// Gauges tell what is now and are not carried. What no longer fits a declaration (a retired name, other
    /// labels, other buckets) or is not a sound number is left out.
    pub fn with_carried(mut carried: Snapshot) -> Self {
        carried.keep_only_declared(names::ALL);
        let mut inner = Inner {
            registry: Registry::new(),
            counters: HashMap::new(),
            gauges: HashMap::new(),
            histograms: HashMap::new(),
            carried,
        };
        for def in names::ALL {
            if let Err(error) = inner.register(def) {
                // A mistake in `names`, which a test rules out; counting less must not stop the assistant.
                tracing::error!(target: "metrics", event = "metric_not_registered", name = def.name, %error);
            }
        }
        let metrics = Self { inner: Arc::new(inner) };
        metrics.show_known_series();
        metrics
    }

    /// Adds one.
    pub fn inc<const N: usize>(&self, def: &CounterDef<N>, labels: [&str; N]) {
        self.inc_by(def, labels, 1);
    }

    /// Adds `by`; zero makes the series visible.
    pub fn inc_by<const N: usize>(&self, def: &CounterDef<N>, labels: [&str; N], by: u64) {
        if let Some(counter) = series(&self.inner.counters, def.name, &labels) {
            counter.inc_by(by);
        }
    }

    /// Sets a gauge; a value that is not finite is ignored.
    pub fn set<const N: usize>(&self, def: &GaugeDef<N>, labels: [&str; N], value: f64) {
        if !value.is_finite() {
            return;
        }
        if let Some(gauge) = series(&self.inner.gauges, def.name, &labels) {
            gauge.set(value);
        }
    }

    /// Counts an observation; a value that is not finite is ignored, as it would spoil the sum for good.
    pub fn observe<const N: usize>(&self, def: &HistogramDef<N>, labels: [&str; N], value: f64) {
        if !value.is_finite() {
            return;
        }
        if let Some(histogram) = series(&self.inner.histograms, def.name, &labels) {
            histogram.observe(value);
        }
    }

    /// The value of one series with what was carried over; zero for one that was never touched.
    pub fn value<const N: usize>(&self, def: &impl ScalarDef<N>, labels: [&str; N]) -> f64 {
        self.snapshot().value(def, labels).unwrap_or(0.0)
    }

    /// All series that have been touched, with what was carried over.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::from_gathered(&self.inner.registry.gather());
        snapshot.merge(&self.inner.carried);
        snapshot
    }

    fn show_known_series(&self) {
        for reason in names::ABSTENTION_REASONS {
            self.inc_by(&names::RAG_ABSTENTION_TOTAL, [reason], 0);
        }
        for service in names::SERVICES {
            self.inc_by(&names::CIRCUIT_BREAKER_TRIP_TOTAL, [service], 0);
            self.set(&names::CIRCUIT_BREAKER_STATE, [service], names::BREAKER_CLOSED);
        }
        self.inc_by(&names::SENTENCE_RECITED_TOTAL, [], 0);
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Inner {
    fn register(&mut self, def: &AnyDef) -> prometheus::Result<()> {
        let options = Opts::new(def.name, def.help);
        match def.kind {
            DefKind::Counter => {
                let vec = IntCounterVec::new(options, def.labels)?;
                self.registry.register(boxed(&vec))?;
                self.counters.insert(def.name, vec);
            }
            DefKind::Gauge => {
                let vec = GaugeVec::new(options, def.labels)?;
                self.registry.register(boxed(&vec))?;
                self.gauges.insert(def.name, vec);
            }
            DefKind::Histogram { buckets } => {
                let options = HistogramOpts::from(options).buckets(buckets.to_vec());
                let vec = HistogramVec::new(options, def.labels)?;
                self.registry.register(boxed(&vec))?;
                self.histograms.insert(def.name, vec);
            }
        }
        Ok(())
    }
}

fn boxed<C: Collector + Clone + 'static>(collector: &C) -> Box<dyn Collector> {
    Box::new(collector.clone())
}

fn series<B: MetricVecBuilder>(
    families: &HashMap<&'static str, MetricVec<B>>,
    name: &str,
    labels: &[&str],
) -> Option<B::M> {
    families.get(name)?.get_metric_with_label_values(labels).ok()
}

#[cfg(test)]
mod tests;
