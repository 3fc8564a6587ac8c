//! Plain storage: names with bytes, and one way to write that only the first can win.

mod bucket;
mod folder;

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use thiserror::Error;

use crate::{Address, StorageError, StoreKeys};

/// A file in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name below the store's address, with slashes.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// When it was written, where the store says so.
    pub modified: Option<Timestamp>,
}

/// Why a store did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreProblem {
    /// There is no such file.
    #[error("it is not there")]
    NotFound,
    /// The keys in use may not.
    #[error("the keys in use give no access")]
    Forbidden,
    /// It cannot be used as it is set up.
    #[error("{0}")]
    Setup(String),
    /// It does not answer, or not as it should.
    #[error("{0}")]
    Unreachable(String),
}

/// Where files lie. None is ever changed: it is written whole, and later taken away.
#[async_trait]
pub trait Store: Send + Sync {
    /// All files whose names begin so; the beginning ends with a slash.
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem>;

    /// The bytes of a file.
    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem>;

    /// Writes a file whole. For names that say what they hold: whoever writes it writes the same.
    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem>;

    /// Writes a file whole if there is none of that name; of several at once exactly one does. Whether this one did, as far as it
    /// knows: when an answer is lost the request is made again, and then meets the file that it wrote itself.
    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem>;

    /// Takes a file away, if it is there.
    async fn delete(&self, name: &str) -> Result<(), StoreProblem>;
}

/// Opens the store at an address, with keys or with those of environment and platform, when the first request is made.
pub fn open_store(address: &Address, keys: Option<&StoreKeys>) -> Result<Arc<dyn Store>, StorageError> {
    match address {
        Address::Folder(path) => Ok(Arc::new(folder::FolderStore::new(path))),
        Address::Bucket { cloud, bucket, path } => bucket::open(*cloud, bucket, path, address, keys),
    }
}
