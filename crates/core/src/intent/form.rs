//! What a request wishes for, told by how it is worded: learned from requests that many people wrote about many subjects
//! (`training/forms`). It knows no grammar and is asked where no grammar understands.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::numbers::numbers;
use crate::text::words;

const FILE: &str = include_str!("../../../../assets/forms.tsv");
static LEARNED: LazyLock<Learned> = LazyLock::new(|| Learned::read(FILE));

/// How likely a request wishes for something else than what one document says; none of both is likely in a language that was not
/// learned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Form {
    /// To be told which documents there are.
    pub list: f64,
    /// To be told what several documents say together.
    pub several: f64,
}

/// What each run of words speaks for: for what one document says, for a list, and for what several say.
type Weights = [f64; 3];

struct Learned {
    always: Weights,
    known: BTreeSet<&'static str>,
    runs: HashMap<&'static str, Weights>,
}

impl Learned {
    fn read(file: &'static str) -> Self {
        let mut lines = file.lines().filter(|line| !line.starts_with('#'));
        let always = lines.next().map(|line| weights(line.split('\t'))).unwrap_or_default();
        let known = lines.next().unwrap_or_default().split(' ').collect();
        let run = |line: &'static str| {
            let (run, rest) = line.split_once('\t')?;
            Some((run, weights(rest.split('\t'))))
        };
        Self { always, known, runs: lines.filter_map(run).collect() }
    }
}

fn weights<'w>(written: impl Iterator<Item = &'w str>) -> Weights {
    let mut weights = Weights::default();
    for (weight, written) in weights.iter_mut().zip(written) {
        *weight = written.parse().unwrap_or_default();
    }
    weights
}

impl Form {
    /// Reads a request.
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let runs: BTreeSet<String> = (1..=3)
            .flat_map(|length| tokens.windows(length).map(|run| run.join(" ")))
            .filter(|run| run != BEGIN)
            .collect();
        let held: Vec<&Weights> = runs.iter().filter_map(|run| LEARNED.runs.get(run.as_str())).collect();
        // A long request holds more of everything.
        let share = 1.0 / (held.len().max(1) as f64).sqrt();
        let mut scores = LEARNED.always;
        for weights in held {
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += share * weight;
            }
        }
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let [one, list, several] = scores.map(|score| (score - most).exp());
        let all = one + list + several;
        Self { list: list / all, several: several / all }
    }
}

/// Whether a word is one that people use to ask for lists, whatever they are about.
pub(super) fn asks_for_list(word: &str) -> bool {
    LEARNED.runs.get(word).is_some_and(|[one, list, several]| {
        LEARNED.known.contains(word) && list - one.max(*several) > numbers().intent.list_word
    })
}

const BEGIN: &str = "<";

/// The words that many use for many subjects; of the others only their place counts.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![BEGIN.to_owned()];
    for word in words(text).into_iter().map(|word| word.folded) {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let token = if LEARNED.known.contains(word.as_str()) {
            word
        } else if digits && word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) {
            "~year".to_owned()
        } else if word.starts_with(char::is_numeric) {
            "~number".to_owned()
        } else {
            "~other".to_owned()
        };
        if token != "~other" || tokens.last().is_none_or(|last| last != "~other") {
            tokens.push(token);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_its_training_says() {
        let mut compared = 0;
        for (said, text) in FILE.lines().filter_map(|line| line.strip_prefix("#\t")?.rsplit_once('\t')) {
            let [_, list, several] = weights(said.split('\t'));
            let form = Form::of(text);
            assert!((form.list - list).abs() < 0.01, "`{text}`: {form:?}, not {list}");
            assert!((form.several - several).abs() < 0.01, "`{text}`: {form:?}, not {several}");
            compared += 1;
        }
        assert!(compared >= 20, "{compared} requests");
    }

    #[test]
    fn what_is_wished_for_is_told_by_how_it_is_worded() {
        let numbers = &numbers().intent;
        for (text, list, several) in [
            ("Planning my week: whatever was put on paper in 2025, please", true, false),
            ("Since I joined in 2025, what decisions did the board take? Titles will do", true, false),
            ("heb je even alle stukken over back-ups op een rijtje?", true, false),
            ("How does the backup rule differ from the archive rule?", false, true),
            ("Hoe verhoudt het besluit over back-ups zich tot het bewaarbeleid?", false, true),
            ("Which database do we use for billing?", false, false),
            ("What are the steps to renew a certificate?", false, false),
            ("Wie beslist over uitzonderingen?", false, false),
            ("", false, false),
            ("quels documents parlent de sauvegardes", false, false),
        ] {
            let form = Form::of(text);
            let said = (form.list >= numbers.list_likely, form.several >= numbers.several_likely);
            assert_eq!(said, (list, several), "`{text}`: {form:?}");
        }
    }

    #[test]
    fn words_that_ask_for_lists_are_told_from_subjects() {
        assert!(["overview", "overzicht", "every"].into_iter().all(asks_for_list));
        assert!(!["backups", "security", "encryption", "cloud"].into_iter().any(asks_for_list));
    }
}
