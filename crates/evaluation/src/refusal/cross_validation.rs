use super::curve::{CurvePoint, area_under_curve, best_threshold, curve, threshold_for};
use super::logistic::Logistic;
use super::report::SignalReport;

/// The parts that a set is cut into.
pub const FOLDS: usize = 5;

/// How often it is cut anew, so that no figure hangs on one cut.
pub const REPEATS: usize = 10;

/// The share of answerable questions that may be refused where false answers are compared.
pub const ALLOWED_REFUSALS: f64 = 0.10;

/// What is known of one question, and its truth.
pub type Sample = (Vec<f64>, bool);

/// Judges a signal on questions that its weights and its threshold have not seen. One number is taken as it is; several are
/// put together by a regression on the other folds.
pub fn cross_validated(name: &str, samples: &[Sample]) -> SignalReport {
    let mut sums = [0.0; 4];
    let mut pooled = Vec::new();
    for repeat in 0..REPEATS {
        let folds = folds(samples, repeat as u64);
        let mut held_out: Vec<(f64, bool)> = Vec::new();
        let (mut at_best, mut at_tenth) = (Vec::new(), Vec::new());
        for fold in 0..FOLDS {
            let part = |own: bool| -> Vec<Sample> {
                let chosen = samples.iter().zip(&folds).filter(|(_, of)| (**of == fold) == own);
                chosen.map(|(sample, _)| sample.clone()).collect()
            };
            let (training, test) = (part(false), part(true));
            let scorer = Scorer::fit(&training);
            let scored = |samples: &[Sample]| -> Vec<(f64, bool)> {
                samples.iter().map(|(numbers, truth)| (scorer.score(numbers), *truth)).collect()
            };
            let (seen, unseen) = (scored(&training), scored(&test));
            at_best.push((best_threshold(&seen), unseen.clone()));
            at_tenth.push((threshold_for(&seen, ALLOWED_REFUSALS), unseen.clone()));
            held_out.extend(unseen);
        }
        let (best, tenth) = (over_folds(&at_best), over_folds(&at_tenth));
        let figures =
            [area_under_curve(&held_out), best.balanced_error(), tenth.false_answers, tenth.false_refusals];
        sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure / REPEATS as f64);
        if repeat == 0 {
            pooled = held_out;
        }
    }
    let [area_under_curve, balanced_error, false_answers_at_tenth, false_refusals_at_tenth] = sums;
    SignalReport {
        name: name.to_owned(),
        area_under_curve,
        balanced_error,
        false_answers_at_tenth,
        false_refusals_at_tenth,
        curve: curve(&pooled),
    }
}

/// One number speaks for itself; several need weights.
enum Scorer {
    AsItIs,
    Weighed(Logistic),
}

impl Scorer {
    fn fit(training: &[Sample]) -> Self {
        match training.first() {
            Some((numbers, _)) if numbers.len() > 1 => Self::Weighed(Logistic::fit(training)),
            _ => Self::AsItIs,
        }
    }

    fn score(&self, numbers: &[f64]) -> f64 {
        match self {
            Self::AsItIs => numbers.first().copied().unwrap_or_default(),
            Self::Weighed(fitted) => fitted.likelihood(numbers),
        }
    }
}

/// The shares over all folds, each with its own threshold.
fn over_folds(folds: &[(f64, Vec<(f64, bool)>)]) -> CurvePoint {
    let decided: Vec<(f64, bool)> = folds
        .iter()
        .flat_map(|(threshold, scored)| {
            scored.iter().map(move |(score, truth)| (f64::from(u8::from(score >= threshold)), *truth))
        })
        .collect();
    CurvePoint::at(0.5, &decided)
}

/// The fold of each sample: both kinds spread evenly, in an order that only the repeat decides.
fn folds(samples: &[Sample], repeat: u64) -> Vec<usize> {
    let mut folds = vec![0; samples.len()];
    for kind in [true, false] {
        let mut of_kind: Vec<usize> = (0..samples.len()).filter(|at| samples[*at].1 == kind).collect();
        of_kind.sort_by_key(|at| scattered(*at as u64, repeat));
        for (place, at) in of_kind.into_iter().enumerate() {
            folds[at] = place % FOLDS;
        }
    }
    folds
}

/// The finaliser of SplitMix64: the same order on every machine.
fn scattered(number: u64, repeat: u64) -> u64 {
    let mut mixed = number.wrapping_add(repeat.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(signal: impl Fn(u64, bool) -> Vec<f64>) -> Vec<Sample> {
        (0..200).map(|at| (signal(scattered(at, 99) % 1000, at % 2 == 0), at % 2 == 0)).collect()
    }

    #[test]
    fn noise_is_told_as_noise() {
        let report = cross_validated("noise", &samples(|noise, _| vec![noise as f64, (noise % 13) as f64]));
        assert!((report.area_under_curve - 0.5).abs() < 0.1, "{}", report.area_under_curve);
        assert!(report.balanced_error > 0.4, "a threshold tuned to noise does not carry over");
    }

    #[test]
    fn two_numbers_that_complete_each_other_beat_each_alone() {
        let pair = |noise: u64, truth: bool| {
            let shift = if truth { 300.0 } else { 0.0 };
            let other = (scattered(noise, 5) % 1000) as f64;
            vec![noise as f64 + shift, other + shift]
        };
        let both = cross_validated("both", &samples(pair));
        let one = cross_validated("one", &samples(|noise, truth| pair(noise, truth)[..1].to_vec()));
        assert!(both.area_under_curve > one.area_under_curve + 0.02, "{both:?}");
        assert!(both.balanced_error < one.balanced_error, "{both:?}");
    }

    #[test]
    fn each_fold_has_its_share_of_both_kinds() {
        let samples = samples(|noise, _| vec![noise as f64]);
        let folds = folds(&samples, 3);
        for fold in 0..FOLDS {
            let of = |kind| {
                samples.iter().zip(&folds).filter(move |((_, truth), at)| *truth == kind && **at == fold)
            };
            assert_eq!((of(true).count(), of(false).count()), (20, 20));
        }
    }
}
