//! Why there is no store at an address.

use thiserror::Error;

/// Why there is no store at an address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StorageError {
    /// It is no address.
    #[error("`{address}` is neither a folder nor a place in a bucket")]
    Address {
        /// As written.
        address: String,
    },
    /// It is the address of a database server.
    #[error("`{address}` is the address of a database server")]
    Database {
        /// As written.
        address: String,
    },
    /// This build does not reach such addresses.
    #[error("this build does not reach `{scheme}://`")]
    NoCloud {
        /// What stands before `://`.
        scheme: &'static str,
    },
    /// The store cannot be used as it is set up.
    #[error("`{address}` cannot be used as it is set up: {detail}")]
    Setup {
        /// Where.
        address: String,
        /// What is wrong with it.
        detail: String,
    },
}
