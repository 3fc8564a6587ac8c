//! What the reader makes of a statement and the passages that may bear it out.

use std::collections::BTreeSet;
use std::sync::Arc;

use tracing::warn;

use super::services::Services;
use super::turn::Turn;
use crate::answer::grounding::{CitedPassages, StatedDays, StatementReadings};
use crate::domain::{Chunk, PassageReading};
use crate::numbers::numbers;
use crate::ports::Reader;
use crate::text::{detect_or, sentences, windows};

/// Between two clauses that each say something of their own.
const BREAK: char = ';';

/// What the reader makes of a statement and every passage that may bear it out: what the one says another may deny. What a statement
/// seems to follow from is read once more, each clause by itself: among others, a word that denies one thing is taken for another's.
pub(super) async fn read(
    services: &Services,
    turn: &Turn<'_>,
    passages: &CitedPassages,
    chunks: &[&Chunk],
    statement: &str,
) -> Option<StatementReadings> {
    let asked = Asked { services, turn, reader: services.ports.reader.clone()?, statement };
    let mut readings = StatementReadings::default();
    let days = StatedDays::of(statement, detect_or(statement, turn.language));
    let worth = passages.worth_reading(statement);
    let parts: Vec<Part> = worth.into_iter().flat_map(|alias| Part::all_of(chunks, alias, &days)).collect();
    let windows = asked.read(parts.iter().map(|part| part.under_headings.clone()).collect()).await?;
    let mut clauses: BTreeSet<(usize, &str)> = BTreeSet::new();
    for (part, reading) in parts.iter().zip(&windows) {
        readings.keep(part.alias, reading);
        if f64::from(reading.follows) >= numbers().reader.contradicted {
            clauses.extend(part.clauses().map(|clause| (part.alias, clause)));
        }
    }
    let alone = asked.read(clauses.iter().map(|(_, clause)| (*clause).to_owned()).collect()).await?;
    for ((alias, _), reading) in clauses.iter().zip(&alone) {
        readings.keep_denial(*alias, reading);
    }
    Some(readings)
}

/// A window of a passage.
struct Part {
    alias: usize,
    /// Its text, with its days spelled as the statement spells them.
    text: String,
    /// The same below its headings.
    under_headings: String,
}

impl Part {
    fn all_of(chunks: &[&Chunk], alias: usize, days: &StatedDays) -> Vec<Self> {
        let Some(chunk) = alias.checked_sub(1).and_then(|at| chunks.get(at)) else { return Vec::new() };
        let spelled = |text: &str| days.spelled_in(text, chunk.language);
        let part = |window| {
            let text = &chunk.text[window];
            Self { alias, text: spelled(text), under_headings: spelled(&chunk.under_headings(text)) }
        };
        windows(&chunk.text).into_iter().map(part).collect()
    }

    /// What it says, each by itself; nothing where that is one thing.
    fn clauses(&self) -> impl Iterator<Item = &str> {
        let clauses: Vec<&str> =
            sentences(&self.text).into_iter().flat_map(|sentence| sentence.split(BREAK)).collect();
        let several = clauses.len() > 1;
        clauses.into_iter().map(str::trim).filter(move |clause| several && !clause.is_empty())
    }
}

/// A statement and who reads it.
struct Asked<'a> {
    services: &'a Services,
    turn: &'a Turn<'a>,
    reader: Arc<dyn Reader>,
    statement: &'a str,
}

impl Asked<'_> {
    /// One reading a text, in order; none where the reader failed, which is told.
    async fn read(&self, texts: Vec<String>) -> Option<Vec<PassageReading>> {
        if texts.is_empty() {
            return Some(Vec::new());
        }
        let read = self.reader.read(self.statement, &texts);
        let read = self.services.within_reading_deadline("reader", read).await;
        let read = read.ok().filter(|read| read.len() == texts.len());
        if read.is_none() {
            warn!(target: "reader", event = "statement_unread", request = self.turn.context.request_id());
            self.turn.fall_back("statements_unread");
        }
        read
    }
}
