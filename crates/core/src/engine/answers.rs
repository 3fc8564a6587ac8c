//! Whether the nearest passages answer the question, read by the reader together with it. Cosines tell what a passage is about, not
//! what it says of that.

use tracing::warn;

use super::services::Services;
use super::turn::Turn;
use crate::domain::Candidate;
use crate::intent::Question;
use crate::text::window_around;

/// Has these candidates read where that was not done before; `false` where there was nothing to read or no reader.
pub(super) async fn read_answers(
    services: &Services,
    turn: &Turn<'_>,
    question: &Question,
    candidates: &[Candidate],
) -> bool {
    let Some(reader) = services.ports.reader.clone() else { return false };
    let unread: Vec<&Candidate> =
        candidates.iter().filter(|candidate| candidate.answers.get().is_none()).collect();
    if unread.is_empty() {
        return false;
    }
    let texts: Vec<String> = unread.iter().map(|candidate| excerpt(candidate)).collect();
    let read = services.within_reading_deadline("reader", reader.read(&question.text, &texts)).await;
    let Some(readings) = read.ok().filter(|readings| readings.len() == texts.len()) else {
        warn!(target: "reader", event = "passages_unread", passages = texts.len(), request = turn.context.request_id());
        turn.fall_back("passages_unread");
        return false;
    };
    for (candidate, reading) in unread.iter().zip(readings) {
        candidate.answers.keep(reading.answers);
    }
    true
}

/// What surrounds the sentence of a passage that comes nearest to the question, under its headings.
fn excerpt(candidate: &Candidate) -> String {
    let chunk = candidate.chunk.as_ref();
    let nearness = candidate.sentences.get().into_iter().flatten();
    let nearest = nearness.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(at, _)| *at);
    chunk.under_headings(&chunk.text[window_around(&chunk.text, nearest)])
}
