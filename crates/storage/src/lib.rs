//! Plain storage that an organisation has already, a folder or a bucket, as what keeps a library in it needs it.
#![deny(missing_docs)]

mod address;
mod error;
mod keys;
mod store;

pub use address::{Address, Cloud};
pub use error::StorageError;
pub use keys::StoreKeys;
pub use store::{Entry, Store, StoreProblem, open_store};
