//! Which sentences answer the question, read by the reader together with it. Cosines tell what a sentence is about, not what it says
//! of that.

use tracing::warn;

use super::sentences::in_context;
use super::services::Services;
use super::turn::Turn;
use crate::answer::compose::promising;
use crate::domain::{Candidate, Chunk, Nearness};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::retrieval::logistic;

/// Has the most promising sentences of these passages read; `false` where there was nothing to read or no reader.
pub(super) async fn read_answers(
    services: &Services,
    turn: &Turn<'_>,
    question: &Question,
    passages: &[Candidate],
) -> bool {
    let Some(reader) = services.ports.reader.clone() else { return false };
    let unread: Vec<&Candidate> =
        passages.iter().filter(|candidate| candidate.answers.get().is_none()).collect();
    let chunks: Vec<&Chunk> = unread.iter().map(|candidate| candidate.chunk.as_ref()).collect();
    let nearness: Vec<Nearness> = unread.iter().map(|passage| in_context(passage, question)).collect();
    let promising = promising(question, &chunks, &nearness);
    if promising.is_empty() {
        return false;
    }
    let texts: Vec<String> = promising.iter().map(|piece| piece.text.clone()).collect();
    let read = services.within_reading_deadline("reader", reader.read(&question.text, &texts)).await;
    let Some(readings) = read.ok().filter(|readings| readings.len() == texts.len()) else {
        warn!(target: "reader", event = "sentences_unread", sentences = texts.len(), request = turn.context.request_id());
        turn.fall_back("sentences_unread");
        return false;
    };
    for (at, passage) in unread.into_iter().enumerate() {
        let own = promising.iter().zip(&readings).filter(|(piece, _)| piece.passage == at);
        let odds =
            own.flat_map(|(piece, reading)| piece.starts.iter().map(|start| (*start, reading.answers)));
        passage.answers.keep(odds.collect());
    }
    true
}

/// How likely the best sentence of these passages answers; 0 where none was read.
pub(super) fn likeliest(passages: &[Candidate]) -> f64 {
    let read = passages.iter().filter_map(|passage| passage.answers.get());
    let best = read.flat_map(|odds| odds.values().copied()).max_by(f32::total_cmp);
    best.map_or(0.0, |odds| logistic(f64::from(odds)))
}

/// Whether this text, true as it may be, more likely than not leaves open what is asked, while a sentence of the passages surely tells
/// it. The passages' sentences are to be read before.
pub(super) async fn leaves_open(
    services: &Services,
    turn: &Turn<'_>,
    question: &Question,
    text: &str,
    passages: &[Candidate],
) -> bool {
    let Some(reader) = services.ports.reader.clone() else { return false };
    if likeliest(passages) < numbers().compose.answers_too {
        return false;
    }
    let read =
        services.within_reading_deadline("reader", reader.read(&question.text, &[text.to_owned()])).await;
    match read.ok().as_deref() {
        Some([reading]) => reading.answers < 0.0,
        _ => {
            warn!(target: "reader", event = "reply_unread", request = turn.context.request_id());
            turn.fall_back("sentences_unread");
            false
        }
    }
}
