//! Passages read sentence by sentence. A passage's own vector is a mean over all that it says: one sentence that answers may
//! stand in a passage that is about something else.

use std::ops::Range;

use tracing::warn;

use super::Engine;
use super::turn::Turn;
use crate::answer::compose::{Nearness, Wanted, quotable};
use crate::breaker::BreakerState;
use crate::domain::{Candidate, Chunk};
use crate::gates::Signs;
use crate::retrieval::Question;

/// At most this many sentences are embedded to see how near they come.
const MOST_SENTENCES: usize = 64;

/// A sentence that holds this share of the question's words, by idf, needs no context to be understood.
const TELLING: f64 = 0.4;

impl Engine {
    /// How near each sentence of the kept passages comes to the question; nothing where vectors cannot be had.
    pub(super) async fn nearness(
        &self,
        turn: &Turn<'_>,
        vector: Option<&[f32]>,
        kept: &[Candidate],
    ) -> Vec<Nearness> {
        let (Some(vector), Some(embedder)) = (vector, self.ports.embedder.clone()) else { return Vec::new() };
        // A service that is being tried out again is asked once.
        if self.breakers.embeddings.state() != BreakerState::Closed {
            return Vec::new();
        }
        let places: Vec<(usize, Range<usize>)> = kept
            .iter()
            .enumerate()
            .flat_map(|(at, candidate)| quotable(&candidate.chunk).into_iter().map(move |range| (at, range)))
            .take(MOST_SENTENCES)
            .collect();
        let texts: Vec<String> =
            places.iter().map(|(at, range)| kept[*at].chunk.text[range.clone()].to_owned()).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        let embedded = self.within_reading_deadline("embedding", embedder.embed(&texts)).await;
        let Some(embedded) = embedded.ok().filter(|vectors| vectors.len() == texts.len()) else {
            warn!(target: "embeddings", event = "sentences_unread", sentences = texts.len(), request = turn.context.request_id());
            turn.fall_back("sentences_unread");
            return Vec::new();
        };
        let mut nearness = vec![Nearness::new(); kept.len()];
        for ((at, range), sentence) in places.iter().zip(&embedded) {
            nearness[*at].insert(range.start, cosine(sentence, vector));
        }
        nearness
    }
}

/// What speaks for the passages besides their own scores.
pub(super) fn signs(
    question: &Question,
    kept: &[Candidate],
    nearness: &[Nearness],
    lead: Option<f32>,
) -> Signs {
    Signs {
        sentence: best_sentence(nearness),
        foreign_sentence: foreign_cosine(question, kept, nearness),
        telling_sentence: telling_cosine(question, kept, nearness),
        lead,
    }
}

/// The best cosine of a single sentence among passages in another language than the question's. The passage's own cosine
/// stands in where its sentences cannot be had: lower, so on the safe side.
fn foreign_cosine(question: &Question, kept: &[Candidate], nearness: &[Nearness]) -> Option<f32> {
    let foreign =
        kept.iter().enumerate().filter(|(_, candidate)| candidate.chunk.language != question.language);
    foreign
        .flat_map(|(at, candidate)| {
            let sentences = nearness.get(at).into_iter().flat_map(Nearness::values).copied();
            sentences.chain(candidate.cosine)
        })
        .max_by(f32::total_cmp)
}

/// The best cosine of a single sentence.
fn best_sentence(nearness: &[Nearness]) -> Option<f32> {
    nearness.iter().flat_map(Nearness::values).copied().max_by(f32::total_cmp)
}

/// The best cosine of a single sentence that needs no context.
fn telling_cosine(question: &Question, kept: &[Candidate], nearness: &[Nearness]) -> Option<f32> {
    let wanted = question.wanted();
    let of = |(candidate, sentences): (&Candidate, &Nearness)| {
        let chunk = candidate.chunk.as_ref();
        let telling = quotable(chunk).into_iter().filter(|range| is_telling(question, &wanted, chunk, range));
        telling.filter_map(|range| sentences.get(&range.start).copied()).max_by(f32::total_cmp)
    };
    kept.iter().zip(nearness).filter_map(of).max_by(f32::total_cmp)
}

fn is_telling(question: &Question, wanted: &Wanted, chunk: &Chunk, sentence: &Range<usize>) -> bool {
    let held = || wanted.share(&wanted.covered(&chunk.text[sentence.clone()], chunk.language));
    question.has_words() && !question.is_foreign(chunk) && held() >= TELLING
}

/// Sentences as an answer weighs them: half by themselves, half by the passage they stand in, unless they need no context.
/// Alone, a sentence that leaves its subject to the title comes less near than one of another document that names it in
/// passing.
pub(super) fn in_context(
    mut nearness: Vec<Nearness>,
    kept: &[Candidate],
    question: &Question,
) -> Vec<Nearness> {
    let wanted = question.wanted();
    for (sentences, candidate) in nearness.iter_mut().zip(kept) {
        let (Some(passage), chunk) = (candidate.cosine, candidate.chunk.as_ref()) else { continue };
        for range in quotable(chunk) {
            if let Some(sentence) = sentences.get_mut(&range.start) {
                let weighed = f32::midpoint(*sentence, passage);
                let alone = is_telling(question, &wanted, chunk, &range).then_some(*sentence);
                *sentence = alone.map_or(weighed, |alone| alone.max(weighed));
            }
        }
    }
    nearness
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() == b.len() { a.iter().zip(b).map(|(x, y)| x * y).sum() } else { 0.0 }
}
