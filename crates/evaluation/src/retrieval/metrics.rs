use super::beir::Judgements;

/// Normalised discounted cumulative gain over the first `cut` documents, by trec_eval's formula: the gain is the judged
/// score, the discount log2(rank + 1), and the ideal is the best order of all that is judged.
#[must_use]
pub fn ndcg(ranking: &[&str], judgements: &Judgements, cut: usize) -> f64 {
    let mut ideal: Vec<f64> = judgements.values().copied().filter(|gain| *gain > 0.0).collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let best = discounted(ideal.into_iter().take(cut));
    if best <= 0.0 {
        return 0.0;
    }
    discounted(ranking.iter().take(cut).map(|document| gain(judgements, document))) / best
}

/// One over the rank of the first relevant document among the first `cut`; 0 where there is none.
#[must_use]
pub fn reciprocal_rank(ranking: &[&str], judgements: &Judgements, cut: usize) -> f64 {
    let first = ranking.iter().take(cut).position(|document| gain(judgements, document) > 0.0);
    first.map_or(0.0, |at| 1.0 / (at + 1) as f64)
}

/// The share of the relevant documents that are among the first `cut`.
#[must_use]
pub fn recall(ranking: &[&str], judgements: &Judgements, cut: usize) -> f64 {
    let relevant = judgements.values().filter(|gain| **gain > 0.0).count();
    if relevant == 0 {
        return 0.0;
    }
    let found = ranking.iter().take(cut).filter(|document| gain(judgements, document) > 0.0).count();
    found as f64 / relevant as f64
}

/// The mean; 0 of nothing.
#[must_use]
pub fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    if count == 0 { 0.0 } else { values.sum::<f64>() / count as f64 }
}

/// The smallest of these values that `share` of them do not exceed (nearest rank); 0 of nothing.
#[must_use]
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0.0)
}

fn gain(judgements: &Judgements, document: &str) -> f64 {
    judgements.get(document).copied().unwrap_or(0.0).max(0.0)
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains.zip(2_u32..).map(|(gain, place)| gain / f64::from(place).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: &[(&str, f64)]) -> Judgements {
        scores.iter().map(|(document, gain)| ((*document).to_owned(), *gain)).collect()
    }

    fn near(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 1e-9
    }

    #[test]
    fn ndcg_is_that_of_trec_eval() {
        let judgements = judged(&[("a", 2.0), ("b", 1.0), ("c", 0.0), ("d", -1.0)]);
        assert!(near(ndcg(&["a", "b"], &judgements, 10), 1.0));
        // (1/1 + 2/log2 3) / (2/1 + 1/log2 3), with log2 3 = 1.584962500721156.
        let swapped = 2.261_859_507_142_915 / 2.630_929_753_571_457;
        assert!(near(ndcg(&["b", "a"], &judgements, 10), swapped));
        // 2 at rank 3: (2/2) / ideal; unjudged and negative documents gain nothing.
        assert!(near(ndcg(&["x", "d", "a"], &judgements, 10), 1.0 / 2.630_929_753_571_457));
        assert!(near(ndcg(&["x", "d", "a"], &judgements, 2), 0.0), "behind the cut");
        assert!(near(ndcg(&["b"], &judgements, 1), 0.5), "the ideal is cut as well");
        assert!(
            near(ndcg(&["c"], &judged(&[("c", 0.0)]), 10), 0.0),
            "nothing relevant is no division by zero"
        );
    }

    #[test]
    fn the_first_relevant_document_decides_the_reciprocal_rank() {
        let judgements = judged(&[("a", 1.0), ("b", 3.0), ("c", 0.0)]);
        assert!(near(reciprocal_rank(&["c", "x", "a", "b"], &judgements, 100), 1.0 / 3.0));
        assert!(near(reciprocal_rank(&["c", "x", "a", "b"], &judgements, 2), 0.0));
        assert!(near(reciprocal_rank(&[], &judgements, 100), 0.0));
    }

    #[test]
    fn recall_is_of_all_that_is_relevant_found_or_not() {
        let judgements = judged(&[("a", 1.0), ("b", 2.0), ("c", 1.0), ("d", 1.0), ("e", 0.0)]);
        assert!(near(recall(&["a", "e", "x", "b"], &judgements, 100), 0.5));
        assert!(near(recall(&["a", "e", "x", "b"], &judgements, 3), 0.25));
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let of = |share| percentile(&hundred, share);
        assert!(near(of(0.50), 50.0) && near(of(0.95), 95.0) && near(of(0.99), 99.0));
        assert!(near(percentile(&[7.0], 0.5), 7.0) && near(percentile(&[7.0], 0.99), 7.0));
        assert!(
            near(percentile(&[1.0, 2.0, 3.0], 0.5), 2.0) && near(percentile(&[1.0, 2.0, 3.0], 0.95), 3.0)
        );
        assert!(near(percentile(&[], 0.5), 0.0));
        assert!(near(mean([1.0, 2.0].into_iter()), 1.5) && near(mean([].into_iter()), 0.0));
    }
}
