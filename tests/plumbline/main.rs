//! What no single crate can promise by itself.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod architecture;
mod dependencies;
mod golden;
mod injection;
