//! Documents in, index on disk: reading, identity, chunks, catalogue, lanes, curated memory.

mod analysis;
mod browse;
mod chunking;
mod decisions;
mod folders;
mod identity;
mod in_place;
mod indexer;
mod inspect;
mod library;
mod manifest;
mod memory;
mod reading;
mod sharing;
mod store;
mod verify;
mod watch;

pub use browse::BrowsedDocument;
pub use chunking::{ChunkDraft, ChunkRules, chunk};
pub use decisions::Decisions;
pub use folders::{LibraryOrigin, LibrarySource, add_origin, library_origins, remove_origin, source_holding};
pub use identity::{
    Approval, Clue, Collision, Disagreement, How, Identity, Placement, Provenance, Reconciled,
    ReconciledDocument, RecordRef, Role, SaidRelation, Unresolved, WhyUnresolved, identify, reconcile,
};
pub use in_place::{
    InPlace, InPlaceLibrary, InPlaceShelf, ListedDocument, ListedFile, MadeShelf, PIECE_BYTES, ShelfListing,
    ShelfStore, ShelfStores,
};
pub use indexer::{
    FollowReport, FollowedVocabulary, IndexError, IndexOptions, IndexProgress, IndexReport, Indexer,
    OriginError, PlainDocument, SharedGeneration, Skipped, VectorMaker, Warning, followed_vocabularies,
    listings_folder, vocabulary_folder,
};
pub use inspect::{EmbedderStatus, LibraryStatus, ProblemFile, bytes_of, manifests};
pub use library::{EmbedderKey, Found, Library};
pub use manifest::{FolderRule, LibraryManifest, ManifestError, PathRule, Source};
pub use memory::{
    EntryDraft, EntryProblem, EntryStatus, MemoryEntry, MemoryKind, Pointer, RetiredBy, TeamMemory,
    memory_folders,
};
pub use reading::{
    Block, BlockKind, FileContent, Format, MetaValue, Oddity, ReadDocument, Reader, ReaderOptions,
    Unreadable, WORKER_ARGUMENT, WorkerCommand, read, serve_worker,
};
pub use sharing::{
    Export, ExportedDocument, ExportedShelf, PartError, SharedDocument, SharedEntry, SharedPointer, pack,
    pack_outlines, unpack, unpack_outlines,
};
pub use store::StoreError;
pub use store::rows::{FileProblem, Record};
pub use store::team::{TeamLibrary, TeamSource, VocabularyFile};
pub use store::vector_index::VectorIndexRules;
pub use verify::{IdentifiedDocument, IdentityReport};
pub use watch::{FolderWatch, WatchError};

/// Making an index over vectors takes and leaves large pieces of memory on several threads. Linux' own allocator keeps them, at
/// 100,000 passages 450 MB more than this one, and is slower.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
