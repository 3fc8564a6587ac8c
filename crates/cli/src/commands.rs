//! One file a command.

pub mod define;
pub mod eval_retrieval;
pub mod index;
pub mod list;
pub mod search;
pub mod show;
pub mod status;
pub mod verify_identity;
pub mod vocab;
