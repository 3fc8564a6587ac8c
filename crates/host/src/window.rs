//! What the window itself asks for: its state, its looks, the banner and links.

use plumbline_contract::{AppState, BannerItem, CommandError, Preferences};
use plumbline_core::messages::Message;

use crate::error::{internal, invalid};
use crate::locks::lock;
use crate::{Host, OpenTarget};

/// The fact that holds how the window looks.
const PREFERENCES: &str = "preferences";

impl Host {
    /// What the whole window depends on.
    pub async fn app_state(&self) -> Result<AppState, CommandError> {
        Ok(lock(&self.inner.state).clone())
    }

    /// What is off at the moment, and until when.
    pub async fn banner(&self) -> Result<Vec<BannerItem>, CommandError> {
        Ok(self.open().map(|open| open.engine().banner()).unwrap_or_default())
    }

    /// How the window looks.
    pub async fn preferences(&self) -> Result<Preferences, CommandError> {
        let host = self.clone();
        // A window without preferences is better than none.
        let kept =
            self.blocking(move || host.history()?.fact(PREFERENCES).map_err(CommandError::from)).await?;
        Ok(kept.unwrap_or(None).unwrap_or_default())
    }

    /// Changes how the window looks.
    pub async fn change_preferences(&self, preferences: Preferences) -> Result<(), CommandError> {
        let host = self.clone();
        self.blocking(move || Ok(host.history()?.keep_fact(PREFERENCES, &preferences)?)).await?
    }

    /// Opens an http, https or mailto address in the system's own program; refuses any other.
    pub async fn open_link(&self, address: String) -> Result<(), CommandError> {
        let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        let known = scheme.is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto"));
        if !known || address.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(invalid(self.texts().say(Message::RefusedLink, &[("address", &address)])));
        }
        self.inner.desktop.open(&OpenTarget::Address(address)).map_err(internal)
    }
}
