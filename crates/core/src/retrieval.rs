//! From what the lanes found to the few passages that may support an answer: pool, fusion, witnesses, filters.

mod answerability;
mod authority;
mod filters;
mod pool;

pub(crate) use authority::authority;

pub use answerability::{Answerability, best_sentence_coverage, logistic, share_held};
pub use filters::{Cut, FilterRules, Filtered, apply_filters, text_similarity};
pub use pool::{FusionRules, Pool, WordsShared, order_by_rerank};
