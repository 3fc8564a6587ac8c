use serde::{Deserialize, Serialize};

/// What a threshold on a signal trades.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// What scores less is refused.
    pub threshold: f64,
    /// Of the answerable, the share that is refused.
    pub false_refusals: f64,
    /// Of the unanswerable, the share that is answered.
    pub false_answers: f64,
}

impl CurvePoint {
    /// The mean of both shares.
    pub fn balanced_error(&self) -> f64 {
        f64::midpoint(self.false_refusals, self.false_answers)
    }

    /// What a threshold does to scores with their truth.
    pub fn at(threshold: f64, scored: &[(f64, bool)]) -> Self {
        let share = |answerable: bool, wrong: &dyn Fn(f64) -> bool| {
            let of: Vec<f64> =
                scored.iter().filter(|(_, truth)| *truth == answerable).map(|(score, _)| *score).collect();
            if of.is_empty() {
                0.0
            } else {
                of.iter().filter(|score| wrong(**score)).count() as f64 / of.len() as f64
            }
        };
        Self {
            threshold,
            false_refusals: share(true, &|score| score < threshold),
            false_answers: share(false, &|score| score >= threshold),
        }
    }
}

/// Every trade-off that a signal offers, from answering everything to refusing everything.
pub fn curve(scored: &[(f64, bool)]) -> Vec<CurvePoint> {
    let mut scores: Vec<f64> = scored.iter().map(|(score, _)| *score).collect();
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    let above = scores.last().map(|best| best + 1.0);
    scores.into_iter().chain(above).map(|threshold| CurvePoint::at(threshold, scored)).collect()
}

/// How often an answerable question scores higher than an unanswerable one; ties count half.
pub fn area_under_curve(scored: &[(f64, bool)]) -> f64 {
    let of = |answerable: bool| scored.iter().filter(move |(_, truth)| *truth == answerable);
    let pairs = of(true).count() * of(false).count();
    if pairs == 0 {
        return 0.5;
    }
    let won: f64 = of(true)
        .flat_map(|(high, _)| {
            of(false).map(move |(low, _)| match high.total_cmp(low) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            })
        })
        .sum();
    won / pairs as f64
}

/// The threshold with the least balanced error.
pub fn best_threshold(scored: &[(f64, bool)]) -> f64 {
    let best = curve(scored).into_iter().min_by(|a, b| a.balanced_error().total_cmp(&b.balanced_error()));
    best.map_or(0.0, |point| point.threshold)
}

/// The highest threshold that refuses no more than this share of the answerable.
pub fn threshold_for(scored: &[(f64, bool)], false_refusals: f64) -> f64 {
    let allowed = curve(scored).into_iter().filter(|point| point.false_refusals <= false_refusals);
    allowed.map(|point| point.threshold).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORED: [(f64, bool); 5] = [(0.9, true), (0.6, true), (0.6, false), (0.3, true), (0.1, false)];

    #[test]
    fn the_area_counts_pairs_in_the_right_order_and_ties_half() {
        // 0.9 beats both, 0.6 ties with one and beats one, 0.3 beats one: 4.5 of 6.
        assert!((area_under_curve(&SCORED) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn the_curve_goes_from_answering_all_to_refusing_all() {
        let points = curve(&SCORED);
        let ends =
            [points.first(), points.last()].map(|end| end.map(|p| (p.false_refusals, p.false_answers)));
        assert_eq!(ends, [Some((0.0, 1.0)), Some((1.0, 0.0))]);
    }

    #[test]
    fn a_tenth_of_the_answerable_is_kept_to() {
        assert_eq!(threshold_for(&SCORED, 0.1), 0.3, "0.6 would refuse a third of the answerable");
        assert_eq!(threshold_for(&SCORED, 0.4), 0.6);
    }

    #[test]
    fn the_best_threshold_has_the_least_balanced_error() {
        let point = CurvePoint::at(best_threshold(&SCORED), &SCORED);
        assert!(point.balanced_error() <= 0.25 + 1e-12, "{point:?}");
    }
}
