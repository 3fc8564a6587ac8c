use crate::domain::{Chunk, Kind, Standing};

/// The factor for a passage that tells of what another one holds.
const SECOND_HAND: f32 = 0.9;

/// How much a passage's word counts beside others. An approval record only tells of a decision, and a record that was replaced
/// of what no longer holds: the record in force goes first.
pub(crate) fn authority(chunk: &Chunk) -> f32 {
    let past = matches!(chunk.document.standing(), Standing::Superseded | Standing::Deprecated);
    if chunk.document.kind == Kind::Dar || past { SECOND_HAND } else { 1.0 }
}
