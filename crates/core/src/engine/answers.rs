//! Which sentences answer the question, read by the reader together with it. Cosines tell what a sentence is about, not what it says
//! of that.

use tracing::warn;

use super::sentences::in_context;
use super::services::Services;
use super::turn::Turn;
use crate::answer::compose::promising;
use crate::domain::{Candidate, Chunk, Nearness};
use crate::intent::Question;

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
