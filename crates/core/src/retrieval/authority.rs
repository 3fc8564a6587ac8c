//! How much a passage counts by the kind and the standing of its document.

use crate::domain::{Chunk, Kind, Standing};
use crate::numbers::numbers;

/// How much a passage's word counts beside others. An approval record only tells of a decision, and a record that was replaced
/// of what no longer holds: the record in force goes first.
pub(crate) fn authority(chunk: &Chunk) -> f32 {
    let past = matches!(chunk.document.standing(), Standing::Superseded | Standing::Deprecated);
    if chunk.document.kind == Kind::Dar || past { numbers().retrieval.second_hand } else { 1.0 }
}
