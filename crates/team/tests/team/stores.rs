//! Stores that misbehave.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use plumbline_team::{Entry, Store, StoreProblem};
use tokio::sync::Barrier;

/// What a store does before it does what it is asked: fails, waits, or nothing.
type Before = dyn Fn(&str, &str) -> Result<(), StoreProblem> + Send + Sync;

/// A store with something in front of it, which sees what is asked (`list`, `get`, `put`, `put_new`, `delete`) and of which name.
pub struct Guarded {
    pub inner: Arc<dyn Store>,
    pub before: Box<Before>,
}

impl Guarded {
    pub fn new(
        inner: Arc<dyn Store>,
        before: impl Fn(&str, &str) -> Result<(), StoreProblem> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { inner, before: Box::new(before) })
    }

    /// Keys that open these shelves only, and write nothing.
    pub fn reader(inner: Arc<dyn Store>, shelves: Vec<String>) -> Arc<Self> {
        Self::new(inner, move |asked, name| match asked {
            "list" if name == "generations/" => Ok(()),
            "get" if name.starts_with("generations/") => Ok(()),
            "get" if shelves.iter().any(|shelf| name.starts_with(&format!("shelves/{shelf}/"))) => Ok(()),
            _ => Err(StoreProblem::Forbidden),
        })
    }

    /// Fails from the n-th request on, so many times.
    pub fn failing(inner: Arc<dyn Store>, from: usize, times: usize, problem: StoreProblem) -> Arc<Self> {
        let count = AtomicUsize::new(0);
        Self::new(inner, move |_, _| {
            let at = count.fetch_add(1, Ordering::Relaxed);
            if at >= from && at < from.saturating_add(times) { Err(problem.clone()) } else { Ok(()) }
        })
    }

    /// Does something once, before the first request that fits.
    pub fn interrupted(
        inner: Arc<dyn Store>,
        fits: impl Fn(&str, &str) -> bool + Send + Sync + 'static,
        work: impl FnOnce() + Send + 'static,
    ) -> Arc<Self> {
        let work = Mutex::new(Some(work));
        Self::new(inner, move |asked, name| {
            if fits(asked, name)
                && let Some(work) = work.lock().unwrap().take()
            {
                // Its own requests wait on another thread, as another program's would.
                std::thread::scope(|threads| threads.spawn(work).join().unwrap());
            }
            Ok(())
        })
    }
}

#[async_trait]
impl Store for Guarded {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        (self.before)("list", beginning)?;
        self.inner.list(beginning).await
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
        (self.before)("get", name)?;
        self.inner.get(name).await
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
        (self.before)("put", name)?;
        self.inner.put(name, bytes).await
    }

    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
        (self.before)("put_new", name)?;
        self.inner.put_new(name, bytes).await
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        (self.before)("delete", name)?;
        self.inner.delete(name).await
    }
}

/// A store at which publishers wait for each other before they make a generation.
pub struct Abreast {
    pub inner: Arc<dyn Store>,
    pub barrier: Arc<Barrier>,
}

#[async_trait]
impl Store for Abreast {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        self.inner.list(beginning).await
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
        self.inner.get(name).await
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
        self.inner.put(name, bytes).await
    }

    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
        self.barrier.wait().await;
        self.inner.put_new(name, bytes).await
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        self.inner.delete(name).await
    }
}
