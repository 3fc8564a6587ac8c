/// A threshold that is swept, and the values that are tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swept {
    /// Its name in `thresholds.yaml`.
    pub field: &'static str,
    /// The least that is tried.
    pub from: f64,
    /// The most.
    pub to: f64,
    /// The step between.
    pub step: f64,
}

/// Those that gates decide by. The distance threshold and the witness say which passages count, not when there are enough.
pub const SWEPT: [Swept; 7] = [
    Swept { field: "bail_below", from: 0.20, to: 0.60, step: 0.02 },
    Swept { field: "single_hit", from: 0.30, to: 0.80, step: 0.02 },
    Swept { field: "several_hits", from: 0.30, to: 0.70, step: 0.02 },
    Swept { field: "mean", from: 0.25, to: 0.65, step: 0.02 },
    Swept { field: "min_query_coverage", from: 0.0, to: 0.60, step: 0.05 },
    Swept { field: "answerability", from: 0.0, to: 0.60, step: 0.01 },
    Swept { field: "margin", from: 0.04, to: 0.40, step: 0.02 },
];

impl Swept {
    /// The values, least first, as they would be written.
    pub fn values(&self) -> Vec<f64> {
        let count = ((self.to - self.from) / self.step).round() as usize;
        (0..=count).map(|at| (1000.0 * (self.from + at as f64 * self.step)).round() / 1000.0).collect()
    }
}
