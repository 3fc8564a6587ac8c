//! What any store must do, over a folder, over a real S3 server and, with the feature `clouds`, over emulators of Azure's and
//! Google's.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::panic)]

mod amazon;
#[cfg(feature = "clouds")]
mod azure;
mod behaviour;
#[cfg(feature = "clouds")]
mod google;
mod place;
mod refusals;
mod server;
