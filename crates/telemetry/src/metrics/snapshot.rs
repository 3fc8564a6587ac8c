//! The state of all metrics at one moment: what is stored, shown and exported.

use std::collections::BTreeMap;

use prometheus::TextEncoder;
use prometheus::proto::{self, MetricType};
use serde::{Deserialize, Serialize};

use super::definition::{AnyDef, CounterDef, DefKind, HistogramDef, ScalarDef};
use super::rates::Rates;

/// All families with at least one series, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The families, sorted by name.
    pub families: Vec<Family>,
}

/// One metric with its series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Family {
    /// The metric's name.
    pub name: String,
    /// Counter, gauge or histogram.
    pub kind: FamilyKind,
    /// What it counts.
    pub help: String,
    /// Its series, sorted by their labels.
    pub samples: Vec<Sample>,
}

/// What the samples of a family are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyKind {
    /// A number that only grows.
    Counter,
    /// A number that goes up and down.
    Gauge,
    /// Observations in buckets.
    Histogram,
}

/// One series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FlatSample", into = "FlatSample")]
pub struct Sample {
    /// Label names and values.
    pub labels: BTreeMap<String, String>,
    /// What was counted.
    pub value: SampleValue,
}

/// The content of a series.
#[derive(Debug, Clone, PartialEq)]
pub enum SampleValue {
    /// Of a counter or gauge.
    Number(f64),
    /// Of a histogram.
    Histogram(HistogramValue),
}

/// Observations by bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramValue {
    /// Cumulative counts by finite upper bound; the bucket `+Inf` is `count`.
    pub buckets: Vec<Bucket>,
    /// Sum of all observations.
    pub sum: f64,
    /// Number of observations.
    pub count: u64,
}

/// Observations at or under a bound.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// The bound, inclusive.
    pub le: f64,
    /// How many observations are at or under it.
    pub count: u64,
}

/// The middle and the slow end of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Percentiles {
    /// Half of the observations are at or under it.
    pub p50: f64,
    /// 95 % of the observations are at or under it.
    pub p95: f64,
}

/// Why stored metrics could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("metrics snapshot: {0}")]
pub struct SnapshotError(#[from] serde_json::Error);

impl Snapshot {
    /// Reads what [`Snapshot::to_json`] wrote.
    pub fn from_json(json: &str) -> Result<Self, SnapshotError> {
        Ok(serde_json::from_str(json)?)
    }

    /// The snapshot as indented JSON.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        Ok(serde_json::to_string_pretty(self)?)
    }

    /// The snapshot in Prometheus' text exposition format, version 0.0.4.
    pub fn to_prometheus_text(&self) -> String {
        let encoder = TextEncoder::new();
        let mut text = String::new();
        for family in &self.families {
            let mut part = String::new();
            // The encoder refuses a family without name or samples; there is nothing to show of one.
            if encoder.encode_utf8(&[family.to_proto()], &mut part).is_ok() {
                text.push_str(&part);
            }
        }
        text
    }

    /// The value of one series of a counter or gauge.
    pub fn value<const N: usize>(&self, def: &impl ScalarDef<N>, labels: [&str; N]) -> Option<f64> {
        let wanted = label_map(def.labels(), &labels);
        let sample = self.family(def.name())?.samples.iter().find(|sample| sample.labels == wanted)?;
        match sample.value {
            SampleValue::Number(value) => Some(value),
            SampleValue::Histogram(_) => None,
        }
    }

    /// A counter summed over all its series.
    pub fn total<const N: usize>(&self, def: &CounterDef<N>) -> f64 {
        let samples = self.family(def.name).map_or(&[][..], |family| &family.samples);
        samples
            .iter()
            .map(|sample| match sample.value {
                SampleValue::Number(value) => value,
                SampleValue::Histogram(_) => 0.0,
            })
            .sum()
    }

    /// The series of a counter with one label, by that label.
    pub fn by_label(&self, def: &CounterDef<1>) -> Vec<(String, f64)> {
        let samples = self.family(def.name).map_or(&[][..], |family| &family.samples);
        let number = |sample: &Sample| match sample.value {
            SampleValue::Number(value) => Some((sample.labels.values().next()?.clone(), value)),
            SampleValue::Histogram(_) => None,
        };
        samples.iter().filter_map(number).collect()
    }

    /// The series of a histogram with one label, by that label.
    pub fn histograms_by_label(&self, def: &HistogramDef<1>) -> Vec<(String, &HistogramValue)> {
        let samples = self.family(def.name).map_or(&[][..], |family| &family.samples);
        let labelled = samples.iter().filter_map(|sample| Some((sample, sample.labels.values().next()?)));
        labelled.filter_map(|(sample, label)| Some((label.clone(), sample.histogram()?))).collect()
    }

    /// One series of a histogram.
    pub fn histogram<const N: usize>(
        &self,
        def: &HistogramDef<N>,
        labels: [&str; N],
    ) -> Option<&HistogramValue> {
        let wanted = label_map(&def.labels, &labels);
        let sample = self.family(def.name)?.samples.iter().find(|sample| sample.labels == wanted)?;
        sample.histogram()
    }

    /// A histogram summed over all its series.
    pub fn histogram_total<const N: usize>(&self, def: &HistogramDef<N>) -> Option<HistogramValue> {
        let mut series = self.family(def.name)?.samples.iter().filter_map(Sample::histogram);
        let mut total = series.next()?.clone();
        for other in series {
            total.add(other);
        }
        Some(total)
    }

    /// The percentiles of a histogram over all its series.
    pub fn percentiles<const N: usize>(&self, def: &HistogramDef<N>) -> Option<Percentiles> {
        self.histogram_total(def)?.percentiles()
    }

    /// The rates over everything this snapshot has counted.
    pub fn rates(&self) -> Rates {
        Rates::of(self)
    }

    /// Adds the counters and histograms of `earlier` to this snapshot's.
    ///
    /// Gauges are not taken, as they told what was then. A histogram with other buckets than this snapshot's is
    /// left out, since its observations cannot be placed.
    pub fn merge(&mut self, earlier: &Snapshot) {
        for theirs in &earlier.families {
            if theirs.kind == FamilyKind::Gauge {
                continue;
            }
            match self.families.iter_mut().find(|family| family.name == theirs.name) {
                Some(ours) if ours.kind == theirs.kind => ours.merge(theirs),
                Some(_) => {}
                None => self.families.push(theirs.clone()),
            }
        }
        self.families.sort_by(|a, b| a.name.cmp(&b.name));
    }

    pub(super) fn from_gathered(gathered: &[proto::MetricFamily]) -> Self {
        Self { families: gathered.iter().filter_map(Family::from_proto).collect() }
    }

    /// Drops every series that the registry could not have written itself.
    pub(super) fn keep_only_declared(&mut self, declared: &[AnyDef]) {
        self.families.retain_mut(|family| {
            let Some(def) = declared.iter().find(|def| def.name == family.name) else { return false };
            if family.kind != FamilyKind::of(def) {
                return false;
            }
            family.help = def.help.to_owned();
            family.samples.retain(|sample| sample.fits(def));
            !family.samples.is_empty()
        });
    }

    fn family(&self, name: &str) -> Option<&Family> {
        self.families.iter().find(|family| family.name == name)
    }
}

impl Family {
    fn merge(&mut self, earlier: &Family) {
        let layout = self.samples.first().and_then(Sample::histogram).cloned();
        for theirs in &earlier.samples {
            if let (Some(layout), Some(histogram)) = (&layout, theirs.histogram())
                && !layout.same_buckets(histogram)
            {
                continue;
            }
            match self.samples.iter_mut().find(|sample| sample.labels == theirs.labels) {
                Some(ours) => ours.add(theirs),
                None => self.samples.push(theirs.clone()),
            }
        }
        self.samples.sort_by(|a, b| a.labels.cmp(&b.labels));
    }

    fn from_proto(family: &proto::MetricFamily) -> Option<Self> {
        let kind = match family.get_field_type() {
            MetricType::COUNTER => FamilyKind::Counter,
            MetricType::GAUGE => FamilyKind::Gauge,
            MetricType::HISTOGRAM => FamilyKind::Histogram,
            MetricType::SUMMARY | MetricType::UNTYPED => return None,
        };
        let mut samples: Vec<_> =
            family.get_metric().iter().map(|metric| Sample::from_proto(kind, metric)).collect();
        samples.sort_by(|a, b| a.labels.cmp(&b.labels));
        Some(Self { name: family.name().to_owned(), kind, help: family.help().to_owned(), samples })
    }

    fn to_proto(&self) -> proto::MetricFamily {
        let mut family = proto::MetricFamily::default();
        family.set_name(self.name.clone());
        family.set_help(self.help.clone());
        family.set_field_type(match self.kind {
            FamilyKind::Counter => MetricType::COUNTER,
            FamilyKind::Gauge => MetricType::GAUGE,
            FamilyKind::Histogram => MetricType::HISTOGRAM,
        });
        family.set_metric(self.samples.iter().map(|sample| sample.to_proto(self.kind)).collect());
        family
    }
}

impl FamilyKind {
    fn of(def: &AnyDef) -> Self {
        match def.kind {
            DefKind::Counter => Self::Counter,
            DefKind::Gauge => Self::Gauge,
            DefKind::Histogram { .. } => Self::Histogram,
        }
    }
}

impl Sample {
    fn histogram(&self) -> Option<&HistogramValue> {
        match &self.value {
            SampleValue::Histogram(histogram) => Some(histogram),
            SampleValue::Number(_) => None,
        }
    }

    fn add(&mut self, other: &Sample) {
        match (&mut self.value, &other.value) {
            (SampleValue::Number(ours), SampleValue::Number(theirs)) => *ours += theirs,
            (SampleValue::Histogram(ours), SampleValue::Histogram(theirs)) => ours.add(theirs),
            _ => {}
        }
    }

    fn fits(&self, def: &AnyDef) -> bool {
        let labels_fit = self.labels.len() == def.labels.len()
            && def.labels.iter().all(|label| self.labels.contains_key(*label));
        let value_fits = match (&self.value, &def.kind) {
            (SampleValue::Number(value), DefKind::Counter) => value.is_finite() && *value >= 0.0,
            (SampleValue::Number(value), DefKind::Gauge) => value.is_finite(),
            (SampleValue::Histogram(histogram), DefKind::Histogram { buckets }) => {
                histogram.is_sound()
                    && histogram.buckets.iter().map(|bucket| bucket.le).eq(buckets.iter().copied())
            }
            _ => false,
        };
        labels_fit && value_fits
    }

    fn from_proto(kind: FamilyKind, metric: &proto::Metric) -> Self {
        let labels =
            metric.get_label().iter().map(|pair| (pair.name().to_owned(), pair.value().to_owned())).collect();
        let value = match kind {
            FamilyKind::Counter => SampleValue::Number(metric.get_counter().get_value()),
            FamilyKind::Gauge => SampleValue::Number(metric.get_gauge().get_value()),
            FamilyKind::Histogram => {
                SampleValue::Histogram(HistogramValue::from_proto(metric.get_histogram()))
            }
        };
        Self { labels, value }
    }

    fn to_proto(&self, kind: FamilyKind) -> proto::Metric {
        let labels = self.labels.iter().map(|(name, value)| {
            let mut pair = proto::LabelPair::default();
            pair.set_name(name.clone());
            pair.set_value(value.clone());
            pair
        });
        let mut metric = proto::Metric::from_label(labels.collect());
        match &self.value {
            SampleValue::Number(value) if kind == FamilyKind::Gauge => {
                let mut gauge = proto::Gauge::default();
                gauge.set_value(*value);
                metric.set_gauge(gauge);
            }
            SampleValue::Number(value) => {
                let mut counter = proto::Counter::default();
                counter.set_value(*value);
                metric.set_counter(counter);
            }
            SampleValue::Histogram(histogram) => metric.set_histogram(histogram.to_proto()),
        }
        metric
    }
}

impl HistogramValue {
    /// Estimates the value that a share `q` of the observations is at or under, linear inside a bucket.
    ///
    /// `None` without observations. Past the last finite bound nothing is known, so that bound is the answer.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        if self.count == 0 || !(0.0..=1.0).contains(&q) {
            return None;
        }
        let rank = q * self.count as f64;
        let (mut lower, mut below) = (0.0, 0_u64);
        for bucket in &self.buckets {
            let inside = bucket.count.saturating_sub(below);
            if inside > 0 && bucket.count as f64 >= rank {
                let share = (rank - below as f64) / inside as f64;
                return Some(lower + (bucket.le - lower) * share);
            }
            (lower, below) = (bucket.le, bucket.count);
        }
        self.buckets.last().map(|bucket| bucket.le)
    }

    /// The median and the 95th percentile.
    pub fn percentiles(&self) -> Option<Percentiles> {
        Some(Percentiles { p50: self.quantile(0.5)?, p95: self.quantile(0.95)? })
    }

    fn same_buckets(&self, other: &HistogramValue) -> bool {
        self.buckets.iter().map(|bucket| bucket.le).eq(other.buckets.iter().map(|bucket| bucket.le))
    }

    fn is_sound(&self) -> bool {
        self.sum.is_finite()
            && self.buckets.is_sorted_by_key(|bucket| bucket.count)
            && self.buckets.last().is_none_or(|last| last.count <= self.count)
    }

    fn add(&mut self, other: &HistogramValue) {
        if !self.same_buckets(other) {
            return;
        }
        for (ours, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            ours.count = ours.count.saturating_add(theirs.count);
        }
        self.sum += other.sum;
        self.count = self.count.saturating_add(other.count);
    }

    fn from_proto(histogram: &proto::Histogram) -> Self {
        let buckets = histogram
            .get_bucket()
            .iter()
            .map(|bucket| Bucket { le: bucket.upper_bound(), count: bucket.cumulative_count() })
            .filter(|bucket| bucket.le.is_finite())
            .collect();
        Self { buckets, sum: histogram.get_sample_sum(), count: histogram.get_sample_count() }
    }

    fn to_proto(&self) -> proto::Histogram {
        let buckets = self.buckets.iter().map(|bucket| {
            let mut proto = proto::Bucket::default();
            proto.set_upper_bound(bucket.le);
            proto.set_cumulative_count(bucket.count);
            proto
        });
        let mut histogram = proto::Histogram::default();
        histogram.set_bucket(buckets.collect());
        histogram.set_sample_sum(self.sum);
        histogram.set_sample_count(self.count);
        histogram
    }
}

fn label_map(names: &[&str], values: &[&str]) -> BTreeMap<String, String> {
    names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The JSON of a sample: `labels` with either `value`, or `buckets`, `sum` and `count`.
#[derive(Serialize, Deserialize)]
struct FlatSample {
    labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    buckets: Option<Vec<Bucket>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

impl From<Sample> for FlatSample {
    fn from(sample: Sample) -> Self {
        let labels = sample.labels;
        match sample.value {
            SampleValue::Number(value) => {
                Self { labels, value: Some(value), buckets: None, sum: None, count: None }
            }
            SampleValue::Histogram(HistogramValue { buckets, sum, count }) => {
                Self { labels, value: None, buckets: Some(buckets), sum: Some(sum), count: Some(count) }
            }
        }
    }
}

impl TryFrom<FlatSample> for Sample {
    type Error = &'static str;

    fn try_from(flat: FlatSample) -> Result<Self, Self::Error> {
        let value = match (flat.value, flat.buckets, flat.sum, flat.count) {
            (Some(value), None, None, None) => SampleValue::Number(value),
            (None, Some(buckets), Some(sum), Some(count)) => {
                SampleValue::Histogram(HistogramValue { buckets, sum, count })
            }
            _ => return Err("a sample has either `value`, or `buckets`, `sum` and `count`"),
        };
        Ok(Self { labels: flat.labels, value })
    }
}
