use plumbline_contract::{CommandError, SettingChange, SettingsReport, ThresholdChange, ThresholdRow};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// The settings in force.
    pub async fn settings(&self) -> Result<SettingsReport, CommandError> {
        Err(unfinished())
    }

    /// Writes settings, all or none of them.
    pub async fn change_settings(&self, changes: Vec<SettingChange>) -> Result<SettingsReport, CommandError> {
        let _ = changes;
        Err(unfinished())
    }

    /// The thresholds by collection and scorer.
    pub async fn thresholds(&self) -> Result<Vec<ThresholdRow>, CommandError> {
        Err(unfinished())
    }

    /// Writes thresholds, all or none of them.
    pub async fn change_thresholds(
        &self,
        changes: Vec<ThresholdChange>,
    ) -> Result<Vec<ThresholdRow>, CommandError> {
        let _ = changes;
        Err(unfinished())
    }
}
