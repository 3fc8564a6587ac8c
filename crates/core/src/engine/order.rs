//! The best passages in the order in which they answer, by the reader. Cosines and words tell what a passage is about; of several about
//! the same thing one answers.

use tracing::warn;

use super::evidence::Evidence;
use super::services::Services;
use super::turn::Turn;
use crate::domain::Chunk;
use crate::numbers::numbers;
use crate::retrieval::logistic;
use crate::text::windows;

/// Has the best passages read against the question and orders them anew. All stays as it is where there is no reader, where another
/// model has put them in order, and where a record is wished for as a whole: no single passage of it answers that. Where several
/// documents are to have their say they keep their order, since none of them says it all.
pub(super) async fn order_by_reading(services: &Services, turn: &Turn<'_>, evidence: &mut Evidence) {
    let (wish, kinds) = (&evidence.question.wish, &evidence.question.kinds);
    let is_for_several = wish.compare || wish.several || kinds.len() > 1;
    if evidence.reranked || wish.is_for_a_record() || wish.show {
        return;
    }
    let numbers = &numbers().reader;
    read_passages(services, turn, evidence, numbers.ordered).await;
    if is_for_several {
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
pub(super) fn windows_of(chunk: &Chunk) -> impl Iterator<Item = String> + use<'_> {
    windows(&chunk.text).into_iter().map(|window| chunk.under_headings(&chunk.text[window]))
}
