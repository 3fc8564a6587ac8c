use plumbline_contract::{CommandError, DataLocations};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// Where the program keeps what it knows.
    pub async fn data_locations(&self) -> Result<DataLocations, CommandError> {
        Err(unfinished())
    }

    /// Deletes conversations, feedback, metrics, logs, settings and the index; documents stay.
    pub async fn delete_all_data(&self) -> Result<(), CommandError> {
        Err(unfinished())
    }
}
