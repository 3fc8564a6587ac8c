//! How likely the library holds an answer, read off the passages that were found.

use std::collections::HashSet;

use crate::domain::Candidate;
use crate::intent::Question;
use crate::numbers::numbers;
use crate::text::quotable;

/// What tells a library that answers a question from one that is merely near its subject.
///
/// Cosines alone do not carry over from one library to the next: where all documents are about one field, everything is near.
/// So how far the nearest document stands out counts beside how near it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answerability {
    /// Half the cosine of the nearest passage and half that of the nearest sentence; the passage's alone where no sentence was read.
    pub nearness: f64,
    /// How far the nearest document stands out from the next ones.
    pub margin: f64,
    /// The share of the question's words, by idf, that the best passages hold together, whatever their language.
    pub words: f64,
    /// The log-odds of the passage that answers best, by the reader; nothing where it read none.
    pub read: Option<f64>,
}

impl Answerability {
    /// Read off the best candidates; nothing where none has a cosine. `margin` is that of all that was found, and `words` what
    /// [`share_held`] says. A record that the question names stands out by being named, as do passages about what it names.
    pub fn of(best: &[Candidate], margin: Option<f32>, words: f64) -> Option<Self> {
        let fitted = &numbers().answerability;
        let passage = nearest(best.iter().filter_map(|candidate| candidate.cosine))?;
        let sentences = best.iter().filter_map(|candidate| candidate.sentences.get());
        let sentence = nearest(sentences.flat_map(|nearness| nearness.values().copied()));
        let margin = margin.map_or(0.0, f64::from);
        let margin = if best.iter().any(|candidate| candidate.forced) {
            fitted.named_margin
        } else if best.iter().any(|candidate| candidate.named) {
            margin.max(fitted.named_margin)
        } else {
            margin
        };
        let nearness = sentence.map_or(passage, |sentence| f64::midpoint(passage, sentence));
        let read = nearest(best.iter().filter_map(|candidate| candidate.read));
        Some(Self { nearness, margin, words, read })
    }

    /// How likely the library holds an answer, 0 to 1. Where the reader read the passages its word decides, with how far the nearest
    /// document stands out, unless everything else makes an answer unlikely: what the library never speaks of is not in what looks like
    /// an answer to it.
    pub fn likelihood(&self) -> f64 {
        let with = &numbers().answerability_read;
        let likely = self.without_reading();
        let read = self.read.map(|read| {
            logistic(with.read * read + with.margin * self.margin + with.constant + with.prior_odds.ln())
        });
        match read {
            Some(read) if likely < with.possible => read.min(likely),
            Some(read) => read,
            None => likely,
        }
    }

    /// The same by nearness, margin and words alone: they tell what is spoken of, and not what is said of it.
    pub fn without_reading(&self) -> f64 {
        let alone = &numbers().answerability;
        let evidence = alone.nearness * self.nearness
            + alone.margin * self.margin
            + alone.words * self.words
            + alone.constant;
        // Fitted on as many questions with an answer as without; people ask more of the former.
        logistic(evidence + alone.prior_odds.ln())
    }
}

/// Log-odds as a likelihood, 0 to 1.
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn nearest(numbers: impl Iterator<Item = f32>) -> Option<f64> {
    numbers.filter(|number| number.is_finite()).max_by(f32::total_cmp).map(f64::from)
}

/// The share of the question's words, by idf, that these candidates hold together.
pub fn share_held(question: &Question, candidates: &[Candidate]) -> f64 {
    let held: HashSet<usize> =
        candidates.iter().flat_map(|candidate| question.held_by(&candidate.chunk)).collect();
    if question.has_words() { question.share(&held) } else { 0.0 }
}

/// The best share of the question's words, by idf, that a single sentence of any passage holds.
pub fn best_sentence_coverage(question: &Question, candidates: &[Candidate]) -> f64 {
    let own = candidates.iter().filter(|candidate| !question.is_foreign(&candidate.chunk));
    own.flat_map(|candidate| {
        let chunk = candidate.chunk.as_ref();
        let share = |text: &str| question.share(&question.covered(text, chunk.language));
        quotable(&chunk.text).into_iter().map(|range| share(&chunk.text[range])).collect::<Vec<_>>()
    })
    .fold(0.0, f64::max)
}
