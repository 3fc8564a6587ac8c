//! What the reader makes of a statement and the passages that may bear it out.

use tracing::warn;

use super::order;
use super::services::Services;
use super::turn::Turn;
use crate::answer::grounding::{CitedPassages, StatementReadings};
use crate::domain::Chunk;

/// What the reader makes of a statement: of the passages that it cites first, and of the others where it follows from none of those.
pub(super) async fn read(
    services: &Services,
    turn: &Turn<'_>,
    passages: &CitedPassages,
    chunks: &[&Chunk],
    statement: &str,
    cited: &[usize],
) -> Option<StatementReadings> {
    let reader = services.ports.reader.clone()?;
    let worth = passages.worth_reading(statement);
    let (cited, others): (Vec<usize>, Vec<usize>) =
        worth.into_iter().partition(|alias| cited.contains(alias));
    let mut readings = StatementReadings::default();
    for group in [cited, others] {
        let parts: Vec<(usize, String)> =
            group.iter().flat_map(|alias| windows_of(chunks, *alias).map(|part| (*alias, part))).collect();
        if parts.is_empty() {
            continue;
        }
        let texts: Vec<String> = parts.iter().map(|(_, text)| text.clone()).collect();
        let read = services.within_reading_deadline("reader", reader.read(statement, &texts)).await;
        let Some(read) = read.ok().filter(|read| read.len() == texts.len()) else {
            warn!(target: "reader", event = "statement_unread", request = turn.context.request_id());
            turn.fall_back("statements_unread");
            return None;
        };
        for alias in &group {
            let own = parts.iter().zip(&read).filter(|((of, _), _)| of == alias);
            readings.keep(*alias, &own.map(|(_, reading)| *reading).collect::<Vec<_>>());
        }
        if readings.follows_from_any(&group) {
            break;
        }
    }
    Some(readings)
}

/// The cited passage in windows.
fn windows_of<'c>(chunks: &'c [&Chunk], alias: usize) -> impl Iterator<Item = String> + use<'c> {
    let chunk = alias.checked_sub(1).and_then(|at| chunks.get(at).copied());
    chunk.into_iter().flat_map(order::windows_of)
}
