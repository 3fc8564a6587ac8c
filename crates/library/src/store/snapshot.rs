//! The library as it stands at one generation: what every search, list and fact of one moment is read from.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use plumbline_core::detail::Detail;
use plumbline_core::domain::{Chunk, Collection, Document, DocumentId, SourceId};
use plumbline_core::messages::Message;
use plumbline_core::ports::Scope;
use rusqlite::Connection;

use super::audience::{ScopeFilter, may_see};
use super::catalogue::{self, At};
use super::lock::ReaderHold;
use super::rows::{ChunkRow, Record};
use super::statistics::ScopeStatistics;
use super::team::{self, TeamLibrary};
use super::text::TextSnapshot;
use super::vectors::{VectorTable, Vectors};
use super::{Layout, StoreError, schema};

/// A document with the file it lies in.
pub(crate) struct Held {
    pub file: i64,
    pub record: Record,
    pub document: Arc<Document>,
}

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
    statistics: Mutex<HashMap<Option<ScopeFilter>, Arc<ScopeStatistics>>>,
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
    ) -> Result<Option<Self>, StoreError> {
        let generation = text.generation;
        let hold = ReaderHold::take(layout, generation)?;
        let connection = schema::open_for_reading(layout)?;
        let (held, tables, made_at, team) = {
            let at = At::generation(&connection, generation);
            let held = at.records()?.into_iter().map(|(file, record)| {
                let document = Arc::new(record.document.clone());
                Held { file, record, document }
            });
            (held.collect::<Vec<_>>(), at.tables()?, at.made_at()?, team::followed(&at)?)
        };
        if generation > 0 && made_at.is_none() {
            return Ok(None);
        }
        let as_of = catalogue::fact(&connection, catalogue::AS_OF)?.and_then(|day| day.parse().ok());
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
            text,
            team,
            held,
            by_id,
            by_file,
            audiences,
            collections,
            tables,
            statistics: Mutex::default(),
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

    pub fn statistics(&self, filter: Option<&ScopeFilter>) -> Result<Arc<ScopeStatistics>, StoreError> {
        let known = || self.statistics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statistics) = known().get(&filter.cloned()) {
            return Ok(Arc::clone(statistics));
        }
        let statistics = Arc::new(self.text.statistics(filter)?);
        known().insert(filter.cloned(), Arc::clone(&statistics));
        Ok(statistics)
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

    /// The passages with these keys that a user may see.
    pub fn chunks(&self, keys: &[i64], scope: &Scope) -> Result<HashMap<i64, Arc<Chunk>>, StoreError> {
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

    /// The passages of a document with their keys, in order.
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
