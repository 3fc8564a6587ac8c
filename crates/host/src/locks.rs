//! Locks that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Every change under these locks is complete before anything could panic, so a poisoned one is still sound.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
