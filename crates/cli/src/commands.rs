//! One file a command.

pub mod ask;
pub mod calibrate;
pub mod chat;
pub mod check;
pub mod check_regression;
pub mod contradictions;
pub mod define;
pub mod doctor;
pub mod eval_answerability;
pub mod eval_decisions;
pub mod eval_golden;
pub mod eval_grounding;
pub mod eval_questions;
pub mod eval_refusal;
pub mod eval_retrieval;
pub mod index;
pub mod judge;
pub mod list;
pub mod mcp;
pub mod metrics;
pub mod models;
pub mod search;
pub mod show;
pub mod status;
mod test_library;
pub mod verify_identity;
pub mod vocab;
