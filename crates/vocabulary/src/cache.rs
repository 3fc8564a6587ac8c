//! What a server said, for a while.

use std::sync::Arc;
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache as Entries;
use plumbline_core::domain::Language;
use plumbline_telemetry::Clock;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// A term, folded.
    Term(String),
    /// A concept by its URI.
    Uri(String),
}

/// Under what an answer is kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) wanted: Wanted,
    pub(crate) language: Language,
    /// The server and its vocabularies.
    pub(crate) scope: Arc<str>,
}

/// Answers by key: the least recently used go first, and each goes stale.
///
/// The age is measured by the injected clock and not by moka's own expiry, which only the machine's clock drives.
pub(crate) struct Cache<V> {
    entries: Entries<Key, (Duration, V)>,
    clock: Arc<dyn Clock>,
    keep_for: Duration,
}

impl<V: Clone + Send + Sync + 'static> Cache<V> {
    /// A cache for so many answers, each for so long.
    pub(crate) fn new(max_size: u64, keep_for: Duration, clock: Arc<dyn Clock>) -> Self {
        let entries =
            Entries::builder().max_capacity(max_size).eviction_policy(EvictionPolicy::lru()).build();
        Self { entries, clock, keep_for }
    }

    /// The answer, unless it is stale.
    pub(crate) fn get(&self, key: &Key) -> Option<V> {
        let (stored, answer) = self.entries.get(key)?;
        if self.is_fresh(stored) {
            return Some(answer);
        }
        self.entries.invalidate(key);
        None
    }

    /// Keeps an answer.
    pub(crate) fn insert(&self, key: Key, answer: V) {
        if !self.keep_for.is_zero() {
            self.entries.insert(key, (self.clock.monotonic(), answer));
        }
    }

    /// Every answer that is not stale, in no particular order.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = (Arc<Key>, V)> + '_ {
        let fresh = self.entries.iter().filter(|(_, (stored, _))| self.is_fresh(*stored));
        fresh.map(|(key, (_, answer))| (key, answer))
    }

    fn is_fresh(&self, stored: Duration) -> bool {
        self.clock.monotonic().saturating_sub(stored) < self.keep_for
    }
}

#[cfg(test)]
mod tests {
    use plumbline_telemetry::ManualClock;

    use super::*;

    fn key(term: &str) -> Key {
        Key { wanted: Wanted::Term(term.to_owned()), language: Language::EN, scope: Arc::from("server") }
    }

    fn cache(max_size: u64, seconds: u64) -> (Cache<u32>, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::new("2026-03-01T00:00:00Z".parse().unwrap()));
        (Cache::new(max_size, Duration::from_secs(seconds), clock.clone()), clock)
    }

    #[test]
    fn an_answer_goes_stale_at_the_end_of_its_time() {
        let (cache, clock) = cache(10, 600);
        cache.insert(key("a"), 1);
        clock.advance(Duration::from_millis(599_999));
        assert_eq!(cache.get(&key("a")), Some(1));
        assert_eq!(cache.fresh().count(), 1);
        clock.advance(Duration::from_millis(1));
        assert_eq!(cache.fresh().count(), 0);
        assert_eq!(cache.get(&key("a")), None);
        cache.insert(key("a"), 2);
        assert_eq!(cache.get(&key("a")), Some(2), "a new answer is fresh again");
    }

    #[test]
    fn the_least_recently_used_answer_goes_first() {
        let (cache, _) = cache(3, 600);
        for (at, term) in ["a", "b", "c"].iter().enumerate() {
            cache.insert(key(term), u32::try_from(at).unwrap());
        }
        cache.entries.run_pending_tasks();
        assert_eq!(cache.get(&key("a")), Some(0), "which makes it the most recently used");
        cache.insert(key("d"), 3);
        cache.entries.run_pending_tasks();
        let kept: Vec<_> =
            ["a", "b", "c", "d"].iter().filter(|term| cache.get(&key(term)).is_some()).collect();
        assert_eq!(kept, [&"a", &"c", &"d"]);
    }

    #[test]
    fn a_cache_of_five_thousand_holds_no_more() {
        let (cache, _) = cache(5_000, 600);
        for term in 0..6_000 {
            cache.insert(key(&term.to_string()), term);
        }
        cache.entries.run_pending_tasks();
        assert_eq!(cache.entries.entry_count(), 5_000);
        assert!(cache.get(&key("5999")).is_some() && cache.get(&key("0")).is_none());
    }

    #[test]
    fn no_size_or_no_time_means_no_cache() {
        for (max_size, seconds) in [(0, 600), (10, 0)] {
            let (cache, _) = cache(max_size, seconds);
            cache.insert(key("a"), 1);
            cache.entries.run_pending_tasks();
            assert_eq!(cache.get(&key("a")), None);
        }
    }

    #[test]
    fn keys_differ_by_language_and_server() {
        let (cache, _) = cache(10, 600);
        cache.insert(key("a"), 1);
        assert_eq!(cache.get(&Key { language: Language::NL, ..key("a") }), None);
        assert_eq!(cache.get(&Key { scope: Arc::from("other"), ..key("a") }), None);
        assert_eq!(cache.get(&Key { wanted: Wanted::Uri("a".to_owned()), ..key("a") }), None);
    }
}
