//! Golden set, report, regression check, calibration, judge.

pub mod golden;
