use std::collections::BTreeMap;

use plumbline_core::settings::{CollectionThresholds, Settings};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a setting was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SettingOrigin {
    /// In the settings file.
    File,
    /// In the environment: the window cannot change it.
    Environment,
    /// On the command line: the window cannot change it.
    Flag,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SettingsReport {
    /// Their values.
    pub settings: Settings,
    /// What they would be if nothing were given.
    pub defaults: Settings,
    /// Where each `section.key` that is not a default was given.
    pub origins: BTreeMap<String, SettingOrigin>,
}

/// A setting to write into the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingChange {
    /// `section.key`.
    pub key: String,
    /// Its value as one would write it; back to the default where absent.
    pub value: Option<String>,
}

/// The thresholds of one collection and scorer.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ThresholdRow {
    /// The collection and scorer, such as `ADR_Local`.
    pub name: String,
    /// In force.
    pub values: CollectionThresholds,
    /// Built in.
    pub defaults: CollectionThresholds,
    /// What calibration on the golden set proposes; absent where it has not run.
    pub calibrated: Option<CollectionThresholds>,
    /// Whether the library uses them now.
    pub in_use: bool,
}

/// A threshold to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ThresholdChange {
    /// The collection and scorer.
    pub name: String,
    /// The threshold, such as `single_hit`.
    pub field: String,
    /// Its value; back to the built-in one where absent.
    pub value: Option<f64>,
}

/// Where the token for a remote model server is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TokenPlace {
    /// There is none.
    None,
    /// In the system's keyring.
    Keyring,
    /// In memory until the program ends, because there is no keyring.
    Session,
}

/// What is known of the token; never the token itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenStatus {
    /// Where it is kept.
    pub place: TokenPlace,
    /// Why there is no keyring, where that is so.
    pub keyring_problem: Option<String>,
}
