//! A workspace and a folder of documents to try things with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_core::domain::{CosineScale, EmbedderFamily};
use plumbline_core::ports::{Embedder, Hit, Index, LexicalQuery, Scope};
use plumbline_core::text::detect_or;
use plumbline_library::{
    EmbedderKey, IndexOptions, IndexReport, Indexer, Library, ReaderOptions, VectorIndexRules, VectorMaker,
};
use plumbline_telemetry::SystemClock;
use plumbline_testkit::embedder::FakeEmbedder;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub struct TestLibrary {
    pub runtime: Runtime,
    pub embedder: Arc<FakeEmbedder>,
    pub fingerprint: String,
    /// Whose vectors are searched until those of `fingerprint` are complete.
    pub meanwhile: Option<String>,
    pub vector_index: VectorIndexRules,
    folder: TempDir,
}

impl TestLibrary {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("docs")).unwrap();
        Self {
            runtime: tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap(),
            embedder: Arc::new(FakeEmbedder::new()),
            fingerprint: "f1".to_owned(),
            meanwhile: None,
            vector_index: VectorIndexRules::default(),
            folder,
        }
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    pub fn docs(&self) -> PathBuf {
        self.folder.path().join("docs")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.docs().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.docs().join(path)).unwrap();
    }

    pub fn key(&self) -> EmbedderKey {
        key_of(&self.fingerprint)
    }

    pub fn indexer(&self) -> Indexer {
        self.indexer_with(Some((Arc::clone(&self.embedder) as Arc<dyn Embedder>, self.key())))
    }

    /// As where the embedder cannot be reached.
    pub fn indexer_without_embedder(&self) -> Indexer {
        self.indexer_with(None)
    }

    fn indexer_with(&self, embedder: Option<VectorMaker>) -> Indexer {
        let options = IndexOptions {
            embedder,
            meanwhile: self
                .meanwhile
                .as_ref()
                .map(|fingerprint| (Arc::clone(&self.embedder) as Arc<dyn Embedder>, key_of(fingerprint))),
            reader: ReaderOptions::default(),
            clock: Arc::new(SystemClock),
        };
        let mut indexer = Indexer::open(&self.workspace(), options, self.runtime.handle().clone()).unwrap();
        indexer.index_vectors_by(self.vector_index);
        indexer
    }

    /// Adds the folder of documents and brings the library up to date.
    pub fn index(&self) -> IndexReport {
        self.index_path(&self.docs())
    }

    pub fn index_path(&self, path: &Path) -> IndexReport {
        let mut indexer = self.indexer();
        indexer.add(&[path.to_owned()]).unwrap();
        indexer.run(&CancellationToken::new(), &|_| {}).unwrap()
    }

    pub fn library(&self) -> Library {
        self.runtime.block_on(Library::open(&self.workspace(), Some(self.key()))).unwrap().unwrap()
    }

    pub fn lexical(&self, library: &Library, text: &str, scope: &Scope) -> Vec<Hit> {
        let language = detect_or(text, plumbline_core::domain::Language::EN);
        let query = LexicalQuery { text: text.to_owned(), language };
        let vector = self.vector(text);
        self.runtime.block_on(library.lexical(&query, Some(&vector), scope, 20)).unwrap()
    }

    pub fn dense(&self, library: &Library, text: &str, scope: &Scope) -> Vec<Hit> {
        let vector = self.vector(text);
        self.runtime.block_on(library.dense(&vector, scope, 20)).unwrap()
    }

    pub fn vector(&self, text: &str) -> Vec<f32> {
        self.runtime.block_on(self.embedder.embed(&[text.to_owned()])).unwrap().remove(0)
    }

    /// The stores agree, passage by passage.
    pub fn check(&self) {
        self.runtime.block_on(self.library().check()).unwrap();
    }
}

fn key_of(fingerprint: &str) -> EmbedderKey {
    EmbedderKey {
        family: EmbedderFamily::Local,
        fingerprint: fingerprint.to_owned(),
        scale: CosineScale::PLAIN,
    }
}

/// Rules by which even a few documents have an index.
pub const INDEX_EARLY: VectorIndexRules =
    VectorIndexRules { from_rows: 40, rows_per_part: 16, audience_from_rows: 40 };

/// The sources of hits, in order.
pub fn sources(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| hit.chunk.source_id.to_string()).collect()
}

/// A decision record in a few lines.
pub fn adr(number: u32, title: &str, decision: &str) -> String {
    format!(
        "# {number}. {title}\n\nDate: 2024-01-{:02}\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n",
        number % 28 + 1
    )
}
