//! Which published libraries this one follows: the generation of each that is in force, and which of their documents are here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::catalogue::{ALIVE, At};
use crate::in_place::InPlaceLibrary;
use crate::sharing::SharedEntry;

/// A published library that is followed, as it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLibrary {
    /// Where it is published.
    pub address: String,
    /// Tells it from another that was published at the same address.
    pub library: String,
    /// The published generation that is in force.
    pub generation: u64,
    /// When that was published.
    pub published_at: String,
    /// Its sources, the default one first.
    pub sources: Vec<TeamSource>,
    /// Its curated memory.
    #[serde(default)]
    pub entries: Vec<SharedEntry>,
    /// Its vocabularies, in order of authority.
    #[serde(default)]
    pub vocabularies: Vec<VocabularyFile>,
    /// What of it is read where it lies; none where it was pulled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_place: Option<InPlaceLibrary>,
}

/// A file of a published vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VocabularyFile {
    /// What the publisher calls it; its ending says how it is written.
    pub name: String,
    /// Which of the publisher's vocabularies it is part of: files of one complete each other.
    pub vocabulary: usize,
    /// Of what is in it.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

impl VocabularyFile {
    /// Where it lies in a folder: under its hash, so that what is there is never changed, and with its name, which is shown as
    /// the source of what it defines.
    pub fn in_folder(&self, folder: &Path) -> PathBuf {
        let is_plain = |c: char| c.is_alphanumeric() || ['.', '-', '_', ' '].contains(&c);
        let name: String = self.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        folder.join(&self.sha256).join(format!("{}{name}", if name.starts_with('.') { "_" } else { "" }))
    }

    /// Whether it lies there, whole.
    pub fn is_in(&self, folder: &Path) -> bool {
        std::fs::metadata(self.in_folder(folder)).is_ok_and(|file| file.len() == self.bytes)
    }
}

/// A source of a followed library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamSource {
    /// What it is called there.
    pub name: String,
    /// Whether it is the default one there.
    pub default: bool,
    /// What it is called here.
    pub here: String,
}

/// Where a document comes from that no folder holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shared {
    pub address: String,
    pub digest: String,
}

/// Whether this catalogue was ever opened for writing by a version that follows libraries.
fn is_known(connection: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'team'";
    Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))? > 0)
}

/// All that are followed, by address.
pub(crate) fn followed(at: &At<'_>) -> Result<BTreeMap<String, TeamLibrary>, StoreError> {
    if !is_known(at.connection)? {
        return Ok(BTreeMap::new());
    }
    let mut statement =
        at.connection.prepare_cached(&format!("SELECT written FROM team WHERE {ALIVE} ORDER BY address"))?;
    let rows = statement.query_map([at.generation], |row| row.get::<_, String>(0))?;
    let mut followed = BTreeMap::new();
    for row in rows {
        let library: TeamLibrary = serde_json::from_str(&row?)?;
        followed.insert(library.address.clone(), library);
    }
    Ok(followed)
}

/// The names that sources of followed libraries have here.
pub(crate) fn sources(at: &At<'_>) -> Result<BTreeSet<String>, StoreError> {
    Ok(names(&followed(at)?))
}

/// The names that sources of these libraries have here.
pub(crate) fn names(followed: &BTreeMap<String, TeamLibrary>) -> BTreeSet<String> {
    followed.values().flat_map(|library| &library.sources).map(|source| source.here.clone()).collect()
}

/// The files of a followed library by the digests of what they hold.
pub(crate) fn held(at: &At<'_>, address: &str) -> Result<BTreeMap<String, i64>, StoreError> {
    if !is_known(at.connection)? {
        return Ok(BTreeMap::new());
    }
    let mut statement = at.connection.prepare_cached(&format!(
        "SELECT shared.digest, file.id FROM file JOIN shared ON shared.file = file.id
         WHERE shared.address = ?2 AND {ALIVE}"
    ))?;
    let rows = statement.query_map(params![at.generation, address], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What a file of a followed library is a copy of.
pub(crate) fn shared(at: &At<'_>, file: i64) -> Result<Option<Shared>, StoreError> {
    let mut statement = at.connection.prepare_cached("SELECT address, digest FROM shared WHERE file = ?1")?;
    let read = |row: &rusqlite::Row<'_>| Ok(Shared { address: row.get(0)?, digest: row.get(1)? });
    Ok(statement.query_row([file], read).optional()?)
}
