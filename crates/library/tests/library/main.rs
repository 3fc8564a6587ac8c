//! The library on disk, end to end: folders in, generations, searches, faults.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::panic)]

mod access;
mod following;
mod kept_format;
mod kills;
mod nearness;
mod sample;
mod switching;
mod test_library;
