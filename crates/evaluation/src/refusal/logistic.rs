use serde::{Deserialize, Serialize};

/// Steps of the descent; with standardised numbers it has settled long before.
const STEPS: usize = 2_000;
const RATE: f64 = 0.5;

/// Logistic regression: classes weigh the same, weights are held small by one unit of penalty in all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logistic {
    /// The weight of each number.
    pub weights: Vec<f64>,
    /// The constant.
    pub constant: f64,
}

impl Logistic {
    /// Fits weights to numbers and their truth.
    pub fn fit(samples: &[(Vec<f64>, bool)]) -> Self {
        let width = samples.first().map_or(0, |(numbers, _)| numbers.len());
        let count = samples.len().max(1) as f64;
        let column = |at: usize| samples.iter().map(move |(numbers, _)| numbers[at]);
        let means: Vec<f64> = (0..width).map(|at| column(at).sum::<f64>() / count).collect();
        let deviations: Vec<f64> = (0..width)
            .map(|at| (column(at).map(|x| (x - means[at]).powi(2)).sum::<f64>() / count).sqrt().max(1e-9))
            .collect();
        let standard = |numbers: &[f64]| -> Vec<f64> {
            (0..width).map(|at| (numbers[at] - means[at]) / deviations[at]).collect()
        };
        let rows: Vec<(Vec<f64>, f64)> =
            samples.iter().map(|(numbers, truth)| (standard(numbers), f64::from(u8::from(*truth)))).collect();
        let positive = samples.iter().filter(|(_, truth)| *truth).count().max(1) as f64;
        let negative = (count - positive).max(1.0);
        let importance = |truth: f64| 0.5 / if truth > 0.5 { positive } else { negative };

        let mut weights = vec![0.0; width];
        let mut constant = 0.0;
        for _ in 0..STEPS {
            let mut slopes: Vec<f64> = weights.iter().map(|weight| weight / count).collect();
            let mut constant_slope = 0.0;
            for (numbers, truth) in &rows {
                let error = (likelihood(&weights, constant, numbers) - truth) * importance(*truth);
                slopes.iter_mut().zip(numbers).for_each(|(slope, number)| *slope += error * number);
                constant_slope += error;
            }
            weights.iter_mut().zip(&slopes).for_each(|(weight, slope)| *weight -= RATE * slope);
            constant -= RATE * constant_slope;
        }
        let weights: Vec<f64> = weights.iter().zip(&deviations).map(|(w, deviation)| w / deviation).collect();
        let shift: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
        Self { weights, constant: constant - shift }
    }

    /// The likelihood that it gives.
    pub fn likelihood(&self, numbers: &[f64]) -> f64 {
        likelihood(&self.weights, self.constant, numbers)
    }
}

fn likelihood(weights: &[f64], constant: f64, numbers: &[f64]) -> f64 {
    let logit: f64 = weights.iter().zip(numbers).map(|(weight, number)| weight * number).sum();
    1.0 / (1.0 + (-(logit + constant)).exp())
}

#[cfg(test)]
mod tests {
    use super::Logistic;

    #[test]
    fn the_number_that_tells_gets_the_weight() {
        let samples: Vec<(Vec<f64>, bool)> =
            (0..100).map(|at| (vec![f64::from(at), f64::from(at % 7)], at >= 50)).collect();
        let fitted = Logistic::fit(&samples);
        assert!(fitted.likelihood(&[90.0, 3.0]) > 0.9, "{fitted:?}");
        assert!(fitted.likelihood(&[10.0, 3.0]) < 0.1, "{fitted:?}");
        let standardised = fitted.weights[1].abs() * 2.0;
        assert!(fitted.weights[0] * 28.9 > 5.0 * standardised, "what says nothing weighs little: {fitted:?}");
    }
}
