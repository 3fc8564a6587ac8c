use rusqlite::{Connection, OpenFlags};

use super::{Layout, StoreError};

/// The format of the library on disk. A change that old data does not survive raises it.
pub(crate) const FORMAT: u32 = 1;

/// Rows live from generation `born` until before generation `died`.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS origin (
    path        TEXT PRIMARY KEY,       -- a folder, or a manifest
    position    INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS file (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source      TEXT NOT NULL,
    path        TEXT NOT NULL,          -- relative to the source, with slashes
    sha256      TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    reading     INTEGER NOT NULL,       -- the version of reading and cutting it went through
    placement   TEXT NOT NULL,          -- where it lies and what the manifest says of it, as JSON
    identity    TEXT,                   -- what it says of itself, as JSON; absent where it could not be read
    problem     TEXT,                   -- why it could not be read, as JSON
    warnings    TEXT NOT NULL,          -- what was odd about it, as JSON
    born        INTEGER NOT NULL,
    died        INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS file_by_place ON file (source, path);
CREATE INDEX IF NOT EXISTS file_by_death ON file (died) WHERE died IS NOT NULL;
CREATE TABLE IF NOT EXISTS document (
    file        INTEGER NOT NULL,
    id          TEXT NOT NULL,
    written     TEXT NOT NULL,          -- the reconciled document as JSON
    born        INTEGER NOT NULL,
    died        INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS document_by_file ON document (file);
CREATE INDEX IF NOT EXISTS document_by_death ON document (died) WHERE died IS NOT NULL;
CREATE TABLE IF NOT EXISTS chunk (
    key         INTEGER PRIMARY KEY AUTOINCREMENT,   -- the passage's name in all three stores, never used twice
    file        INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    collection  TEXT NOT NULL,
    text        TEXT NOT NULL,
    section     TEXT NOT NULL,          -- the section path as JSON
    page        INTEGER,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    language    TEXT NOT NULL,
    embedded    TEXT NOT NULL,          -- hash of the text that was embedded
    born        INTEGER NOT NULL,
    died        INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS chunk_by_file ON chunk (file, position);
CREATE INDEX IF NOT EXISTS chunk_by_embedded ON chunk (embedded);
DROP INDEX IF EXISTS chunk_by_birth;
CREATE INDEX IF NOT EXISTS chunk_by_life ON chunk (born, died, collection);  -- passages are counted without reading them
CREATE INDEX IF NOT EXISTS chunk_by_death ON chunk (died) WHERE died IS NOT NULL;
CREATE TABLE IF NOT EXISTS vectors (
    generation  INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,          -- of the embedder
    collection  TEXT NOT NULL,
    name        TEXT NOT NULL,          -- the LanceDB table
    version     INTEGER NOT NULL,       -- its version at that generation
    complete    INTEGER NOT NULL,       -- whether it holds every passage of its collection
    PRIMARY KEY (generation, fingerprint, collection)
) STRICT;
CREATE TABLE IF NOT EXISTS generation (
    number      INTEGER PRIMARY KEY,
    made_at     TEXT NOT NULL,
    chunks      INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS team (
    address     TEXT NOT NULL,          -- where a followed library is published
    written     TEXT NOT NULL,          -- what of it is in force, as JSON
    born        INTEGER NOT NULL,
    died        INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS shared (
    file        INTEGER PRIMARY KEY,    -- a file that no folder holds
    address     TEXT NOT NULL,          -- where it was published
    digest      TEXT NOT NULL           -- of what was published
) STRICT;
CREATE TABLE IF NOT EXISTS memory (
    path        TEXT PRIMARY KEY,       -- of the entry, relative to the memory folder
    sha256      TEXT NOT NULL,          -- of the entry when its sources were recorded
    sources     TEXT NOT NULL           -- hash of each thing it points at, as JSON
) STRICT;
CREATE TABLE IF NOT EXISTS fact (
    name        TEXT PRIMARY KEY,
    value       TEXT NOT NULL
) STRICT;
";

/// Opens the catalogue for writing and makes what is missing.
pub(crate) fn open_for_writing(layout: &Layout) -> Result<Connection, StoreError> {
    let connection = Connection::open(layout.catalogue())?;
    prepare(&connection)?;
    // A generation that was announced must survive a power cut, not only a kill.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    check_format(&connection, layout)?;
    connection.execute_batch(TABLES)?;
    connection.execute("INSERT OR IGNORE INTO fact VALUES ('format', ?1)", [FORMAT.to_string()])?;
    Ok(connection)
}

/// Opens the catalogue for reading.
pub(crate) fn open_for_reading(layout: &Layout) -> Result<Connection, StoreError> {
    // Write-ahead logging wants to write its index even for a reader, so the file is opened for both.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(layout.catalogue(), flags)?;
    prepare(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    check_format(&connection, layout)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

fn check_format(connection: &Connection, layout: &Layout) -> Result<(), StoreError> {
    let known: bool =
        connection.query_row("SELECT count(*) FROM sqlite_master WHERE name = 'fact'", [], |row| {
            row.get::<_, i64>(0).map(|count| count > 0)
        })?;
    if !known {
        return Ok(());
    }
    let found: Option<String> = connection
        .query_row("SELECT value FROM fact WHERE name = 'format'", [], |row| row.get(0))
        .map(Some)
        .or_else(|error| if error == rusqlite::Error::QueryReturnedNoRows { Ok(None) } else { Err(error) })?;
    let found = found.and_then(|format| format.parse().ok()).unwrap_or(FORMAT);
    if found > FORMAT {
        return Err(StoreError::TooNew { folder: layout.root.clone(), found, known: FORMAT });
    }
    Ok(())
}
