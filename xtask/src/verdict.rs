//! What became of a step of `cargo xtask test`.

use std::process::ExitStatus;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Passed,
    Failed,
    Skipped,
}

impl From<ExitStatus> for Verdict {
    fn from(status: ExitStatus) -> Self {
        if status.success() { Self::Passed } else { Self::Failed }
    }
}
