//! Where the program keeps what it knows, and how all of it is deleted.

use std::path::{Path, PathBuf};

use plumbline_contract::{AppState, Broadcast, CommandError, DataLocations, Startup};
use plumbline_library::bytes_of;
use plumbline_models::managed::{MODELS_FOLDER, STATE_FILE};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::error::{of_file, of_start};
use crate::history::FILE as HISTORY;
use crate::host::STARTUP_STEPS;
use crate::locks::lock;
use crate::metrics::CURVES;

/// What the program keeps in its workspace. Files that a user put there (`owners.toml`) are not among it.
const KEPT: [&str; 17] = [
    "library",
    "published",
    "audit",
    "logs",
    HISTORY,
    "history.sqlite-wal",
    "history.sqlite-shm",
    "contradictions.json",
    "counters.json",
    "counters.lock",
    CURVES,
    "embedders.json",
    MODELS_FOLDER,
    STATE_FILE,
    "thresholds.yaml",
    "vocabulary.cache",
    "settings.toml",
];

impl Host {
    /// Where the program keeps what it knows.
    pub async fn data_locations(&self) -> Result<DataLocations, CommandError> {
        let workspace = self.open()?.workspace.clone();
        let settings_file = self.settings_file()?;
        self.blocking(move || DataLocations {
            workspace: workspace.folder().display().to_string(),
            logs: workspace.logs_folder().display().to_string(),
            settings_file: settings_file.display().to_string(),
            bytes: bytes_of(workspace.folder()),
        })
        .await
    }

    /// Deletes conversations, feedback, metrics, logs, settings and the index; documents stay.
    pub async fn delete_all_data(&self) -> Result<(), CommandError> {
        let workspace = self.open()?.workspace.clone();
        self.stop_everything().await;
        self.set_open(None);
        lock(&self.inner.history).take();
        lock(&self.inner.last_check).take();
        lock(&self.inner.log).take();
        // A keyring that cannot be reached holds nothing of ours.
        let _ = workspace.tokens().forget();
        drop(workspace);
        let (folder, settings) = (self.folder()?, self.settings_file()?);
        let deleted = self.blocking(move || delete(&folder, &settings)).await?;
        self.begin_anew().await;
        self.tell(Broadcast::ConversationsChanged);
        self.tell(Broadcast::LibraryChanged);
        self.tell(Broadcast::MemoryChanged);
        if let Ok(settings) = self.settings().await {
            self.tell(Broadcast::Settings { settings: Box::new(settings) });
        }
        deleted
    }

    fn settings_file(&self) -> Result<PathBuf, CommandError> {
        let path = self.inner.options.workspace.settings_path();
        path.map_err(|problem| of_start(&problem, self.texts()))
    }

    /// Starts as on the first day.
    async fn begin_anew(&self) {
        *lock(&self.inner.stop) = CancellationToken::new();
        self.inner.indexing.reset();
        let step = self.say(plumbline_core::messages::Message::StartupSettings);
        self.update_state(|state: &mut AppState| {
            state.startup = Startup::Starting { step, done: 0, total: STARTUP_STEPS };
        });
        self.start().await;
    }
}

fn delete(folder: &Path, settings: &Path) -> Result<(), CommandError> {
    let places = KEPT.iter().map(|name| folder.join(name)).chain([settings.to_owned()]);
    let mut first_problem = None;
    for place in places {
        if let Err(problem) = remove(&place) {
            first_problem.get_or_insert(of_file(&place, problem));
        }
    }
    first_problem.map_or(Ok(()), Err)
}

fn remove(place: &Path) -> std::io::Result<()> {
    let removed = if place.is_dir() { std::fs::remove_dir_all(place) } else { std::fs::remove_file(place) };
    match removed {
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
