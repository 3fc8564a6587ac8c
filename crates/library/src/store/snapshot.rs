//! The library as it stands at one generation: what every search, list and fact of one moment is read from.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::join_all;
use jiff::civil::Date;
use plumbline_core::detail::Detail;
use plumbline_core::domain::{Chunk, Collection, Document, DocumentId, SourceId};
use plumbline_core::messages::Message;
use plumbline_core::ports::Scope;
use rusqlite::Connection;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::audience::{ScopeFilter, may_see};
use super::catalogue::{self, At};
use super::lock::ReaderHold;
use super::rows::{ChunkRow, Record};
use super::team::{self, TeamLibrary};
use super::text::TextSnapshot;
use super::texts::{TextPart, Texts};
use super::vectors::{VectorTable, Vectors};
use super::{Layout, StoreError, schema};
use crate::in_place::{FarPassage, FarShelf, FarShelves, file_of};

/// A document with the file it lies in.
pub(crate) struct Held {
    pub file: i64,
    pub record: Record,
    pub document: Arc<Document>,
}

/// A passage, with its vector where it is read in place.
type FoundChunk = (Arc<Chunk>, Option<Vec<f32>>);

pub(crate) struct Snapshot {
    pub generation: u64,
    /// The day that is "today" in the library, where it fixes one.
    pub as_of: Option<Date>,
    pub text: TextSnapshot,
    /// Published libraries that are followed, by address.
    pub team: BTreeMap<String, TeamLibrary>,
    /// In the order of their ids.
    pub held: Vec<Held>,
    by_id: HashMap<DocumentId, usize>,
    by_file: HashMap<i64, usize>,
    audiences: BTreeSet<(String, String)>,
    pub collections: BTreeSet<Collection>,
    /// The vector tables of the embedder in use, or why there are none.
    pub tables: Result<BTreeMap<Collection, VectorTable>, Detail>,
    /// Shelves that are read in place, and which of them a file of the catalogue lies on.
    pub shelves: Vec<Arc<FarShelf>>,
    shelf_of: HashMap<i64, usize>,
    far: Option<Arc<FarShelves>>,
    texts: Mutex<Arc<Texts>>,
    connections: Mutex<Vec<Connection>>,
    layout: Layout,
    _hold: ReaderHold,
}

impl Snapshot {
    /// Opens what the text snapshot's generation is made of; none where the generation was thrown away meanwhile.
    pub async fn open(
        layout: &Layout,
        text: TextSnapshot,
        vectors: &Vectors,
        fingerprint: Option<&str>,
        far: Option<Arc<FarShelves>>,
    ) -> Result<Option<Self>, StoreError> {
        let generation = text.generation;
        let hold = ReaderHold::take(layout, generation)?;
        let connection = schema::open_for_reading(layout)?;
        let (held, tables, made_at, team, in_place) = {
            let at = At::generation(&connection, generation);
            let held = at.records()?.into_iter().map(|(file, record)| {
                let document = Arc::new(record.document.clone());
                Held { file, record, document }
            });
            let team = team::followed(&at)?;
            let mut in_place = Vec::new();
            for library in team.values().filter(|library| library.in_place.is_some()) {
                in_place.push((library.clone(), team::held(&at, &library.address)?));
            }
            (held.collect::<Vec<_>>(), at.tables()?, at.made_at()?, team, in_place)
        };
        if generation > 0 && made_at.is_none() {
            return Ok(None);
        }
        let as_of = catalogue::fact(&connection, catalogue::AS_OF)?.and_then(|day| day.parse().ok());
        let mut shelves = Vec::new();
        for (library, held) in &in_place {
            if let Some(far) = &far {
                shelves.extend(far.of(library, held)?);
            }
        }
        let lying = shelves.iter().enumerate();
        let shelf_of =
            lying.flat_map(|(at, shelf)| shelf.passages_by_file().map(move |(file, _)| (file, at)));
        let shelf_of = shelf_of.collect();
        let by_id = held.iter().enumerate().map(|(at, held)| (held.document.id.clone(), at)).collect();
        let by_file = held.iter().enumerate().map(|(at, held)| (held.file, at)).collect();
        let audiences = held.iter().map(|held| (held.record.tenant.clone(), held.record.access())).collect();
        let searched = || held.iter().filter(|held| held.record.searched);
        let collections: BTreeSet<Collection> =
            searched().map(|held| held.document.collection.clone()).collect();
        let rows = fingerprint.and_then(|fingerprint| tables.get(fingerprint)).cloned().unwrap_or_default();
        let mut opened = BTreeMap::new();
        let mut missing = None;
        for row in rows {
            if row.complete {
                opened.insert(Collection::new(row.collection), vectors.read(&row.name, row.version).await?);
            } else {
                missing = Some(row.collection);
            }
        }
        if missing.is_none() && !opened.is_empty() && collections.iter().any(|one| !opened.contains_key(one))
        {
            // Another embedder's vectors are made one collection after the other; one without passages needs none.
            let counts = At::generation(&connection, generation).counts()?;
            missing = counts.into_keys().find(|name| !opened.contains_key(&Collection::new(name.clone())));
        }
        let tables = match (fingerprint, missing) {
            (None, _) => Err(Message::StoreNoEmbedder.into()),
            (Some(_), Some(collection)) => {
                Err(Detail::of(Message::StoreVectorsIncomplete, [("collection", collection.into())]))
            }
            (Some(_), None) if opened.is_empty() && text.count() > 0 => Err(Message::StoreNoVectors.into()),
            (Some(_), None) => Ok(opened),
        };
        Ok(Some(Self {
            generation,
            as_of,
            team,
            held,
            by_id,
            by_file,
            audiences,
            collections,
            tables,
            texts: Mutex::new(Arc::new(Texts::of(&text, Vec::new()))),
            text,
            shelves,
            shelf_of,
            far,
            connections: Mutex::new(vec![connection]),
            layout: layout.clone(),
            _hold: hold,
        }))
    }

    /// Whether a user may see a document; what is not visible does not exist.
    pub fn sees(&self, scope: &Scope, held: &Held) -> bool {
        may_see(scope, &held.record.tenant, &held.record.access())
            && (scope.collections.is_empty() || scope.collections.contains(&held.document.collection))
    }

    pub fn visible<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Held> {
        self.held.iter().filter(|held| self.sees(scope, held))
    }

    pub fn document(&self, id: &DocumentId, scope: &Scope) -> Option<&Held> {
        self.held(id).filter(|held| self.sees(scope, held))
    }

    /// A document, whoever may see it.
    pub fn held(&self, id: &DocumentId) -> Option<&Held> {
        self.by_id.get(id).map(|at| &self.held[*at])
    }

    /// The document in a file, whoever may see it.
    pub fn held_in(&self, file: i64) -> Option<&Held> {
        self.by_file.get(&file).map(|at| &self.held[*at])
    }

    pub fn filter(&self, scope: &Scope) -> Option<ScopeFilter> {
        ScopeFilter::of(scope, &self.audiences, &self.collections)
    }

    /// Until when somebody who asks now waits for what is far away.
    pub fn until(&self) -> Instant {
        Instant::now() + self.far.as_ref().map(|far| far.patience()).unwrap_or_default()
    }

    /// All text indexes that can be read now: its own, and those of shelves whose store answers in time.
    pub async fn texts(&self, until: Instant) -> Arc<Texts> {
        let mut open = Vec::new();
        if let Some(far) = &self.far {
            let opening = self.shelves.iter().map(|shelf| async move {
                let opened = far.within_reach(shelf.address(), until, shelf.opened()).await;
                opened.map(|opened| (shelf, opened))
            });
            open.extend(join_all(opening).await.into_iter().flatten());
        }
        let shelves: Vec<Arc<FarShelf>> = open.iter().map(|(shelf, _)| Arc::clone(shelf)).collect();
        let mut known = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.holds(&shelves) {
            let parts = open.into_iter().map(|(shelf, opened)| TextPart {
                searcher: opened.searcher.clone(),
                fields: opened.fields,
                shelf: Some(Arc::clone(shelf)),
            });
            *known = Arc::new(Texts::of(&self.text, parts.collect()));
        }
        Arc::clone(&known)
    }

    /// Does something with all text indexes, off the async threads. Where a shelf cannot be read after all it is done without.
    pub async fn search_texts<T: Send + 'static>(
        self: &Arc<Self>,
        until: Instant,
        work: impl Fn(&Self, &Texts) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let work = Arc::new(work);
        let mut texts = self.texts(until).await;
        loop {
            let far: BTreeSet<String> = texts.addresses();
            let (here, work, searched) = (Arc::clone(self), Arc::clone(&work), Arc::clone(&texts));
            let searching = spawn_blocking(move || work(&here, &searched));
            let done = async { searching.await.map_err(|error| StoreError::Disagree(error.to_string()))? };
            let Some(shelves) = self.far.as_ref().filter(|_| !far.is_empty()) else { return done.await };
            let (in_time, came) = match timeout_at(until, done).await {
                Ok(came) => (true, Some(came)),
                Err(_) => (false, None),
            };
            match came {
                Some(Err(problem)) if far.iter().any(|address| shelves.is_away(address)) => {
                    tracing::warn!(target: "library", event = "out_of_reach", reason = %problem);
                }
                Some(came) => return came,
                None => {}
            }
            // Those that are away are left out; where it only took too long, all that is far.
            texts = Arc::new(texts.without(|address| in_time && !shelves.is_away(address)));
            if !in_time {
                far.iter().for_each(|address| shelves.was_slow(address));
            }
        }
    }

    /// The shelf that a document's passages are read from, where they are not here.
    pub fn shelf_of(&self, file: i64) -> Option<&Arc<FarShelf>> {
        self.shelf_of.get(&file).map(|at| &self.shelves[*at])
    }

    /// How many passages a file has that are not here.
    pub fn passages_away(&self, file: i64) -> Option<u32> {
        Some(self.shelf_of(file)?.document(file)?.passages)
    }

    /// The digest of a file whose passages are not here.
    pub fn digest_away(&self, file: i64) -> Option<&str> {
        Some(self.shelf_of(file)?.document(file)?.digest.as_str())
    }

    /// All passages of these files that are read in place, as far as they can be read.
    async fn passages_in_place(&self, files: impl Iterator<Item = i64>, until: Instant) -> Vec<FarPassage> {
        let mut wanted: BTreeMap<usize, HashSet<i64>> = BTreeMap::new();
        for file in files {
            if let Some(at) = self.shelf_of.get(&file) {
                wanted.entry(*at).or_default().insert(file);
            }
        }
        let Some(far) = &self.far else { return Vec::new() };
        let read = wanted.iter().map(|(at, files)| {
            let shelf = &self.shelves[*at];
            far.within_reach(shelf.address(), until, shelf.passages(files))
        });
        join_all(read).await.into_iter().flatten().flatten().collect()
    }

    /// The passages that come nearest among those that are read in place, with their vectors, as far as they can be read.
    pub async fn nearest_in_place(
        &self,
        vector: &[f32],
        fingerprint: Option<&str>,
        filter: Option<&ScopeFilter>,
        limit: usize,
        until: Instant,
    ) -> Vec<FarPassage> {
        let Some(far) = &self.far else { return Vec::new() };
        let searches = self.shelves.iter().map(|shelf| async move {
            if fingerprint != Some(shelf.fingerprint.as_str()) {
                far.left_out(shelf.address(), Message::TeamOtherVectors.into());
                return Vec::new();
            }
            let nearest = async {
                let keys: HashSet<i64> = shelf.nearest(vector, filter, limit).await?.into_iter().collect();
                let files = keys.iter().filter_map(|key| Some(file_of(*key)?.0)).collect();
                let mut passages = shelf.passages(&files).await?;
                passages.retain(|passage| keys.contains(&passage.key()));
                Ok(passages)
            };
            far.within_reach(shelf.address(), until, nearest).await.unwrap_or_default()
        });
        join_all(searches).await.into_iter().flatten().collect()
    }

    /// Published libraries that could not be read in place a moment ago, with the reason.
    pub fn out_of_reach(&self) -> Vec<(String, Detail)> {
        self.far.as_ref().map(|far| far.out_of_reach()).unwrap_or_default()
    }

    /// Reads from the catalogue as of this generation.
    pub fn read<T>(&self, work: impl FnOnce(&At<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = || self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = idle().pop();
        let connection = match spare {
            Some(connection) => connection,
            None => schema::open_for_reading(&self.layout)?,
        };
        let result = work(&At::generation(&connection, self.generation));
        idle().push(connection);
        result
    }

    /// The passages with these keys that a user may see, each with its vector where it is read in place.
    pub async fn found(
        &self,
        keys: &[i64],
        scope: &Scope,
        until: Instant,
    ) -> Result<HashMap<i64, FoundChunk>, StoreError> {
        let here = self.chunks(keys, scope)?;
        let mut found: HashMap<i64, _> = here.into_iter().map(|(key, chunk)| (key, (chunk, None))).collect();
        let wanted: HashSet<i64> = keys.iter().copied().filter(|key| *key < 0).collect();
        let files = wanted.iter().filter_map(|key| Some(file_of(*key)?.0));
        for passage in self.passages_in_place(files, until).await {
            let key = passage.key();
            if wanted.contains(&key)
                && let Some(chunk) = self.chunk_in_place(&passage, scope)
            {
                found.insert(key, (chunk, Some(passage.vector)));
            }
        }
        Ok(found)
    }

    /// A passage that is read in place, if a user may see it.
    pub fn chunk_in_place(&self, passage: &FarPassage, scope: &Scope) -> Option<Arc<Chunk>> {
        let held = self.held_in(passage.file).filter(|held| self.sees(scope, held))?;
        Some(Arc::new(passage.chunk(&held.document)))
    }

    /// All passages of a document in order, wherever they lie, each with its vector where it is read in place.
    pub async fn all_chunks_of(
        &self,
        held: &Held,
        until: Instant,
    ) -> Result<Vec<(i64, Arc<Chunk>, Option<Vec<f32>>)>, StoreError> {
        if self.shelf_of(held.file).is_none() {
            let here = self.chunks_of(held)?;
            return Ok(here.into_iter().map(|(key, chunk)| (key, chunk, None)).collect());
        }
        let passages = self.passages_in_place(std::iter::once(held.file), until).await;
        let chunks = passages.into_iter().map(|passage| {
            let chunk = Arc::new(passage.chunk(&held.document));
            (passage.key(), chunk, Some(passage.vector))
        });
        Ok(chunks.collect())
    }

    /// The passages on disk with these keys that a user may see.
    fn chunks(&self, keys: &[i64], scope: &Scope) -> Result<HashMap<i64, Arc<Chunk>>, StoreError> {
        self.read(|at| {
            let mut chunks = HashMap::new();
            for key in keys {
                let Some(row) = at.chunk(*key)? else { continue };
                let Some(held) = self.held_in(row.file) else { continue };
                if self.sees(scope, held) {
                    chunks.insert(*key, Arc::new(chunk_of(row, held)));
                }
            }
            Ok(chunks)
        })
    }

    /// The passages of a document that lie on disk with their keys, in order.
    pub fn chunks_of(&self, held: &Held) -> Result<Vec<(i64, Arc<Chunk>)>, StoreError> {
        let rows = self.read(|at| at.chunks_of(held.file))?;
        Ok(rows.into_iter().map(|row| (row.key, Arc::new(chunk_of(row, held)))).collect())
    }
}

fn chunk_of(row: ChunkRow, held: &Held) -> Chunk {
    Chunk {
        source_id: SourceId::new(held.document.id.clone(), row.position),
        document: Arc::clone(&held.document),
        text: row.text,
        section_path: row.section_path,
        page: row.page,
        span: row.span,
        language: row.language,
    }
}
