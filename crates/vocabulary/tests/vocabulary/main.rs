//! The vocabulary of record, from its files and from a server.

// Clippy knows a test by its attribute; these are the helpers of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checked;
mod client;
mod client_faults;
mod client_fuzz;
mod client_recordings;
mod client_servers;
mod client_versions;
mod client_world;
mod differential;
mod fuzz;
mod kept;
mod literals;
mod made_up;
mod sample;
mod support;
