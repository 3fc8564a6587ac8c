//! Curated memory: a folder of Markdown files that a team keeps in git. Pinned questions name the passages that answer them;
//! background notes shape the framing and are never cited. An entry is retired when what it points at changes.

mod draft;
mod entry;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::domain::{Chunk, DocumentId};
use plumbline_core::ports::{
    CuratedMatch, CuratedMemory, CuratedNote, Embedder, Hit, Index, PortError, Scope,
};
use plumbline_telemetry::sha256_hex;
use rusqlite::Connection;
use serde::Serialize;
use tokio::sync::OnceCell;

pub use draft::EntryDraft;
pub use entry::{EntryProblem, MemoryEntry, MemoryKind, Pointer, read_folder};

use crate::library::Library;
use crate::sharing::followed_entries;
use crate::store::snapshot::Snapshot;
use crate::store::{Layout, StoreError, catalogue, schema};

/// An entry and whether it still holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryStatus {
    /// The entry.
    pub entry: MemoryEntry,
    /// Why it is not used any more.
    pub retired: Option<RetiredBy>,
}

/// What retired an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetiredBy {
    /// What it points at.
    pub pointer: Pointer,
    /// Whether that does not exist (any more); it has changed where it does.
    pub gone: bool,
}

/// Curated memory over a library.
pub struct TeamMemory {
    entries: Vec<EntryStatus>,
    library: Arc<Library>,
    embedder: Arc<dyn Embedder>,
    /// The vectors of each entry's phrasings; made when the first question comes.
    vectors: OnceCell<Vec<Vec<Vec<f32>>>>,
}

impl TeamMemory {
    /// Reads the entries of the library's memory folders and of those that it follows, and sees which of them still hold.
    pub async fn open(
        folders: &[PathBuf],
        library: Arc<Library>,
        embedder: Arc<dyn Embedder>,
    ) -> Result<(Self, Vec<EntryProblem>), StoreError> {
        let (entries, problems) = library.memory(folders).await?;
        Ok((Self { entries, library, embedder, vectors: OnceCell::new() }, problems))
    }

    /// All entries, retired ones included.
    pub fn entries(&self) -> &[EntryStatus] {
        &self.entries
    }

    /// The entries of a kind that are near enough: looking up what the others point at would take most of the time.
    async fn scores(
        &self,
        kind: MemoryKind,
        vector: &[f32],
        least: f32,
    ) -> Result<Vec<Scored<'_>>, PortError> {
        let vectors = self.vectors.get_or_try_init(|| self.embed()).await?;
        let scale = self.embedder.scale();
        let mut scored: Vec<Scored<'_>> = self
            .entries
            .iter()
            .zip(vectors)
            .filter(|(status, _)| status.retired.is_none() && status.entry.kind == kind)
            .filter_map(|(status, vectors)| {
                let cosines = vectors.iter().map(|phrasing| scale.told(dot(phrasing, vector)));
                let (at, score) = cosines.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
                Some(Scored { entry: &status.entry, phrasing: &status.entry.phrasings[at], score })
            })
            .filter(|scored| scored.score >= least)
            .collect();
        scored.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.entry.path.cmp(&b.entry.path)));
        Ok(scored)
    }

    async fn embed(&self) -> Result<Vec<Vec<Vec<f32>>>, PortError> {
        let texts: Vec<String> =
            self.entries.iter().flat_map(|status| status.entry.phrasings.iter().cloned()).collect();
        let mut vectors = self.embedder.embed(&texts).await?.into_iter();
        let of = |status: &EntryStatus| vectors.by_ref().take(status.entry.phrasings.len()).collect();
        Ok(self.entries.iter().map(of).collect())
    }

    /// The passages that an entry points at and the user may see, and how many of its pointers lead somewhere.
    async fn passages(
        &self,
        entry: &MemoryEntry,
        vector: &[f32],
        scope: &Scope,
    ) -> Result<(Vec<Hit>, usize), PortError> {
        let (mut hits, mut resolvable) = (Vec::new(), 0);
        for pointer in &entry.pointers {
            let Ok(id) = DocumentId::new(pointer.id.clone()) else { continue };
            let found = self.library.address(&[id], Some(vector), scope).await?;
            let found: Vec<Hit> = found.into_iter().filter(|hit| pointer.means(&hit.chunk)).collect();
            resolvable += usize::from(!found.is_empty());
            hits.extend(found);
        }
        Ok((hits, resolvable))
    }
}

struct Scored<'a> {
    entry: &'a MemoryEntry,
    phrasing: &'a str,
    score: f32,
}

#[async_trait]
impl CuratedMemory for TeamMemory {
    async fn pinned(
        &self,
        vector: &[f32],
        least: f32,
        scope: &Scope,
    ) -> Result<Vec<CuratedMatch>, PortError> {
        let mut pinned = Vec::new();
        for scored in self.scores(MemoryKind::Pinned, vector, least).await? {
            let (sources, _) = self.passages(scored.entry, vector, scope).await?;
            let phrasing = scored.phrasing.to_owned();
            pinned.push(CuratedMatch { phrasing, score: scored.score, sources });
        }
        Ok(pinned)
    }

    async fn notes(&self, vector: &[f32], least: f32, scope: &Scope) -> Result<Vec<CuratedNote>, PortError> {
        let mut notes = Vec::new();
        for scored in self.scores(MemoryKind::Note, vector, least).await? {
            let (mut references, resolvable) = self.passages(scored.entry, vector, scope).await?;
            // What a curator wrote about a document is for those who may see it.
            if resolvable < scored.entry.pointers.len() {
                continue;
            }
            // A note points at whole documents; the passage of each that comes nearest to the question stands for it.
            references.sort_by(|a, b| {
                let cosine = |hit: &Hit| hit.cosine.unwrap_or(f32::NEG_INFINITY);
                cosine(b).total_cmp(&cosine(a)).then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id))
            });
            let mut seen = Vec::new();
            references.retain(|hit| {
                let new = !seen.contains(&hit.chunk.document.id);
                seen.push(hit.chunk.document.id.clone());
                new
            });
            let text = scored.entry.text.clone();
            notes.push(CuratedNote { text, score: scored.score, references, resolvable });
        }
        Ok(notes)
    }
}

impl Library {
    /// The entries of these folders and of libraries that are followed, whether or not they still hold, and the files that are
    /// none.
    pub async fn memory(
        &self,
        folders: &[PathBuf],
    ) -> Result<(Vec<EntryStatus>, Vec<EntryProblem>), StoreError> {
        let (entries, problems) = read_folder(folders);
        let mut entries = standing(self, entries).await?;
        // They name what they point at as it is published, so they cannot be older than that.
        let followed = followed_entries(&*self.snapshot().await?)?;
        entries.extend(followed.into_iter().map(|entry| EntryStatus { entry, retired: None }));
        Ok((entries, problems))
    }

    pub(crate) fn memory_folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        folders_of(self.layout())
    }

    /// Records what new and edited entries point at now; for the entry at `renewed`, as if it had been edited.
    pub async fn record_memory(&self, folders: &[PathBuf], renewed: Option<&str>) -> Result<(), StoreError> {
        let snapshot = self.snapshot().await?;
        let connection = schema::open_for_writing(self.layout())?;
        if let Some(path) = renewed {
            connection.execute("DELETE FROM memory WHERE path = ?1", [path])?;
        }
        record(&connection, &snapshot, folders)
    }
}

/// Which entries still hold: those whose targets read as they did when the entry was first seen or last edited.
async fn standing(library: &Library, entries: Vec<MemoryEntry>) -> Result<Vec<EntryStatus>, StoreError> {
    let snapshot = library.snapshot().await?;
    let recorded = recorded(&schema::open_for_reading(library.layout())?)?;
    entries
        .into_iter()
        .map(|entry| {
            let now = hashes(&snapshot, &entry)?;
            let retired = match recorded.get(&entry.path) {
                Some((sha256, before)) if *sha256 == entry.sha256 => changed(before, &now),
                _ => now.iter().find(|(_, hash)| hash.is_none()).map(|(pointer, _)| (pointer.clone(), true)),
            };
            let retired = retired.and_then(|(written, gone)| {
                let pointer = entry.pointers.iter().find(|pointer| pointer.to_string() == written)?;
                Some(RetiredBy { pointer: pointer.clone(), gone })
            });
            Ok(EntryStatus { entry, retired })
        })
        .collect()
}

/// Records what new and edited entries point at. An edit is the curator's word that the entry holds.
pub(crate) fn record(
    connection: &Connection,
    snapshot: &Snapshot,
    folders: &[PathBuf],
) -> Result<(), StoreError> {
    let (entries, _) = read_folder(folders);
    let known = recorded(connection)?;
    for entry in &entries {
        if known.get(&entry.path).is_some_and(|(sha256, _)| *sha256 == entry.sha256) {
            continue;
        }
        let sources = hashes(snapshot, entry)?;
        connection.execute(
            "INSERT OR REPLACE INTO memory (path, sha256, sources) VALUES (?1, ?2, ?3)",
            [&entry.path, &entry.sha256, &serde_json::to_string(&sources)?],
        )?;
    }
    for path in known.keys().filter(|path| !entries.iter().any(|entry| entry.path == **path)) {
        connection.execute("DELETE FROM memory WHERE path = ?1", [path])?;
    }
    Ok(())
}

type Hashes = BTreeMap<String, Option<String>>;

fn recorded(connection: &Connection) -> Result<BTreeMap<String, (String, Hashes)>, StoreError> {
    let mut statement = connection.prepare("SELECT path, sha256, sources FROM memory")?;
    let rows = statement.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    })?;
    let mut recorded = BTreeMap::new();
    for row in rows {
        let (path, sha256, sources) = row?;
        recorded.insert(path, (sha256, serde_json::from_str(&sources)?));
    }
    Ok(recorded)
}

/// The hash of each thing that an entry points at; none for what does not exist.
fn hashes(snapshot: &Snapshot, entry: &MemoryEntry) -> Result<Hashes, StoreError> {
    let mut hashes = Hashes::new();
    for pointer in &entry.pointers {
        let held = snapshot.held.iter().find(|held| held.document.id.as_str() == pointer.id);
        // Of one that is read in place the digest says whether it is as it was.
        if let Some(digest) = held.and_then(|held| snapshot.digest_away(held.file)) {
            hashes.insert(pointer.to_string(), Some(digest.to_owned()));
            continue;
        }
        let chunks = held.map(|held| snapshot.chunks_of(held)).transpose()?.unwrap_or_default();
        let texts: Vec<&str> = chunks
            .iter()
            .filter(|(_, chunk)| pointer.means(chunk))
            .map(|(_, chunk): &(i64, Arc<Chunk>)| chunk.text.as_str())
            .collect();
        let hash = (!texts.is_empty()).then(|| sha256_hex(texts.join("\n")));
        hashes.insert(pointer.to_string(), hash);
    }
    Ok(hashes)
}

/// The first pointer whose target is not what it was, and whether that is gone.
fn changed(before: &Hashes, now: &Hashes) -> Option<(String, bool)> {
    now.iter().find_map(|(pointer, hash)| match (before.get(pointer), hash) {
        (_, None) => Some((pointer.clone(), true)),
        (Some(known), hash) if known == hash => None,
        _ => Some((pointer.clone(), false)),
    })
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Where a library's memory folders lie, as of its last indexing.
pub fn memory_folders(workspace: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let layout = Layout::in_workspace(workspace);
    if layout.exists() { folders_of(&layout) } else { Ok(Vec::new()) }
}

fn folders_of(layout: &Layout) -> Result<Vec<PathBuf>, StoreError> {
    let connection = schema::open_for_reading(layout)?;
    let kept = catalogue::fact(&connection, catalogue::MEMORY)?;
    Ok(kept.map(|kept| serde_json::from_str(&kept)).transpose()?.unwrap_or_default())
}
