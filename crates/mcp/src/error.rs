use std::io;

use thiserror::Error;

/// Why a server cannot be started or go on.
#[derive(Debug, Error)]
pub enum McpError {
    /// The port is taken, or may not be used.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// The client went away before it said who it is.
    #[error("the client did not begin: {0}")]
    Handshake(String),
}
