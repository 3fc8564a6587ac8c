//! Folders in, generations out: what changed is read, cut, embedded and written, and every generation is complete.

mod change;
mod embedding;
mod fill;
mod follow;
pub(crate) mod origins;
mod plan;
mod report;
mod scan;
mod texts;
mod write;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::Embedder;
use plumbline_telemetry::Clock;
use rusqlite::Connection;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

pub use follow::{
    FollowReport, FollowedVocabulary, SharedGeneration, followed_vocabularies, listings_folder,
    vocabulary_folder,
};
pub use origins::OriginError;
pub use report::{IndexProgress, IndexReport, Skipped, Warning};
pub use texts::PlainDocument;
pub(crate) use write::text_row;

use crate::library::EmbedderKey;
use crate::memory;
use crate::reading::ReaderOptions;
use crate::store::catalogue::{self, At};
use crate::store::lock::{self, WriterLock};
use crate::store::snapshot::Snapshot;
use crate::store::text::{TextReader, TextWriter};
use crate::store::vector_index::VectorIndexRules;
use crate::store::vectors::{Vectors, WRITER_CACHE_BYTES};
use crate::store::{Layout, StoreError, schema};
use origins::Origins;

/// Raised when reading or cutting changes, so that every file is read again. Vectors of unchanged passages are kept.
pub(crate) const READING_VERSION: i64 = 10;
/// So many passages make a generation where they are embedded…
const EMBEDDED_BATCH: usize = 256;
/// … and where they are not.
const PLAIN_BATCH: usize = 4_096;
/// Old generations are thrown away at the end of a run, and after so many within it.
const TEND_EVERY: u64 = 16;

/// Why indexing failed.
#[derive(Debug, Error)]
pub enum IndexError {
    /// A folder or manifest cannot be used.
    Origin(OriginError),
    /// The library on disk would not.
    Store(StoreError),
    /// The embedder would not.
    Embedding(Detail),
}

impl IndexError {
    /// What failed, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::Origin(problem) => problem.detail(),
            Self::Store(problem) => problem.detail(),
            Self::Embedding(why) => Detail::of(Message::IndexEmbedding, [("detail", why.clone())]),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<OriginError> for IndexError {
    fn from(problem: OriginError) -> Self {
        Self::Origin(problem)
    }
}

impl From<StoreError> for IndexError {
    fn from(problem: StoreError) -> Self {
        Self::Store(problem)
    }
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The folders and manifests that a library is made of.
pub(crate) fn origins_of(layout: &Layout) -> Result<Vec<PathBuf>, StoreError> {
    origins::known(&schema::open_for_reading(layout)?)
}

/// An embedder and the name of its vectors.
pub type VectorMaker = (Arc<dyn Embedder>, EmbedderKey);

/// With what a library is indexed.
pub struct IndexOptions {
    /// Makes the vectors; without one the library is searched by words alone.
    pub embedder: Option<VectorMaker>,
    /// Whose vectors are searched until those are complete: what changes meanwhile gets vectors of both.
    pub meanwhile: Option<VectorMaker>,
    /// How files are read.
    pub reader: ReaderOptions,
    /// The time, for the generations' dates.
    pub clock: Arc<dyn Clock>,
}

/// The one writer of a library. Its methods block: call them off the async threads.
pub struct Indexer {
    layout: Layout,
    connection: Connection,
    text: TextWriter,
    vectors: Vectors,
    generation: u64,
    options: IndexOptions,
    runtime: Handle,
    _lock: WriterLock,
}

impl Indexer {
    /// Opens a workspace's library for writing, and puts right what a killed writer left. Waits inside, so it must not run
    /// on an async thread.
    pub fn open(workspace: &Path, options: IndexOptions, runtime: Handle) -> Result<Self, IndexError> {
        let layout = Layout::in_workspace(workspace);
        layout.create()?;
        let lock = WriterLock::take(&layout)?;
        let mut connection = schema::open_for_writing(&layout)?;
        let text = TextWriter::open(&layout)?;
        let generation = text.generation()?;
        catalogue::roll_back(&mut connection, generation)?;
        let vectors = runtime.block_on(Vectors::open(&layout, WRITER_CACHE_BYTES))?;
        Ok(Self { layout, connection, text, vectors, generation, options, runtime, _lock: lock })
    }

    /// Indexes vectors by other rules than the default ones from now on.
    pub fn index_vectors_by(&mut self, rules: VectorIndexRules) {
        self.vectors.rules = rules;
    }

    /// Adds folders or manifests to the library; they are read by the next run.
    pub fn add(&mut self, paths: &[PathBuf]) -> Result<(), IndexError> {
        let resolved: Vec<PathBuf> =
            paths.iter().map(|path| origins::resolve(path)).collect::<Result<_, _>>()?;
        // All of them must be usable before one is added.
        let mut all = origins::known(&self.connection)?;
        all.extend(resolved.iter().filter(|path| !all.contains(path)).cloned().collect::<Vec<_>>());
        origins::expand(&all, &self.followed()?)?;
        for path in &resolved {
            origins::add(&self.connection, path)?;
        }
        Ok(())
    }

    /// Takes a folder or manifest out of the library; its documents go with the next run. Whether it was part of it.
    pub fn remove(&mut self, path: &Path) -> Result<bool, IndexError> {
        let absolute = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(origins::remove(&self.connection, &absolute)? || origins::remove(&self.connection, path)?)
    }

    /// The folders and manifests that the library is made of.
    pub fn origins(&self) -> Result<Vec<PathBuf>, IndexError> {
        Ok(origins::known(&self.connection)?)
    }

    /// Forgets every file, so that the next run reads and writes all of them anew. Searches go on until it is done.
    pub fn forget(&mut self) -> Result<(), IndexError> {
        self.connection.execute("UPDATE file SET reading = -1", [])?;
        Ok(())
    }

    /// Brings the library up to date with its folders.
    pub fn run(
        &mut self,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
    ) -> Result<IndexReport, IndexError> {
        let started = self.options.clock.monotonic();
        let origins = origins::expand(&origins::known(&self.connection)?, &self.followed()?)?;
        self.keep_facts(&origins)?;
        let mut report = IndexReport {
            absent: origins
                .placed
                .iter()
                .filter(|place| !place.present && !place.shared)
                .map(|place| place.source.path.display().to_string())
                .collect(),
            ..IndexReport::default()
        };
        let plan = self.plan(&origins, stop, progress, &mut report)?;
        self.apply(plan, stop, progress, &mut report)?;
        self.fill(stop, progress, &mut report)?;
        self.record_memory(&origins)?;
        self.tend()?;
        report.generation = self.generation;
        report.stopped = stop.is_cancelled();
        let at = At::generation(&self.connection, self.generation);
        report.chunks = at.counts()?.values().sum();
        report.files = at.files()?.iter().filter(|file| file.problem.is_none()).count();
        report.seconds = self.options.clock.monotonic().saturating_sub(started).as_secs_f64();
        Ok(report)
    }

    fn keep_facts(&self, origins: &Origins) -> Result<(), StoreError> {
        let day = origins.as_of.map(|day| day.to_string());
        catalogue::set_fact(&self.connection, catalogue::AS_OF, day.as_deref())?;
        let memory: Vec<String> =
            origins.memory.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        catalogue::set_fact(&self.connection, catalogue::MEMORY, Some(&serde_json::to_string(&memory)?))
    }

    /// Remembers what the entries of curated memory point at, so that a change there is noticed.
    fn record_memory(&self, origins: &Origins) -> Result<(), StoreError> {
        if origins.memory.is_empty() {
            return Ok(());
        }
        let text = TextReader::open(&self.layout)?.snapshot()?;
        let open = Snapshot::open(&self.layout, text, &self.vectors, None, None);
        match self.runtime.block_on(open)? {
            Some(snapshot) => memory::record(&self.connection, &snapshot, &origins.memory),
            None => Ok(()),
        }
    }

    /// Throws away what no reader holds any more.
    fn tend(&mut self) -> Result<(), StoreError> {
        let oldest = lock::oldest_held(&self.layout, self.generation)?.unwrap_or(self.generation);
        catalogue::prune(&mut self.connection, oldest)?;
        let needed = catalogue::needed_versions(&self.connection)?;
        let kept = async {
            for name in self.vectors.names().await? {
                self.vectors.keep_only(&name, needed.get(&name).unwrap_or(&Default::default())).await?;
            }
            Ok::<_, StoreError>(())
        };
        self.runtime.block_on(kept)?;
        self.text.tend()
    }
}
