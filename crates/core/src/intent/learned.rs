//! What a request asks for, told by how it is worded: learned from requests that many people wrote about many subjects
//! (`training/forms`). It knows no grammar and is asked where no grammar understands.

use std::collections::{BTreeSet, HashMap};

use crate::text::words;

/// Where a request begins.
const BEGIN: &str = "<";
/// Words that are not known: of these only their place counts, and of several in a row only one.
const OTHER: &str = "~other";

/// What was learned of a set of requests.
pub(super) struct Learned {
    classes: Vec<&'static str>,
    always: Vec<f64>,
    known: BTreeSet<&'static str>,
    /// How much each run of words speaks for each class.
    runs: HashMap<&'static str, Vec<f64>>,
}

impl Learned {
    /// Reads what the training wrote.
    pub fn read(file: &'static str) -> Self {
        let mut lines = file.lines().filter(|line| !line.starts_with('#'));
        let classes = lines.next().unwrap_or_default().split('\t').collect();
        let always = weights(lines.next().unwrap_or_default());
        let known = lines.next().unwrap_or_default().split(' ').collect();
        let run = |line: &'static str| {
            let (run, rest) = line.split_once('\t')?;
            Some((run, weights(rest)))
        };
        Self { classes, always, known, runs: lines.filter_map(run).collect() }
    }

    /// How likely a request is of each class.
    pub fn judge(&self, text: &str) -> HashMap<&'static str, f64> {
        let tokens = self.tokens(text);
        let runs: BTreeSet<String> = (1..=3)
            .flat_map(|length| tokens.windows(length).map(|run| run.join(" ")))
            .filter(|run| run != BEGIN)
            .collect();
        let held: Vec<&Vec<f64>> = runs.iter().filter_map(|run| self.runs.get(run.as_str())).collect();
        // A long request holds more of everything.
        let share = 1.0 / (held.len().max(1) as f64).sqrt();
        let mut scores = self.always.clone();
        for weights in held {
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += share * weight;
            }
        }
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let all: f64 = odds.iter().sum();
        self.classes.iter().copied().zip(odds.into_iter().map(|odds| odds / all)).collect()
    }

    /// How much more a word speaks for a class than for any other, whatever the subject; nothing where it is not known.
    pub fn speaks_for(&self, word: &str, class: &str) -> Option<f64> {
        let weights = self.runs.get(self.known.get(word)?)?;
        let of = self.classes.iter().position(|one| *one == class)?;
        let others = weights.iter().enumerate().filter(|(at, _)| *at != of).map(|(_, weight)| *weight);
        Some(weights.get(of)? - others.fold(f64::MIN, f64::max))
    }

    fn tokens(&self, text: &str) -> Vec<String> {
        let mut tokens = vec![BEGIN.to_owned()];
        for word in words(text).into_iter().map(|word| word.folded) {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            let token = if self.known.contains(word.as_str()) {
                word
            } else if digits && word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) {
                "~year".to_owned()
            } else if word.starts_with(char::is_numeric) {
                "~number".to_owned()
            } else {
                OTHER.to_owned()
            };
            if token != OTHER || tokens.last().is_none_or(|last| last != OTHER) {
                tokens.push(token);
            }
        }
        tokens
    }
}

fn weights(written: &str) -> Vec<f64> {
    written.split('\t').map(|weight| weight.parse().unwrap_or_default()).collect()
}

/// Holds what is said of the requests that the training named against what it said of them.
#[cfg(test)]
pub(super) fn assert_as_trained(file: &'static str) {
    let learned = Learned::read(file);
    let mut compared = 0;
    for (said, text) in file.lines().filter_map(|line| line.strip_prefix("#\t")?.rsplit_once('\t')) {
        let likely = learned.judge(text);
        for (class, said) in learned.classes.iter().zip(weights(said)) {
            assert!((likely[class] - said).abs() < 0.01, "`{text}`: {class} {}, not {said}", likely[class]);
        }
        compared += 1;
    }
    assert!(compared >= 20, "{compared} requests");
}
