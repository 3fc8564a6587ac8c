//! Workspaces that publish and follow.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use plumbline_core::domain::{CosineScale, DocumentId, EmbedderFamily, Language};
use plumbline_core::ports::{Catalogue, DocumentFilter, Embedder, Hit, Index, LexicalQuery, Scope};
use plumbline_library::{
    EmbedderKey, FollowReport, IndexOptions, Indexer, Library, ReaderOptions, TeamLibrary, listings_folder,
    vocabulary_folder,
};
use plumbline_team::{
    Address, PublishReport, Publishing, Pull, Pulled, Remote, Store, TeamError, open_store, publish, pull,
};
use plumbline_telemetry::{Clock, SystemClock};
use plumbline_testkit::embedder::FakeEmbedder;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap());

/// A workspace of somebody in the team.
pub struct Desk {
    pub folder: PathBuf,
    pub fingerprint: String,
    _kept: Option<TempDir>,
}

impl Desk {
    pub fn new() -> Self {
        let kept = tempfile::tempdir().unwrap();
        let folder = kept.path().to_owned();
        std::fs::create_dir_all(folder.join("docs")).unwrap();
        Self { folder, fingerprint: "f1".to_owned(), _kept: Some(kept) }
    }

    /// The one that another process has made.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), fingerprint: "f1".to_owned(), _kept: None }
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.join("workspace")
    }

    pub fn docs(&self) -> PathBuf {
        self.folder.join("docs")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.docs().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn write_records(&self, numbers: std::ops::RangeInclusive<u32>, said: &str) {
        for number in numbers {
            self.write(&format!("adr/{number:04}-matter.md"), &record(number, said));
        }
    }

    pub fn key(&self) -> EmbedderKey {
        EmbedderKey {
            family: EmbedderFamily::Local,
            fingerprint: self.fingerprint.clone(),
            scale: CosineScale::PLAIN,
        }
    }

    pub fn indexer(&self) -> Indexer {
        let options = IndexOptions {
            embedder: Some((Arc::new(FakeEmbedder::new()), self.key())),
            meanwhile: None,
            reader: ReaderOptions::default(),
            clock: Arc::new(SystemClock),
        };
        Indexer::open(&self.workspace(), options, RUNTIME.handle().clone()).unwrap()
    }

    /// Brings the library up to date with the folder of documents.
    pub fn index(&self) {
        self.index_folder(&self.docs());
    }

    pub fn index_folder(&self, folder: &Path) {
        let mut indexer = self.indexer();
        indexer.add(&[folder.to_owned()]).unwrap();
        indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    }

    pub fn library(&self) -> Library {
        self.library_if_any().unwrap()
    }

    fn library_if_any(&self) -> Option<Library> {
        RUNTIME.block_on(Library::open(&self.workspace(), Some(self.key()))).unwrap()
    }

    pub fn publish(&self, remote: &Remote) -> Result<PublishReport, TeamError> {
        self.publish_with(remote, false)
    }

    pub fn publish_with(&self, remote: &Remote, repair: bool) -> Result<PublishReport, TeamError> {
        self.publish_as(remote, &publishing(repair))
    }

    /// Publishes so that it can be read in place as well.
    pub fn publish_in_place(&self, remote: &Remote, repair: bool) -> Result<PublishReport, TeamError> {
        let stores = self.folder.join("published");
        self.publish_as(remote, &Publishing { in_place: true, stores: &stores, ..publishing(repair) })
    }

    fn publish_as(&self, remote: &Remote, how: &Publishing<'_>) -> Result<PublishReport, TeamError> {
        let library = self.library();
        RUNTIME.block_on(async {
            let export = library.export().await?;
            publish(remote, &export, how).await
        })
    }

    pub fn in_force(&self, address: &str) -> Option<TeamLibrary> {
        let library = self.library_if_any()?;
        let followed = RUNTIME.block_on(library.team_libraries()).unwrap();
        followed.into_iter().find(|library| library.address == address)
    }

    /// Pulls what is new and puts it in force; none where there is nothing new.
    pub fn subscribe(&self, remote: &Remote) -> Result<Option<FollowReport>, TeamError> {
        self.subscribe_as(remote, false)
    }

    /// The same; what was pulled and is read in place from now on is none of it held.
    pub fn subscribe_as(&self, remote: &Remote, in_place: bool) -> Result<Option<FollowReport>, TeamError> {
        let in_force = self.in_force(remote.address());
        let held = match self.library_if_any() {
            Some(library) => RUNTIME.block_on(library.digests_of(remote.address())).unwrap(),
            None => BTreeSet::new(),
        };
        let was = in_force.as_ref().is_some_and(|library| library.in_place.is_some());
        let held = if was == in_place { held } else { BTreeSet::new() };
        let cache = self.folder.join("pulled");
        let listings = listings_folder(&self.workspace(), remote.address());
        let asked = Pull {
            in_place: in_place.then_some(listings.as_path()),
            in_force: in_force.as_ref(),
            held: &held,
            fingerprint: &self.fingerprint,
            vocabularies: &vocabulary_folder(&self.workspace(), remote.address()),
            cache: &cache,
            progress: &|_, _| {},
        };
        match RUNTIME.block_on(pull(remote, asked))? {
            Pulled::UpToDate(_) => Ok(None),
            Pulled::Generation(shared) => Ok(Some(self.indexer().follow(*shared)?)),
        }
    }

    pub fn ids(&self, scope: &Scope) -> Vec<String> {
        self.ids_in(&self.library(), scope)
    }

    pub fn ids_in(&self, library: &Library, scope: &Scope) -> Vec<String> {
        let listed = RUNTIME.block_on(library.list(&DocumentFilter::default(), scope)).unwrap();
        listed.iter().map(|document| document.id.to_string()).collect()
    }

    /// The texts of all passages.
    pub fn texts(&self) -> Vec<String> {
        let library = self.library();
        let ids = self.ids_in(&library, &Scope::default());
        let ids: Vec<DocumentId> = ids.iter().map(|id| DocumentId::new(id.as_str()).unwrap()).collect();
        let hits = RUNTIME.block_on(library.address(&ids, None, &Scope::default())).unwrap();
        let texts = hits.iter().map(|hit| hit.chunk.text.clone());
        texts.filter(|text| text.contains("we settle")).collect()
    }

    /// The stores agree, passage by passage.
    pub fn check(&self) {
        RUNTIME.block_on(self.library().check()).unwrap();
    }

    pub fn finds(&self, text: &str) -> bool {
        let scope = Scope::default();
        let found = lexical(&self.library(), text, &scope);
        found.iter().any(|hit| hit.chunk.text.contains(text))
    }
}

/// Publishing now, watched by nobody.
pub fn publishing(repair: bool) -> Publishing<'static> {
    Publishing {
        now: SystemClock.now(),
        repair,
        in_place: false,
        stores: Path::new("nowhere"),
        vocabularies: &[],
        progress: &|_, _| {},
    }
}

/// A number of the environment's, for who wants to run more than a machine does each day.
pub fn number_or(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

pub fn lexical(library: &Library, text: &str, scope: &Scope) -> Vec<Hit> {
    let query = LexicalQuery { text: text.to_owned(), language: Language::EN };
    RUNTIME.block_on(library.lexical(&query, None, scope, 50)).unwrap()
}

pub fn dense(library: &Library, text: &str, scope: &Scope) -> Vec<Hit> {
    RUNTIME.block_on(async {
        let vector = FakeEmbedder::new().embed(&[text.to_owned()]).await.unwrap().remove(0);
        library.dense(&vector, scope, 50).await.unwrap()
    })
}

/// A record with a text of its own.
pub fn record(number: u32, said: &str) -> String {
    format!(
        "# {number}. Matter {number}\n\nDate: 2024-01-{:02}\n\n## Status\n\nAccepted\n\n## Decision\n\n{said} {number}.\n",
        number % 28 + 1
    )
}

/// A folder to publish at.
pub struct Shared {
    pub folder: TempDir,
}

impl Shared {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn address(&self) -> Address {
        Address::parse(&self.folder.path().join("team").to_string_lossy()).unwrap()
    }

    pub fn remote(&self) -> Remote {
        Remote::open(&self.address(), None).unwrap()
    }

    pub fn store(&self) -> Arc<dyn Store> {
        open_store(&self.address(), None).unwrap()
    }

    /// The same place through another store.
    pub fn through(&self, store: Arc<dyn Store>) -> Remote {
        Remote::over(self.address().to_string(), store)
    }

    /// Every file of it, relative to the address.
    pub fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for part in ["generations/", "shelves/"] {
            let entries = RUNTIME.block_on(self.store().list(part)).unwrap();
            files.extend(entries.into_iter().map(|entry| entry.name));
        }
        files
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("team").join(name)
    }
}

/// A reader has the first generation, and the second is there.
pub fn two_generations() -> (Desk, Desk, Shared) {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    publisher.write_records(1..=5, "We settle matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    reader.subscribe(&shared.remote()).unwrap();
    publisher.write_records(1..=5, "We unsettle matter");
    publisher.index();
    publisher.publish(&shared.remote()).unwrap();
    (publisher, reader, shared)
}
