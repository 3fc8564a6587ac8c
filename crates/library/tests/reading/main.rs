//! Files in, text and passages out.

// Clippy knows a test by its attribute; these are the helpers of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod chunks;
mod chunks_of_anything;
mod corpora;
mod docx;
mod faults;
mod front_matter;
mod html;
mod markdown;
mod pdf;
mod support;
mod worker;
