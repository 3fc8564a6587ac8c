//! The real window, driven as a user would: Xvfb shows it, WebKitWebDriver presses its keys and buttons.
//!
//! Nothing here waits a fixed time: a test waits for what a user would see, and fails with a picture of what is there.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod accessibility;
mod answers;
mod conversations;
mod doors;
mod evaluation;
mod hands;
mod home;
mod hostile;
mod keyboard;
mod library;
mod measures;
mod model;
mod pictures;
mod screen;
mod session;
mod shell;
mod survival;
mod team;
mod terms;
mod views;
mod window;
