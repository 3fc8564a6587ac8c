//! How a metric is declared: its name, help and labels, with the number of labels in the type.

/// A number that only grows, once per combination of label values.
#[derive(Debug)]
pub struct CounterDef<const N: usize> {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) labels: [&'static str; N],
}

/// A number that goes up and down.
#[derive(Debug)]
pub struct GaugeDef<const N: usize> {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) labels: [&'static str; N],
}

/// Observations counted in buckets.
#[derive(Debug)]
pub struct HistogramDef<const N: usize> {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) labels: [&'static str; N],
    pub(super) buckets: &'static [f64],
}

/// A definition of any kind and arity, as the registry sees it.
pub(super) struct AnyDef {
    pub name: &'static str,
    pub help: &'static str,
    pub labels: &'static [&'static str],
    pub kind: DefKind,
}

pub(super) enum DefKind {
    Counter,
    Gauge,
    Histogram { buckets: &'static [f64] },
}

impl<const N: usize> CounterDef<N> {
    pub(super) const fn any(&'static self) -> AnyDef {
        AnyDef { name: self.name, help: self.help, labels: &self.labels, kind: DefKind::Counter }
    }
}

impl<const N: usize> GaugeDef<N> {
    pub(super) const fn any(&'static self) -> AnyDef {
        AnyDef { name: self.name, help: self.help, labels: &self.labels, kind: DefKind::Gauge }
    }
}

impl<const N: usize> HistogramDef<N> {
    pub(super) const fn any(&'static self) -> AnyDef {
        let kind = DefKind::Histogram { buckets: self.buckets };
        AnyDef { name: self.name, help: self.help, labels: &self.labels, kind }
    }
}

/// A metric whose series hold one number: a counter or a gauge.
pub trait ScalarDef<const N: usize>: sealed::Sealed {
    /// The family's name.
    fn name(&self) -> &'static str;
    /// The names of its labels.
    fn labels(&self) -> &[&'static str; N];
}

impl<const N: usize> ScalarDef<N> for CounterDef<N> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn labels(&self) -> &[&'static str; N] {
        &self.labels
    }
}

impl<const N: usize> ScalarDef<N> for GaugeDef<N> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn labels(&self) -> &[&'static str; N] {
        &self.labels
    }
}

mod sealed {
    pub trait Sealed {}
    impl<const N: usize> Sealed for super::CounterDef<N> {}
    impl<const N: usize> Sealed for super::GaugeDef<N> {}
}
