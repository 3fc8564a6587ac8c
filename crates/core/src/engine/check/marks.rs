//! What is marked of a passage that decides: the words that a statement shares with it, and where they are in different languages, the
//! sentence that the reader takes for it.

use std::ops::Range;

use super::super::services::Services;
use crate::domain::{Chunk, PassageReading, TextSpan};
use crate::response::StatementVerdict;
use crate::text::{detect_or, shared_words, units};

/// The marks, in characters.
pub(super) async fn marks(
    services: &Services,
    chunk: &Chunk,
    statement: &str,
    verdict: StatementVerdict,
) -> Vec<TextSpan> {
    let ranges = if detect_or(statement, chunk.language) == chunk.language {
        shared_words(&chunk.text, statement, chunk.language)
    } else {
        decisive(services, chunk, statement, verdict).await.into_iter().collect()
    };
    in_characters(&chunk.text, ranges)
}

/// The sentence, item or row that most surely says what the statement says, or denies it.
async fn decisive(
    services: &Services,
    chunk: &Chunk,
    statement: &str,
    verdict: StatementVerdict,
) -> Option<Range<usize>> {
    let reader = services.ports.reader.clone()?;
    let stated: Vec<_> = units(&chunk.text).into_iter().filter(|unit| unit.kind.states()).collect();
    let texts: Vec<String> =
        stated.iter().map(|unit| chunk.under_headings(&chunk.text[unit.range.clone()])).collect();
    // A mark less is no degradation worth telling: the passage itself is shown.
    let read = services.within_reading_deadline("reader", reader.read(statement, &texts)).await.ok()?;
    let telling = |reading: &PassageReading| match verdict {
        StatementVerdict::Contradicted => reading.contradicts,
        _ => reading.follows,
    };
    let most = stated.into_iter().zip(read).max_by(|(_, a), (_, b)| telling(a).total_cmp(&telling(b)));
    most.map(|(unit, _)| unit.range)
}

fn in_characters(text: &str, ranges: Vec<Range<usize>>) -> Vec<TextSpan> {
    let (mut bytes, mut chars) = (0, 0);
    let in_chars = ranges.into_iter().map(|range| {
        let start = chars + text[bytes..range.start].chars().count();
        let end = start + text[range.clone()].chars().count();
        (bytes, chars) = (range.end, end);
        TextSpan { start, end }
    });
    in_chars.collect()
}
