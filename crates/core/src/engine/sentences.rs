//! Passages read sentence by sentence. A passage's own vector is a mean over all that it says: one sentence that answers may
//! stand in a passage that is about something else.

use std::ops::Range;

use tracing::warn;

use super::services::Services;
use super::turn::Turn;
use crate::breaker::BreakerState;
use crate::domain::{Candidate, Chunk, Nearness};
use crate::gates::Support;
use crate::intent::Question;
use crate::numbers::numbers;
use crate::text::quotable;

/// Reads the sentences of these candidates, best first, where that was not done before; `false` where vectors cannot be had.
pub(super) async fn read_sentences(
    services: &Services,
    turn: &Turn<'_>,
    vector: Option<&[f32]>,
    candidates: &[Candidate],
) -> bool {
    let (Some(vector), Some(embedder)) = (vector, services.ports.embedder.clone()) else { return false };
    // A service that is being tried out again is asked once.
    if services.breakers.embeddings.state() != BreakerState::Closed {
        return false;
    }
    let mut room = numbers().evidence.most_sentences;
    let unread: Vec<(&Candidate, Vec<Range<usize>>)> = candidates
        .iter()
        .map(|candidate| (candidate, first_sentences(candidate, &mut room)))
        .filter(|(candidate, _)| candidate.sentences.get().is_none())
        .collect();
    let texts: Vec<String> = unread
        .iter()
        .flat_map(|(candidate, ranges)| {
            ranges.iter().map(|range| candidate.chunk.text[range.clone()].to_owned())
        })
        .collect();
    if texts.is_empty() {
        return false;
    }
    let embedded = services.within_reading_deadline("embedding", embedder.embed(&texts)).await;
    let Some(embedded) = embedded.ok().filter(|vectors| vectors.len() == texts.len()) else {
        warn!(target: "embeddings", event = "sentences_unread", sentences = texts.len(), request = turn.context.request_id());
        turn.fall_back("sentences_unread");
        return false;
    };
    let (mut vectors, scale) = (embedded.iter(), embedder.scale());
    for (candidate, ranges) in unread {
        let near = ranges.iter().zip(vectors.by_ref());
        let nearness =
            near.map(|(range, sentence)| (range.start, scale.told(cosine(sentence, vector)))).collect();
        candidate.sentences.keep(nearness);
    }
    true
}

/// The sentences of a candidate, as many as there is room for.
fn first_sentences(candidate: &Candidate, room: &mut usize) -> Vec<Range<usize>> {
    let mut ranges = quotable(&candidate.chunk.text);
    ranges.truncate(*room);
    *room -= ranges.len();
    ranges
}

/// What speaks for the passages besides their own scores, as far as their sentences were read.
pub(super) fn support_of(question: &Question, candidates: &[Candidate], margin: Option<f32>) -> Support {
    let mut support = Support { margin, ..Support::default() };
    let better = |a: Option<f32>, b: f32| Some(a.map_or(b, |a| if b.total_cmp(&a).is_gt() { b } else { a }));
    let mut room = numbers().evidence.most_sentences;
    for candidate in candidates {
        let chunk = candidate.chunk.as_ref();
        let is_foreign = chunk.language != question.language;
        if let Some(nearness) = candidate.sentences.get() {
            for range in first_sentences(candidate, &mut room) {
                let Some(cosine) = nearness.get(&range.start).copied() else { continue };
                support.best = better(support.best, cosine);
                if is_foreign {
                    support.foreign = better(support.foreign, cosine);
                }
                if needs_no_context(question, chunk, &range) {
                    support.self_contained = better(support.self_contained, cosine);
                }
            }
        }
        // The passage's own cosine stands in where its sentences cannot be had: lower, so on the safe side.
        if let Some(cosine) = candidate.cosine.filter(|_| is_foreign) {
            support.foreign = better(support.foreign, cosine);
        }
    }
    support
}

fn needs_no_context(question: &Question, chunk: &Chunk, sentence: &Range<usize>) -> bool {
    let held = || question.share(&question.covered(&chunk.text[sentence.clone()], chunk.language));
    question.has_words() && !question.is_foreign(chunk) && held() >= numbers().evidence.self_contained
}

/// Sentences as an answer weighs them: half by themselves, half by the passage they stand in, unless they need no context.
/// Alone, a sentence that leaves its subject to the title comes less near than one of another document that names it in
/// passing.
pub(super) fn in_context(candidate: &Candidate, question: &Question) -> Nearness {
    let mut nearness = candidate.sentences.get().cloned().unwrap_or_default();
    let (Some(passage), chunk) = (candidate.cosine, candidate.chunk.as_ref()) else { return nearness };
    for range in quotable(&chunk.text) {
        if let Some(sentence) = nearness.get_mut(&range.start) {
            let weighed = f32::midpoint(*sentence, passage);
            let alone = needs_no_context(question, chunk, &range).then_some(*sentence);
            *sentence = alone.map_or(weighed, |alone| alone.max(weighed));
        }
    }
    nearness
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() == b.len() { a.iter().zip(b).map(|(x, y)| x * y).sum() } else { 0.0 }
}
