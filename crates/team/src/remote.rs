//! A store with its address, and what went over the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_storage::{Address, Entry, Store, StoreKeys, StoreProblem, open_store};
use serde::Serialize;

use crate::TeamError;

/// The place of a team library.
pub struct Remote {
    address: String,
    store: Arc<dyn Store>,
    requests: AtomicU64,
    sent: AtomicU64,
    pulled: AtomicU64,
}

/// What went over the wire. A request that the store failed and that was made again counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Requests.
    pub requests: u64,
    /// Bytes of files that were written.
    pub bytes_sent: u64,
    /// Bytes of files that were read.
    pub bytes_pulled: u64,
}

impl Remote {
    /// The place at an address, with keys or with those of environment and platform. Nothing is asked of it yet.
    pub fn open(address: &Address, keys: Option<&StoreKeys>) -> Result<Self, TeamError> {
        Ok(Self::over(address.to_string(), open_store(address, keys)?))
    }

    /// The same over a store of one's own.
    pub fn over(address: String, store: Arc<dyn Store>) -> Self {
        Self {
            address,
            store,
            requests: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            pulled: AtomicU64::new(0),
        }
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What went over the wire until now.
    pub fn traffic(&self) -> Traffic {
        Traffic {
            requests: self.requests.load(Ordering::Relaxed),
            bytes_sent: self.sent.load(Ordering::Relaxed),
            bytes_pulled: self.pulled.load(Ordering::Relaxed),
        }
    }

    pub(crate) async fn list(&self, beginning: &str) -> Result<Vec<Entry>, TeamError> {
        self.counted(self.store.list(beginning), beginning).await
    }

    pub(crate) async fn get(&self, name: &str) -> Result<Vec<u8>, TeamError> {
        let bytes = self.counted(self.store.get(name), name).await?;
        self.pulled.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }

    pub(crate) async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), TeamError> {
        self.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.counted(self.store.put(name, bytes), name).await
    }

    pub(crate) async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, TeamError> {
        self.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.counted(self.store.put_new(name, bytes), name).await
    }

    pub(crate) async fn delete(&self, name: &str) -> Result<(), TeamError> {
        self.counted(self.store.delete(name), name).await
    }

    async fn counted<T>(
        &self,
        request: impl Future<Output = Result<T, StoreProblem>>,
        name: &str,
    ) -> Result<T, TeamError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let address = || self.address.clone();
        request.await.map_err(|problem| match problem {
            StoreProblem::NotFound => TeamError::Missing { address: address(), name: name.to_owned() },
            StoreProblem::Forbidden => TeamError::Forbidden { address: address(), name: name.to_owned() },
            StoreProblem::Setup(detail) => TeamError::Setup { address: address(), detail },
            StoreProblem::Unreachable(detail) => TeamError::Unreachable { address: address(), detail },
        })
    }
}
