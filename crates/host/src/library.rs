//! The view of the library's folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plumbline_contract::{
    Broadcast, CollectionSize, CommandError, HostErrorCode, LibraryFolder, LibraryOverview,
};
use plumbline_core::messages::Message;
use plumbline_core::ports::{Catalogue, Index};
use plumbline_library::{BrowsedDocument, LibraryOrigin, add_origin, library_origins, remove_origin};
use plumbline_telemetry::sha256_hex;

use crate::Host;
use crate::error::{failed, invalid, not_found, of_indexing, of_library, of_port};
use crate::findings::counts;
use crate::indexing::{CHECKED, LAST_RUN};
use crate::numbers::count;
use crate::startup::FOLDER_ADDED;

const MANIFEST: &str = "library.toml";

impl Host {
    /// What the library consists of.
    pub async fn library(&self) -> Result<LibraryOverview, CommandError> {
        let open = self.open()?;
        let documents = self.browsed().await?;
        let mut collections = Vec::new();
        let mut generation = 0;
        if let Some(library) = open.library() {
            let listed = library
                .collections(&self.scope())
                .await
                .map_err(|problem| of_port(&problem, self.texts()))?;
            collections = listed
                .into_iter()
                .map(|collection| {
                    let inside = || {
                        let of = |one: &&BrowsedDocument| one.record.document.collection == collection;
                        documents.iter().filter(of)
                    };
                    CollectionSize {
                        documents: count(inside().count()),
                        passages: inside().map(|one| one.passages).sum(),
                        collection: collection.clone(),
                    }
                })
                .collect();
            generation = library.generation();
        }
        Ok(LibraryOverview {
            folders: self.folders(&documents).await?,
            team: self.team().await?,
            collections,
            generation,
            indexing: self.inner.indexing.indexing(),
            last_run: self.history()?.fact(LAST_RUN)?,
            findings: counts(&self.findings().await?),
        })
    }

    /// Asks the user for a folder; nothing where they changed their mind.
    pub async fn pick_folder(&self) -> Result<Option<String>, CommandError> {
        Ok(self.inner.desktop.pick_folder().await.map(|path| path.display().to_string()))
    }

    /// Adds a folder, or the folder of a `library.toml`, and begins to index it.
    pub async fn add_folder(&self, path: String) -> Result<LibraryFolder, CommandError> {
        self.open()?;
        let (origin, new) = self.add(PathBuf::from(&path)).await?;
        if !new {
            return Err(invalid(self.texts().say(Message::RefusedFolderKnown, &[("path", &path)])));
        }
        self.folder_of(&origin).await
    }

    /// Takes a folder and its documents out of the library; its files stay.
    pub async fn remove_folder(&self, id: String) -> Result<(), CommandError> {
        self.open()?;
        let folder = self.folder()?;
        let removed = self.blocking(move || {
            let origins = library_origins(&folder)?;
            match origins.into_iter().find(|origin| id_of(&origin.path) == id) {
                Some(origin) => remove_origin(&folder, &origin.path),
                None => Ok(false),
            }
        });
        if !removed.await?.map_err(|problem| of_library(&problem, self.texts()))? {
            return Err(not_found(self.say(Message::MissingFolder)));
        }
        self.folders_changed().await
    }

    /// Adds the sample library and begins to index it.
    pub async fn open_sample_library(&self) -> Result<LibraryFolder, CommandError> {
        self.open()?;
        let sample = self.sample_manifest().ok_or_else(|| not_found(self.say(Message::MissingSample)))?;
        let (origin, _) = self.add(sample).await?;
        self.folder_of(&origin).await
    }

    /// Compares all folders with the index and brings it up to date.
    pub async fn start_indexing(&self) -> Result<(), CommandError> {
        self.open()?;
        if self.inner.indexing.is_running() {
            return Err(failed(HostErrorCode::Busy, self.say(Message::BusyIndexing)));
        }
        self.inner.indexing.want();
        Ok(())
    }

    /// Stops indexing; what is done stays.
    pub async fn stop_indexing(&self) -> Result<(), CommandError> {
        self.inner.indexing.stop();
        Ok(())
    }

    /// The sample library's manifest, where it is installed.
    pub(crate) fn sample_manifest(&self) -> Option<PathBuf> {
        let sample = self.inner.options.sample_library.as_ref()?;
        std::fs::canonicalize(sample.join(MANIFEST)).ok()
    }

    /// All documents that the user may see.
    pub(crate) async fn browsed(&self) -> Result<Vec<BrowsedDocument>, CommandError> {
        match self.open()?.library() {
            Some(library) => {
                library.documents(&self.scope()).await.map_err(|problem| of_library(&problem, self.texts()))
            }
            None => Ok(Vec::new()),
        }
    }

    /// The folders and manifests that the library is made of.
    pub(crate) async fn origins(&self) -> Result<Vec<LibraryOrigin>, CommandError> {
        let folder = self.folder()?;
        self.blocking(move || library_origins(&folder))
            .await?
            .map_err(|problem| of_library(&problem, self.texts()))
    }

    async fn add(&self, path: PathBuf) -> Result<(PathBuf, bool), CommandError> {
        let (folder, history) = (self.folder()?, self.history()?);
        let added = self
            .blocking(move || add_origin(&folder, &path))
            .await?
            .map_err(|problem| of_indexing(&problem, self.texts()))?;
        history.keep_fact(FOLDER_ADDED, &true)?;
        self.folders_changed().await?;
        Ok(added)
    }

    async fn folders_changed(&self) -> Result<(), CommandError> {
        self.refresh_state().await?;
        self.follow_folders().await;
        self.inner.indexing.want();
        self.tell(Broadcast::LibraryChanged);
        Ok(())
    }

    async fn folder_of(&self, origin: &Path) -> Result<LibraryFolder, CommandError> {
        let id = id_of(origin);
        let folders = self.folders(&self.browsed().await?).await?;
        let folder = folders.into_iter().find(|folder| folder.id == id);
        folder.ok_or_else(|| not_found(self.say(Message::MissingFolder)))
    }

    async fn folders(&self, documents: &[BrowsedDocument]) -> Result<Vec<LibraryFolder>, CommandError> {
        let checked: BTreeMap<PathBuf, String> = self.history()?.fact(CHECKED)?.unwrap_or_default();
        let sample = self.sample_manifest();
        let folder = |origin: LibraryOrigin| {
            let inside = documents
                .iter()
                .filter(|one| origin.sources.iter().any(|source| source.name == one.record.source));
            LibraryFolder {
                id: id_of(&origin.path),
                documents: count(inside.count()),
                present: origin.present,
                watched: self.inner.indexing.is_followed(&origin.path),
                sample: Some(&origin.path) == sample.as_ref(),
                checked_at: checked.get(&origin.path).cloned(),
                path: origin.folder.display().to_string(),
                name: origin.name,
            }
        };
        Ok(self.origins().await?.into_iter().map(folder).collect())
    }
}

/// A folder's id: what it is called may change, where it lies does not.
fn id_of(origin: &Path) -> String {
    sha256_hex(origin.to_string_lossy().as_bytes()).chars().take(16).collect()
}
