//! The catalogue in SQLite: files, documents and passages, each from the generation that brought it to the one that took it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use plumbline_core::domain::{Language, TextSpan};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::StoreError;
use super::rows::{ChunkRow, FileProblem, FileRow, NewChunk, NewFile, Record, TableRow};
use super::team::TeamLibrary;

/// The fact that holds the day that is "today" in the library.
pub(crate) const AS_OF: &str = "as_of";
/// The fact that holds the folders of curated memory.
pub(crate) const MEMORY: &str = "memory";

/// Alive at a generation.
pub(super) const ALIVE: &str = "born <= ?1 AND (died IS NULL OR died > ?1)";

/// Undoes what was staged above the last complete generation.
pub(crate) fn roll_back(connection: &mut Connection, complete: u64) -> Result<(), StoreError> {
    let above = connection.transaction()?;
    for table in ["file", "document", "chunk", "team"] {
        above.execute(&format!("DELETE FROM {table} WHERE born > ?1"), [complete.cast_signed()])?;
        above
            .execute(&format!("UPDATE {table} SET died = NULL WHERE died > ?1"), [complete.cast_signed()])?;
    }
    above.execute("DELETE FROM vectors WHERE generation > ?1", [complete.cast_signed()])?;
    above.execute("DELETE FROM generation WHERE number > ?1", [complete.cast_signed()])?;
    above.commit()?;
    Ok(())
}

/// Throws away what no generation from `oldest` on can see.
pub(crate) fn prune(connection: &mut Connection, oldest: u64) -> Result<(), StoreError> {
    let past = connection.transaction()?;
    for table in ["file", "document", "chunk", "team"] {
        past.execute(&format!("DELETE FROM {table} WHERE died <= ?1"), [oldest.cast_signed()])?;
    }
    past.execute("DELETE FROM shared WHERE file NOT IN (SELECT id FROM file)", [])?;
    past.execute("DELETE FROM vectors WHERE generation < ?1", [oldest.cast_signed()])?;
    past.execute("DELETE FROM generation WHERE number < ?1", [oldest.cast_signed()])?;
    past.commit()?;
    // What was freed is used again by later rows; the log is folded back so that it does not grow.
    connection.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    Ok(())
}

/// Keys of passages by the collection that holds them.
pub(crate) type KeysByCollection = BTreeMap<String, Vec<i64>>;

/// A generation in the making. Nothing of it is seen before the text index is committed with its number.
pub(crate) struct Staged<'a> {
    transaction: Transaction<'a>,
    generation: i64,
}

impl<'a> Staged<'a> {
    pub fn begin(connection: &'a mut Connection, generation: u64) -> Result<Self, StoreError> {
        Ok(Self { transaction: connection.transaction()?, generation: generation.cast_signed() })
    }

    /// Takes a file out, with its document and passages; gives the keys of these by collection.
    pub fn end_file(&self, file: i64) -> Result<KeysByCollection, StoreError> {
        self.end("file", "id", file)?;
        self.end("document", "file", file)?;
        self.end_chunks(file)
    }

    pub fn end_chunks(&self, file: i64) -> Result<KeysByCollection, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT collection, key FROM chunk WHERE file = ?1 AND died IS NULL ORDER BY key",
        )?;
        let rows = statement.query_map([file], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let mut keys = KeysByCollection::new();
        for row in rows {
            let (collection, key) = row?;
            keys.entry(collection).or_default().push(key);
        }
        self.end("chunk", "file", file)?;
        Ok(keys)
    }

    pub fn end_document(&self, file: i64) -> Result<(), StoreError> {
        self.end("document", "file", file)
    }

    fn end(&self, table: &str, column: &str, file: i64) -> Result<(), StoreError> {
        let sql = format!("UPDATE {table} SET died = ?1 WHERE {column} = ?2 AND died IS NULL");
        self.transaction.prepare_cached(&sql)?.execute(params![self.generation, file])?;
        Ok(())
    }

    pub fn add_file(&self, file: &NewFile) -> Result<i64, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO file (source, path, sha256, bytes, reading, placement, identity, problem, warnings, born)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        let problem = file.problem.as_ref().map(serde_json::to_string).transpose()?;
        statement.execute(params![
            file.source,
            file.path,
            file.sha256,
            file.bytes.cast_signed(),
            file.reading,
            file.placement,
            file.identity,
            problem,
            serde_json::to_string(&file.warnings)?,
            self.generation
        ])?;
        let id = self.transaction.last_insert_rowid();
        if let Some(shared) = &file.shared {
            let mut statement = self.transaction.prepare_cached("INSERT INTO shared VALUES (?1, ?2, ?3)")?;
            statement.execute(params![id, shared.address, shared.digest])?;
        }
        Ok(id)
    }

    /// Says what of a published library is in force from now on; nothing where it is followed no more.
    pub fn set_team(&self, address: &str, library: Option<&TeamLibrary>) -> Result<(), StoreError> {
        let end = "UPDATE team SET died = ?1 WHERE address = ?2 AND died IS NULL";
        self.transaction.execute(end, params![self.generation, address])?;
        if let Some(library) = library {
            self.transaction.execute(
                "INSERT INTO team (address, written, born) VALUES (?1, ?2, ?3)",
                params![address, serde_json::to_string(library)?, self.generation],
            )?;
        }
        Ok(())
    }

    pub fn add_document(&self, file: i64, record: &Record) -> Result<(), StoreError> {
        let mut statement = self
            .transaction
            .prepare_cached("INSERT INTO document (file, id, written, born) VALUES (?1, ?2, ?3, ?4)")?;
        statement.execute(params![
            file,
            record.document.id.as_str(),
            serde_json::to_string(record)?,
            self.generation
        ])?;
        Ok(())
    }

    pub fn add_chunk(&self, file: i64, collection: &str, chunk: &NewChunk) -> Result<i64, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO chunk (file, position, collection, text, section, page, span_start, span_end, language, embedded, born)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        statement.execute(params![
            file,
            chunk.position,
            collection,
            chunk.text,
            serde_json::to_string(&chunk.section_path)?,
            chunk.page,
            chunk.span.start as i64,
            chunk.span.end as i64,
            chunk.language.code(),
            chunk.embedded,
            self.generation
        ])?;
        Ok(self.transaction.last_insert_rowid())
    }

    pub fn set_table(&self, fingerprint: &str, table: &TableRow) -> Result<(), StoreError> {
        self.transaction.execute(
            "INSERT OR REPLACE INTO vectors (generation, fingerprint, collection, name, version, complete)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                self.generation,
                fingerprint,
                table.collection,
                table.name,
                table.version.cast_signed(),
                table.complete
            ],
        )?;
        Ok(())
    }

    /// Keeps what was staged; readers do not see it yet.
    pub fn commit(self) -> Result<(), StoreError> {
        Ok(self.transaction.commit()?)
    }

    /// Closes the stage; the generation is complete once the text index is committed with its number.
    pub fn close(self, made_at: &str) -> Result<u64, StoreError> {
        let chunks: i64 = self.transaction.query_row(
            &format!("SELECT count(*) FROM chunk WHERE {ALIVE}"),
            [self.generation],
            |row| row.get(0),
        )?;
        self.transaction.execute(
            "INSERT OR REPLACE INTO generation (number, made_at, chunks) VALUES (?1, ?2, ?3)",
            params![self.generation, made_at, chunks],
        )?;
        self.transaction.commit()?;
        Ok(chunks.cast_unsigned())
    }
}

/// The catalogue as of a generation.
pub(crate) struct At<'a> {
    pub(super) connection: &'a Connection,
    pub(super) generation: i64,
}

impl<'a> At<'a> {
    pub fn generation(connection: &'a Connection, generation: u64) -> Self {
        Self { connection, generation: generation.cast_signed() }
    }

    /// As of the last generation that was begun: for what needs no agreement with other stores.
    pub fn newest(connection: &'a Connection) -> Self {
        Self { connection, generation: i64::MAX }
    }

    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT id, source, path, sha256, reading, placement, identity, problem, warnings, bytes FROM file
             WHERE {ALIVE} ORDER BY source, path, id"
        ))?;
        let rows = statement.query_map([self.generation], |row| {
            Ok((
                FileRow {
                    id: row.get(0)?,
                    source: row.get(1)?,
                    path: row.get(2)?,
                    sha256: row.get(3)?,
                    bytes: row.get::<_, i64>(9)?.cast_unsigned(),
                    reading: row.get(4)?,
                    placement: row.get(5)?,
                    identity: row.get(6)?,
                    problem: None,
                    warnings: Vec::new(),
                },
                row.get::<_, Option<String>>(7)?,
                row.get::<_, String>(8)?,
            ))
        })?;
        rows.map(|row| {
            let (mut file, problem, warnings) = row?;
            file.problem =
                problem.map(|problem| serde_json::from_str::<FileProblem>(&problem)).transpose()?;
            file.warnings = serde_json::from_str(&warnings)?;
            Ok(file)
        })
        .collect()
    }

    /// The hash of one file.
    pub fn file_hash(&self, file: i64) -> Result<Option<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT sha256 FROM file WHERE id = ?2 AND {ALIVE}"))?;
        Ok(statement.query_row([self.generation, file], |row| row.get(0)).optional()?)
    }

    /// Every document with its file.
    pub fn records(&self) -> Result<Vec<(i64, Record)>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT file, written FROM document WHERE {ALIVE} ORDER BY id, file"))?;
        let rows =
            statement.query_map([self.generation], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (file, written) = row?;
            Ok((file, serde_json::from_str(&written)?))
        })
        .collect()
    }

    /// The document in a file.
    pub fn record(&self, file: i64) -> Result<Option<Record>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT written FROM document WHERE file = ?2 AND {ALIVE}"))?;
        let written: Option<String> =
            statement.query_row(params![self.generation, file], |row| row.get(0)).optional()?;
        Ok(written.map(|written| serde_json::from_str(&written)).transpose()?)
    }

    /// One passage by its key.
    pub fn chunk(&self, key: i64) -> Result<Option<ChunkRow>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT {CHUNK} FROM chunk WHERE key = ?2 AND {ALIVE}"))?;
        statement.query_row(params![self.generation, key], chunk_of).optional()?.transpose()
    }

    /// The passages of a file, in their order.
    pub fn chunks_of(&self, file: i64) -> Result<Vec<ChunkRow>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {CHUNK} FROM chunk WHERE file = ?2 AND {ALIVE} ORDER BY position"
        ))?;
        let rows = statement.query_map(params![self.generation, file], chunk_of)?;
        rows.map(|row| row?).collect()
    }

    /// The hashes of what was embedded of a file's passages, in their order.
    pub fn embedded_of(&self, file: i64) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT embedded FROM chunk WHERE file = ?2 AND {ALIVE} ORDER BY position"
        ))?;
        let rows = statement.query_map(params![self.generation, file], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether a file has a passage at this position.
    pub fn has_chunk(&self, file: i64, position: u32) -> Result<bool, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT 1 FROM chunk WHERE file = ?2 AND position = ?3 AND {ALIVE}"))?;
        Ok(statement.exists(params![self.generation, file, position])?)
    }

    /// Every passage of a collection by its key, with the hash of what is embedded.
    pub fn keys(&self, collection: &str) -> Result<BTreeMap<i64, String>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT key, embedded FROM chunk WHERE collection = ?2 AND {ALIVE}"))?;
        let rows = statement
            .query_map(params![self.generation, collection], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many passages each collection holds.
    pub fn counts(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT collection, count(*) FROM chunk WHERE {ALIVE} GROUP BY collection"
        ))?;
        let rows = statement
            .query_map([self.generation], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many passages each file has.
    pub fn passages_by_file(&self) -> Result<HashMap<i64, u32>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT file, count(*) FROM chunk WHERE {ALIVE} GROUP BY file"))?;
        let rows = statement.query_map([self.generation], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many passages one file has.
    pub fn passages_in(&self, file: i64) -> Result<u32, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT count(*) FROM chunk WHERE file = ?2 AND {ALIVE}"))?;
        Ok(statement.query_row(params![self.generation, file], |row| row.get(0))?)
    }

    /// Passages whose embedded text has this hash: their vectors can be used again.
    pub fn embedded_alike(&self, hash: &str) -> Result<Vec<(i64, String)>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT key, collection FROM chunk WHERE embedded = ?2 AND {ALIVE} ORDER BY key LIMIT 4"
        ))?;
        let rows =
            statement.query_map(params![self.generation, hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The vector tables of every embedder, by its fingerprint.
    pub fn tables(&self) -> Result<BTreeMap<String, Vec<TableRow>>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT fingerprint, collection, name, version, complete FROM vectors WHERE generation = ?1
             ORDER BY fingerprint, collection",
        )?;
        let rows = statement.query_map([self.generation], |row| {
            let table = TableRow {
                collection: row.get(1)?,
                name: row.get(2)?,
                version: row.get::<_, i64>(3)?.cast_unsigned(),
                complete: row.get(4)?,
            };
            Ok((row.get::<_, String>(0)?, table))
        })?;
        let mut tables: BTreeMap<String, Vec<TableRow>> = BTreeMap::new();
        for row in rows {
            let (fingerprint, table) = row?;
            tables.entry(fingerprint).or_default().push(table);
        }
        Ok(tables)
    }

    /// When the generation was made.
    pub fn made_at(&self) -> Result<Option<String>, StoreError> {
        let sql = "SELECT made_at FROM generation WHERE number = ?1";
        Ok(self.connection.query_row(sql, [self.generation], |row| row.get(0)).optional()?)
    }
}

/// The versions of every vector table that generations still need.
pub(crate) fn needed_versions(
    connection: &Connection,
) -> Result<BTreeMap<String, BTreeSet<u64>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT DISTINCT name, version FROM vectors")?;
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
    let mut needed: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for row in rows {
        let (name, version) = row?;
        needed.entry(name).or_default().insert(version);
    }
    Ok(needed)
}

/// A fact about the library as a whole.
pub(crate) fn fact(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    Ok(connection.query_row("SELECT value FROM fact WHERE name = ?1", [name], |row| row.get(0)).optional()?)
}

pub(crate) fn set_fact(connection: &Connection, name: &str, value: Option<&str>) -> Result<(), StoreError> {
    match value {
        Some(value) => connection.execute("INSERT OR REPLACE INTO fact VALUES (?1, ?2)", [name, value])?,
        None => connection.execute("DELETE FROM fact WHERE name = ?1", [name])?,
    };
    Ok(())
}

const CHUNK: &str = "key, file, position, text, section, page, span_start, span_end, language";

fn chunk_of(row: &Row<'_>) -> rusqlite::Result<Result<ChunkRow, StoreError>> {
    let section: String = row.get(4)?;
    let language: String = row.get(8)?;
    let (start, end): (i64, i64) = (row.get(6)?, row.get(7)?);
    let chunk = ChunkRow {
        key: row.get(0)?,
        file: row.get(1)?,
        position: row.get(2)?,
        text: row.get(3)?,
        section_path: Vec::new(),
        page: row.get(5)?,
        span: TextSpan {
            start: usize::try_from(start).unwrap_or_default(),
            end: usize::try_from(end).unwrap_or_default(),
        },
        language: Language::from_code(&language).unwrap_or_default(),
    };
    Ok(serde_json::from_str(&section)
        .map(|section_path| ChunkRow { section_path, ..chunk })
        .map_err(StoreError::from))
}
