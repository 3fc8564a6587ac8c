use plumbline_contract::{AppState, BannerItem, CommandError, Preferences};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// What the whole window depends on.
    pub async fn app_state(&self) -> Result<AppState, CommandError> {
        Err(unfinished())
    }

    /// What is off at the moment, and until when.
    pub async fn banner(&self) -> Result<Vec<BannerItem>, CommandError> {
        Err(unfinished())
    }

    /// How the window looks.
    pub async fn preferences(&self) -> Result<Preferences, CommandError> {
        Err(unfinished())
    }

    /// Changes how the window looks.
    pub async fn change_preferences(&self, preferences: Preferences) -> Result<(), CommandError> {
        let _ = preferences;
        Err(unfinished())
    }

    /// Opens an http, https or mailto address in the system's own program; refuses any other.
    pub async fn open_link(&self, address: String) -> Result<(), CommandError> {
        let _ = address;
        Err(unfinished())
    }
}
