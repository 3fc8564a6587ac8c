use plumbline_core::breaker::BannerItem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::development::Development;
use crate::evaluation::Evaluation;
use crate::library::Indexing;
use crate::models::OwnModel;
use crate::settings::SettingsReport;
use crate::state::AppState;
use crate::team::TeamActivity;

/// The name under which [`Broadcast`] reaches the window.
pub const BROADCAST: &str = "plumbline";

/// What the host tells the window without being asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Broadcast {
    /// The window's state changed.
    State {
        /// As it is now.
        state: AppState,
    },
    /// What is off changed.
    Banner {
        /// As it is now; empty when all is well.
        items: Vec<BannerItem>,
    },
    /// Indexing went on.
    Indexing {
        /// How far it is.
        indexing: Indexing,
    },
    /// Folders, documents or problems changed: a new generation is searched.
    LibraryChanged,
    /// Following or publishing went on.
    TeamActivity {
        /// How far it is; absent when nothing goes on any more.
        activity: Option<TeamActivity>,
    },
    /// Curated memory changed.
    MemoryChanged,
    /// The list of conversations changed.
    ConversationsChanged,
    /// The evaluation went on.
    Evaluation {
        /// As it is now.
        evaluation: Box<Evaluation>,
    },
    /// The run of a development set went on.
    Development {
        /// As it is now.
        development: Box<Development>,
    },
    /// The settings changed.
    Settings {
        /// As they are now.
        settings: Box<SettingsReport>,
    },
    /// Plumbline's own model was started, stopped or has ended.
    OwnModel {
        /// As it is now.
        own_model: OwnModel,
    },
    /// The user dropped files or folders on the window.
    Dropped {
        /// Their paths.
        paths: Vec<String>,
    },
}
