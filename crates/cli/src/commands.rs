//! One file a command.

pub mod define;
pub mod vocab;
