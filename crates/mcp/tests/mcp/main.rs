//! The server as a client sees it: over streams with the SDK's own client, with bytes that no client sends, and over HTTP.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod following;
mod hostile;
mod http;
mod tools;
mod world;
