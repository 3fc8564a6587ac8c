//! The store that a shelf lies in, as far as reading in place asks of it, and whether it answers.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use plumbline_core::detail::Detail;

/// A store that failed is left alone so long: each question would else wait for it anew.
const LEFT_ALONE: Duration = Duration::from_secs(10);
/// That one was slow is told so long, which is as long as a question's lanes take.
const TOLD: Duration = Duration::from_secs(3);

/// Published shelves at one address. It only reads.
#[async_trait]
pub trait ShelfStore: Send + Sync {
    /// A piece of a shelf's stores.
    async fn piece(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail>;

    /// A part of a shelf: documents with their passages and vectors.
    async fn part(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail>;
}

/// Where published shelves are reached.
pub trait ShelfStores: Send + Sync {
    /// Those at an address. Nothing is asked of it yet.
    fn at(&self, address: &str) -> std::sync::Arc<dyn ShelfStore>;
}

/// Whether what is read in place at an address can be read.
#[derive(Default)]
pub(crate) struct Reach {
    last: Mutex<Option<Problem>>,
}

struct Problem {
    detail: Detail,
    at: Instant,
    /// Whether it is asked again by the next question.
    only_slow: bool,
}

impl Reach {
    /// What was wrong a moment ago, where something was.
    pub fn problem(&self) -> Option<Detail> {
        self.recent(|_| true)
    }

    /// The same where it is not to be asked at the moment.
    pub fn away(&self) -> Option<Detail> {
        self.recent(|problem| !problem.only_slow)
    }

    pub fn failed(&self, detail: Detail) {
        self.keep(detail, false);
    }

    /// It did not answer in time; what was asked for still arrives.
    pub fn was_slow(&self, detail: Detail) {
        if self.away().is_none() {
            self.keep(detail, true);
        }
    }

    fn keep(&self, detail: Detail, only_slow: bool) {
        let problem = Problem { detail, at: Instant::now(), only_slow };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
    }

    fn recent(&self, counts: impl Fn(&Problem) -> bool) -> Option<Detail> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = last.as_ref().filter(|problem| counts(problem))?;
        let counts_for = if problem.only_slow { TOLD } else { LEFT_ALONE };
        (problem.at.elapsed() < counts_for).then(|| problem.detail.clone())
    }
}
