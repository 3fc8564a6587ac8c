//! A library that is published and followed, over a folder and over a real S3 server.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::panic)]

mod audience;
mod beside;
mod damage;
mod faults;
mod in_place;
mod in_place_measured;
mod keeping;
mod kills;
mod other_server;
mod proxy;
mod races;
mod server;
mod server_faults;
mod stores;
mod support;
mod travelling;
