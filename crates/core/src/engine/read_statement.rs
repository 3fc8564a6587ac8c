//! What the reader makes of a statement and the passages that may bear it out.

use tracing::warn;

use super::order;
use super::services::Services;
use super::turn::Turn;
use crate::answer::grounding::{CitedPassages, StatedDays, StatementReadings};
use crate::domain::Chunk;
use crate::text::detect_or;

/// What the reader makes of a statement and every passage that may bear it out: what the one says another may deny.
pub(super) async fn read(
    services: &Services,
    turn: &Turn<'_>,
    passages: &CitedPassages,
    chunks: &[&Chunk],
    statement: &str,
) -> Option<StatementReadings> {
    let reader = services.ports.reader.clone()?;
    let worth = passages.worth_reading(statement);
    let mut readings = StatementReadings::default();
    let days = StatedDays::of(statement, detect_or(statement, turn.language));
    let parts: Vec<(usize, String)> =
        worth.iter().flat_map(|alias| windows_of(chunks, *alias, &days).map(|part| (*alias, part))).collect();
    if parts.is_empty() {
        return Some(readings);
    }
    let texts: Vec<String> = parts.iter().map(|(_, text)| text.clone()).collect();
    let read = services.within_reading_deadline("reader", reader.read(statement, &texts)).await;
    let Some(read) = read.ok().filter(|read| read.len() == texts.len()) else {
        warn!(target: "reader", event = "statement_unread", request = turn.context.request_id());
        turn.fall_back("statements_unread");
        return None;
    };
    for alias in worth {
        let own = parts.iter().zip(&read).filter(|((of, _), _)| *of == alias);
        readings.keep(alias, &own.map(|(_, reading)| *reading).collect::<Vec<_>>());
    }
    Some(readings)
}

/// A passage in windows, its days spelled as the statement spells them.
fn windows_of<'c>(
    chunks: &'c [&Chunk],
    alias: usize,
    days: &'c StatedDays,
) -> impl Iterator<Item = String> + use<'c> {
    let chunk = alias.checked_sub(1).and_then(|at| chunks.get(at).copied());
    chunk
        .into_iter()
        .flat_map(|chunk| order::windows_of(chunk).map(|window| days.spelled_in(&window, chunk.language)))
}
