//! What becomes of a model's words before anyone sees them: markers checked, sentences grounded, or extracts instead.

pub mod citing;
pub mod compose;
pub mod gauntlet;
pub mod grounding;
pub mod record;
mod remarks;
mod sides;
mod stream;

pub use remarks::{Remark, remark};
pub use stream::{AnswerStream, PendingUnit, ReplyKind, ReplyOutcome, Shown, WrittenUnit};
pub(crate) use stream::{tidied, without_markers};
