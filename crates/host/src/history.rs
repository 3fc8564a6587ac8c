//! What the window keeps beside the library: conversations with their answers and feedback, and a few facts. One SQLite file,
//! written durably: an answer is on disk before it is reported done.

mod answers;
mod conversations;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plumbline_contract::CommandError;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::internal;

pub(crate) use answers::{KeptOutcome, NewTurn, Source};

/// The file, in the workspace.
pub(crate) const FILE: &str = "history.sqlite";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS conversation (
    id          TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    deleted     INTEGER NOT NULL DEFAULT 0      -- gone for good when the program starts anew
) STRICT;
CREATE TABLE IF NOT EXISTS turn (
    id           TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    asked_at     TEXT NOT NULL,
    question     TEXT NOT NULL,
    answer       TEXT NOT NULL,                 -- what a search looks through
    asked        TEXT NOT NULL,                 -- choice and collections, as JSON
    outcome      TEXT,                          -- as JSON; absent until there is one
    feedback     TEXT                           -- as JSON
) STRICT;
CREATE INDEX IF NOT EXISTS turn_by_conversation ON turn (conversation, position);
CREATE TABLE IF NOT EXISTS source (
    turn         TEXT NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
    document     TEXT NOT NULL,
    title        TEXT NOT NULL,
    sha256       TEXT NOT NULL,                 -- of the document's file when it was cited
    PRIMARY KEY (turn, document)
) STRICT;
CREATE INDEX IF NOT EXISTS source_by_document ON source (document);
CREATE TABLE IF NOT EXISTS fact (
    name         TEXT PRIMARY KEY,
    value        TEXT NOT NULL                  -- as JSON
) STRICT;
";

/// The store, open.
pub(crate) struct History {
    connection: Mutex<Connection>,
}

impl History {
    /// Opens the store of a workspace and throws away what was deleted, and conversations in which nothing was asked.
    pub fn open(workspace: &Path) -> Result<Self, HistoryError> {
        std::fs::create_dir_all(workspace)?;
        let connection = Connection::open(workspace.join(FILE))?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // An answer that was reported done must survive a power cut, not only a kill.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.execute_batch(TABLES)?;
        connection.execute(
            "DELETE FROM conversation WHERE deleted OR id NOT IN (SELECT conversation FROM turn)",
            [],
        )?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// A fact by its name; nothing where there is none, or where it is of another form.
    pub fn fact<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, HistoryError> {
        let kept: Option<String> = self
            .lock()
            .query_row("SELECT value FROM fact WHERE name = ?1", [name], |row| row.get(0))
            .optional()?;
        Ok(kept.and_then(|value| serde_json::from_str(&value).ok()))
    }

    /// Keeps a fact.
    pub fn keep_fact(&self, name: &str, value: &impl Serialize) -> Result<(), HistoryError> {
        let value = serde_json::to_string(value)?;
        self.lock().execute("INSERT OR REPLACE INTO fact VALUES (?1, ?2)", [name, &value])?;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Every change is one statement or one transaction, so a poisoned connection is still sound.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why the store did not do what it was asked: the file and what the system or the parser said, and no words of ours.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    #[error("{0}")]
    Folder(#[from] std::io::Error),
    #[error("{FILE}: {0}")]
    Store(#[from] rusqlite::Error),
    #[error("{FILE}: {0}")]
    Kept(#[from] serde_json::Error),
}

impl From<HistoryError> for CommandError {
    fn from(problem: HistoryError) -> Self {
        internal(problem)
    }
}
