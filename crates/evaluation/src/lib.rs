//! Golden set, questions over real libraries, retrieval sets, report, regression check, calibration, judge.

pub mod answerability;
pub mod calibration;
pub mod comparison;
pub mod decisions;
pub mod golden;
pub mod grounding;
pub mod halves;
pub mod judge_model;
pub mod lines;
pub mod quality;
pub mod questions;
pub mod refusal;
pub mod retrieval;
