//! What became of a step of `cargo xtask test`.

use std::process::ExitStatus;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepOutcome {
    Passed,
    Failed,
    Skipped,
}

impl From<ExitStatus> for StepOutcome {
    fn from(status: ExitStatus) -> Self {
        if status.success() { Self::Passed } else { Self::Failed }
    }
}
