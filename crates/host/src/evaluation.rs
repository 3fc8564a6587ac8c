use plumbline_contract::{CommandError, Evaluation, GoldenSet};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// The golden set, a run that is going on, and the last two.
    pub async fn evaluation(&self) -> Result<Evaluation, CommandError> {
        Err(unfinished())
    }

    /// Asks the user for a golden set of their own; nothing where they changed their mind.
    pub async fn pick_golden_set(&self) -> Result<Option<GoldenSet>, CommandError> {
        Err(unfinished())
    }

    /// Runs the golden set; how far it is comes as a broadcast.
    pub async fn start_evaluation(&self) -> Result<(), CommandError> {
        Err(unfinished())
    }

    /// Stops the run; nothing is kept of it.
    pub async fn stop_evaluation(&self) -> Result<(), CommandError> {
        Err(unfinished())
    }
}
