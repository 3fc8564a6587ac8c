//! How likely the library holds an answer, read off the passages that were found.

use crate::domain::{Candidate, Chunk};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::text::quotable;

/// What tells a passage that answers a question from one that is merely on its subject.
///
/// A passage on the right subject without the answer shares the words of its own title with the question, and so comes near
/// and covers much. What the question asks beyond the title is the test: it should stand in one sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answerability {
    /// The cosine of the nearest passage.
    pub cosine: f64,
    /// Of the question's words that stand in neither title nor section path, the share in one sentence, by idf; 1 where
    /// all of them stand there.
    pub beyond_title: f64,
}

impl Answerability {
    /// Read off the nearest passage in the question's own language; nothing where there is none with a cosine.
    pub fn of(question: &Question, candidates: &[Candidate]) -> Option<Self> {
        let own = candidates.iter().filter(|candidate| !question.is_foreign(&candidate.chunk));
        let (cosine, chunk) = own
            .filter_map(|candidate| Some((candidate.cosine.filter(|c| c.is_finite())?, &candidate.chunk)))
            .max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Self { cosine: f64::from(cosine), beyond_title: beyond_title(question, chunk) })
    }

    /// How likely the library holds an answer, 0 to 1.
    pub fn likelihood(&self) -> f64 {
        let fitted = &numbers().answerability;
        let logit = fitted.cosine * self.cosine + fitted.beyond_title * self.beyond_title + fitted.constant;
        1.0 / (1.0 + (-logit).exp())
    }
}

fn beyond_title(question: &Question, chunk: &Chunk) -> f64 {
    let above = question.covered_above(chunk);
    let rest = question.weigh((0..question.words.len()).filter(|at| !above.contains(at)));
    if rest <= 0.0 {
        return 1.0;
    }
    let held = |text: &str| {
        let covered = question.covered(text, chunk.language);
        question.weigh(covered.into_iter().filter(|at| !above.contains(at))) / rest
    };
    quotable(&chunk.text).into_iter().map(|range| held(&chunk.text[range])).fold(0.0, f64::max)
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
