//! The best passages in the order in which they answer, by the reader. Cosines and words tell what a passage is about; of several about
//! the same thing one answers.

use std::collections::HashSet;

use tracing::warn;

use super::evidence::Evidence;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Candidate, Chunk, DocumentId};
use crate::intent::{Question, named_kinds};
use crate::numbers::numbers;
use crate::retrieval::logistic;
use crate::text::windows;

/// Has the best passages read against the question and orders them anew. All stays as it is where there is no reader, where another
/// model has put them in order, and where a record is wished for as a whole: no single passage of it answers that. Where several
/// documents are to have their say none of them says it all: there each next one goes before the others by what it adds.
pub(super) async fn order_by_reading(services: &Services, turn: &Turn<'_>, evidence: &mut Evidence) {
    let (wish, kinds) = (&evidence.question.wish, &evidence.question.kinds);
    let is_for_several = wish.is_for_several() || kinds.len() > 1;
    if evidence.reranked || wish.is_for_a_record() || wish.show {
        return;
    }
    let numbers = &numbers().reader;
    read_passages(services, turn, evidence, numbers.ordered).await;
    if is_for_several {
        evidence.came_first = Some(evidence.nearest().to_vec());
        order_by_what_is_added(&evidence.question, &mut evidence.candidates);
        return;
    }
    for candidate in &mut evidence.candidates {
        let likely = candidate.read.map_or(0.0, |odds| logistic(f64::from(odds)));
        candidate.fused += numbers.order_weight * likely as f32;
    }
    // What is addressed stays in front, in its own order.
    let addressed = evidence.candidates.iter().take_while(|candidate| candidate.forced).count();
    evidence.candidates[addressed..].sort_by(|a, b| b.fused.total_cmp(&a.fused));
}

/// Puts one passage of each of the best documents in front: the next is always the one that is near and holds most of what the question
/// says and those before it do not hold. That they are decisions or principles which are asked for is said of all of them.
fn order_by_what_is_added(question: &Question, candidates: &mut Vec<Candidate>) {
    let numbers = &numbers().several;
    let words: Vec<HashSet<usize>> =
        candidates.iter().map(|candidate| question.held_by(&candidate.chunk)).collect();
    let mut open: Vec<f64> =
        question.words.iter().map(|word| if named_kinds(word).is_empty() { 1.0 } else { 0.0 }).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut heard: HashSet<DocumentId> = HashSet::new();
    while chosen.len() < numbers.documents {
        let added = |at: usize| {
            let all: f64 = question.weigh(0..question.words.len());
            let added = words[at].iter().map(|word| open[*word] * question.weigh(std::iter::once(*word)));
            if all > 0.0 { added.sum::<f64>() / all } else { 0.0 }
        };
        let worth = |at: usize| f64::from(candidates[at].fused) + numbers.added * added(at);
        let open_to_choice =
            (0..candidates.len()).filter(|at| !heard.contains(&candidates[*at].chunk.document.id));
        let next = open_to_choice.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
        let Some(next) = next else { break };
        let adds = added(next) >= numbers.adds;
        heard.insert(candidates[next].chunk.document.id.clone());
        for word in &words[next] {
            open[*word] *= numbers.left;
        }
        candidates[next].adds = adds;
        chosen.push(next);
    }
    // What is addressed stays in front, in its own order.
    let place = |at: usize, candidate: &Candidate| match chosen.iter().position(|chosen| *chosen == at) {
        _ if candidate.forced => (0, at),
        Some(rank) => (1, rank),
        None => (2, at),
    };
    let mut placed: Vec<_> =
        std::mem::take(candidates).into_iter().enumerate().map(|(at, one)| (place(at, &one), one)).collect();
    placed.sort_by_key(|(place, _)| *place);
    candidates.extend(placed.into_iter().map(|(_, candidate)| candidate));
}

/// Has so many of the best passages read against the question; each then knows how likely it answers.
pub(super) async fn read_passages(
    services: &Services,
    turn: &Turn<'_>,
    evidence: &mut Evidence,
    best: usize,
) {
    let Some(reader) = services.ports.reader.clone() else { return };
    let best = evidence.candidates.iter().take(best).enumerate();
    let parts: Vec<(usize, String)> =
        best.flat_map(|(at, candidate)| windows_of(&candidate.chunk).map(move |text| (at, text))).collect();
    if parts.is_empty() {
        return;
    }
    let texts: Vec<String> = parts.iter().map(|(_, text)| text.clone()).collect();
    let read = services.within_reading_deadline("reader", reader.read(&evidence.question.text, &texts)).await;
    let Some(readings) = read.ok().filter(|readings| readings.len() == texts.len()) else {
        warn!(target: "reader", event = "passages_unread", passages = texts.len(), request = turn.context.request_id());
        turn.fall_back("passages_unread");
        return;
    };
    for ((at, _), reading) in parts.iter().zip(readings) {
        let candidate = &mut evidence.candidates[*at];
        let best = candidate.read.map_or(reading.answers, |known| known.max(reading.answers));
        candidate.read = Some(best);
    }
}

/// A passage in windows, each under its headings.
fn windows_of(chunk: &Chunk) -> impl Iterator<Item = String> + use<'_> {
    windows(&chunk.text).into_iter().map(|window| chunk.under_headings(&chunk.text[window]))
}
