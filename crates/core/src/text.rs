//! How text is read: folding, words, stems, languages and sentences. One way for questions, passages and answers.

mod aspects;
mod blocks;
mod days;
mod detect;
mod names;
mod own_name;
mod quotable;
mod shared;
mod units;
mod windows;
mod words;

pub use crate::fold::{capitalised, fold, is_invisible, without_marks};
pub use aspects::{AGAINST, ALTERNATIVES, Aspect, DECISION, FOR, MORE, STATUS, aspect_of_heading};
pub use blocks::{Block, announces, blocks};
pub use detect::{detect, detect_or, is_in_known_language};
pub use names::Writing;
pub(crate) use own_name::own_name;
pub use quotable::{is_field, is_quotable, quotable};
pub(crate) use quotable::{is_filled_in, is_picture};
pub use shared::shared_words;
pub use units::{Unit, UnitKind, sentences, units};
pub use windows::{window_around, windows};
pub use words::{Word, WordList, content_stems, distinct_stems, ends_in, holds, stem, words};

pub(crate) use aspects::{CONSEQUENCES, aspect_wished};
pub(crate) use days::{DateParts, days};
pub(crate) use units::{UnitSplit, split_units, table_head};
