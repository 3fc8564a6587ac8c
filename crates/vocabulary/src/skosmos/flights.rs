use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, watch};

use super::LATEST;
use super::answer::Answer;
use super::http::Failure;
use crate::cache::{Cache, Key};

/// No more look-ups than this are under way; others wait for their turn as long as their own time lasts.
const MOST: usize = 32;

type LookupResult = Result<Arc<Answer>, Failure>;
type UnderWay = Mutex<HashMap<Key, watch::Receiver<Option<LookupResult>>>>;

/// Look-ups under way, one for each key however many wait for it.
///
/// Each runs in a task of its own: it goes on when everybody who waited has given up, so that an answer that comes too
/// late for them is there for the next.
pub(super) struct Flights {
    under_way: Arc<UnderWay>,
    turns: Arc<Semaphore>,
    cache: Arc<Cache<Arc<Answer>>>,
}

impl Flights {
    /// Look-ups whose answers go into this cache.
    pub(super) fn new(cache: Arc<Cache<Arc<Answer>>>) -> Self {
        Self { under_way: Arc::default(), turns: Arc::new(Semaphore::new(MOST)), cache }
    }

    /// Joins the look-up of this key, or begins it.
    pub(super) async fn join<F>(&self, key: Key, begin: impl FnOnce() -> F) -> LookupResult
    where
        F: Future<Output = Result<Answer, Failure>> + Send + 'static,
    {
        let joined = locked(&self.under_way).get(&key).cloned();
        let mut landing = match joined {
            Some(landing) => landing,
            None => {
                // Acquiring fails only on a semaphore that was closed, and this one never is.
                let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Failure::Unreachable)?;
                let mut under_way = locked(&self.under_way);
                if let Some(answer) = self.cache.get(&key) {
                    return Ok(answer);
                }
                under_way.entry(key.clone()).or_insert_with(|| self.start(key, turn, begin())).clone()
            }
        };
        match landing.wait_for(Option::is_some).await {
            Ok(result) => result.clone().unwrap_or(Err(Failure::BrokenOff)),
            Err(_) => Err(Failure::BrokenOff),
        }
    }

    fn start<F>(
        &self,
        key: Key,
        turn: tokio::sync::OwnedSemaphorePermit,
        work: F,
    ) -> watch::Receiver<Option<LookupResult>>
    where
        F: Future<Output = Result<Answer, Failure>> + Send + 'static,
    {
        let (land, landing) = watch::channel(None);
        let listed = Listed { key, under_way: Arc::clone(&self.under_way) };
        let cache = Arc::clone(&self.cache);
        tokio::spawn(async move {
            let result = tokio::time::timeout(LATEST, work).await.unwrap_or(Err(Failure::Late)).map(Arc::new);
            if let Ok(answer) = &result {
                cache.insert(listed.key.clone(), Arc::clone(answer));
            }
            drop(listed);
            drop(turn);
            // Nobody may be left who waits.
            land.send_replace(Some(result));
        });
        landing
    }
}

/// Takes a look-up off the list when it ends, however it ends.
struct Listed {
    key: Key,
    under_way: Arc<UnderWay>,
}

impl Drop for Listed {
    fn drop(&mut self) {
        locked(&self.under_way).remove(&self.key);
    }
}

fn locked(under_way: &UnderWay) -> MutexGuard<'_, HashMap<Key, watch::Receiver<Option<LookupResult>>>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}
