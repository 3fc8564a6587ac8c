//! How long a prompt of so many tokens may take to be read, learned from what it took before.

use crate::numbers::numbers;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How fast each model reads its prompt, in tokens a second, as far as it has been measured.
#[derive(Debug, Default)]
pub(super) struct ReadingRates {
    slowest: Mutex<HashMap<String, f64>>,
}

impl ReadingRates {
    /// Remembers a measurement. The slowest one counts: a server that has the prompt's beginning still in its memory reads
    /// as if in no time, and the next prompt may be another.
    pub(super) fn learn(&self, model: &str, tokens: usize, time: Option<Duration>) {
        let Some(seconds) = time.map(|time| time.as_secs_f64()).filter(|seconds| *seconds > 0.0) else {
            return;
        };
        if tokens < numbers().generation.measurable_prompt {
            return;
        }
        let measured = tokens as f64 / seconds;
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slowest.entry(model.to_owned()).or_insert(measured);
        *known = known.min(measured);
    }

    /// How long a prompt of so many tokens may take to be read.
    pub(super) fn time_for(&self, model: &str, tokens: usize, until_known: f64) -> Duration {
        let slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = slowest.get(model).copied().unwrap_or(until_known);
        Duration::from_secs_f64(tokens as f64 / rate.max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_measurement_sets_the_time_and_other_models_keep_the_default() {
        let rates = ReadingRates::default();
        assert_eq!(rates.time_for("m", 200, 20.0), Duration::from_secs(10));
        rates.learn("m", 1000, Some(Duration::from_secs(10)));
        rates.learn("m", 1000, Some(Duration::from_millis(5)));
        rates.learn("m", 10, Some(Duration::from_secs(10)));
        rates.learn("m", 1000, None);
        assert_eq!(rates.time_for("m", 200, 20.0), Duration::from_secs(2));
        assert_eq!(rates.time_for("other", 200, 20.0), Duration::from_secs(10));
    }
}
