//! What documents are, over whole libraries.

// Clippy knows a test by its attribute; these are the helpers of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod approvals;
mod corpora;
mod made_up;
mod records;
mod sample;
mod support;
