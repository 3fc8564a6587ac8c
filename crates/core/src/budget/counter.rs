//! How many tokens a text has: estimated, and corrected by what servers count.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::numbers::numbers;
use crate::ports::TokenCounter;
use crate::text::detect;

/// Estimates tokens from characters, with a reserve, and corrects itself per model by what the server counted.
///
/// There is no way to ask every server for an exact count beforehand, so this errs on the side of too many: of the latest
/// corrections the largest holds.
#[derive(Debug, Default)]
pub struct EstimatingCounter {
    corrections: Mutex<HashMap<String, VecDeque<f64>>>,
}

impl EstimatingCounter {
    /// A counter that has not seen any server's count yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What estimates for this model are multiplied with, beside the reserve; 1 until something was learnt.
    pub fn correction(&self, model: &str) -> f64 {
        let corrections = self.lock();
        corrections.get(model).and_then(|recent| recent.iter().copied().max_by(f64::total_cmp)).unwrap_or(1.0)
    }

    /// Whether estimates for this model have been compared with a server's counts.
    pub fn is_corrected(&self, model: &str) -> bool {
        self.lock().contains_key(model)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, VecDeque<f64>>> {
        self.corrections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TokenCounter for EstimatingCounter {
    fn count(&self, model: &str, text: &str) -> usize {
        let estimate = plain_estimate(text) * numbers().tokens.reserve * self.correction(model);
        estimate.ceil() as usize
    }

    /// A prompt that the server cut must not be handed in here: its count says nothing.
    fn learn(&self, model: &str, estimated: usize, counted: usize) {
        if estimated == 0 || counted == 0 {
            return;
        }
        let numbers = &numbers().tokens;
        let plain = estimated as f64 / (numbers.reserve * self.correction(model));
        // Beyond this the server counted something else.
        let correction = (counted as f64 / plain).max(numbers.least_correction).min(numbers.most_correction);
        let mut corrections = self.lock();
        // The first estimate stays in force until enough prompts have shown that less is safe.
        let recent = corrections.entry(model.to_owned()).or_insert_with(|| VecDeque::from([1.0]));
        recent.push_back(correction);
        if recent.len() > numbers.recent {
            recent.pop_front();
        }
    }
}

/// Tokens by line: a document mixes prose, code and tables.
fn plain_estimate(text: &str) -> f64 {
    let prose = detect(text).unwrap_or_default().pack().profile.characters_per_token;
    text.split_inclusive('\n').map(|line| line_estimate(line, prose)).sum()
}

fn line_estimate(line: &str, prose: f64) -> f64 {
    let numbers = &numbers().tokens;
    let (mut plain, mut marks, mut foreign) = (0_u32, 0_u32, 0_u32);
    for c in line.chars() {
        if !c.is_ascii() {
            // Accents cost a piece of their own, other scripts and symbols at least one token each.
            foreign += if c.is_alphabetic() && u32::from(c) < 0x250 { 1 } else { 2 };
        } else if c.is_ascii_alphabetic() || c.is_ascii_whitespace() {
            plain += 1;
        } else {
            marks += 1;
        }
    }
    let chars = f64::from(plain + marks);
    let share = f64::from(marks) / chars.max(1.0);
    let unbroken = line.split_whitespace().any(|word| word.len() > numbers.longest_word);
    let rate = if share >= numbers.json_marks || unbroken {
        numbers.json
    } else if share >= numbers.code_marks {
        numbers.code
    } else {
        prose
    };
    chars / rate + f64::from(foreign)
}
