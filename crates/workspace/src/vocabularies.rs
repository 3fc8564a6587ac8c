use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_core::ports::Vocabulary;
use plumbline_library::{FollowedVocabulary, LibraryManifest, followed_vocabularies};
use plumbline_telemetry::SystemClock;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::rdf::Defect;
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosSettings};
use plumbline_vocabulary::source::{VocabularyFile, vocabulary_files};

use crate::{Workspace, WorkspaceError};

/// The manifest that names a library's vocabularies.
const MANIFEST: &str = "library.toml";
/// What was read of vocabulary files, so that the next start need not read them anew.
const CACHE: &str = "vocabulary.cache";

/// The vocabulary of record, open.
#[derive(Clone)]
pub enum OpenVocabulary {
    /// Read from files, with what is wrong in them.
    Files(Arc<EmbeddedVocabulary>, Vec<Defect>),
    /// Asked of a server.
    Server(Arc<SkosmosClient>),
}

impl OpenVocabulary {
    /// As the engine asks it.
    pub fn port(&self) -> Arc<dyn Vocabulary> {
        match self {
            Self::Files(vocabulary, _) => vocabulary.clone(),
            Self::Server(client) => client.clone(),
        }
    }

    /// What is wrong in its files.
    pub fn defects(&self) -> &[Defect] {
        match self {
            Self::Files(_, defects) => defects,
            Self::Server(_) => &[],
        }
    }
}

impl Workspace {
    /// The vocabulary of record: the files given, else the configured server, else the files that the library names or those of
    /// a `library.toml` here, and behind them those of libraries that are followed.
    pub fn vocabulary(&self) -> Result<OpenVocabulary, WorkspaceError> {
        if !self.vocabulary.is_empty() {
            return self.embedded(&self.vocabulary, Vec::new());
        }
        if let Some(address) = &self.settings().vocabulary.skosmos_url {
            return Ok(OpenVocabulary::Server(Arc::new(self.skosmos(address)?)));
        }
        let (entries, followed) = (self.named_by_library()?, followed_vocabularies(self.folder())?);
        if entries.is_empty() && followed.is_empty() {
            return Err(WorkspaceError::NoVocabulary);
        }
        self.embedded(&entries, followed)
    }

    /// The files of the vocabulary that this workspace can give to others: not a server's, and not what it follows itself.
    pub fn own_vocabulary_files(&self) -> Result<Vec<VocabularyFile>, WorkspaceError> {
        if !self.vocabulary.is_empty() {
            return Ok(vocabulary_files(&self.vocabulary).0);
        }
        if self.settings().vocabulary.skosmos_url.is_some() {
            return Ok(Vec::new());
        }
        Ok(vocabulary_files(&self.named_by_library()?).0)
    }

    fn named_by_library(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        let entries = of_library(self.folder())?;
        if !entries.is_empty() || !Path::new(MANIFEST).is_file() {
            return Ok(entries);
        }
        // A manifest that cannot be read names nothing; indexing it says what is wrong with it.
        Ok(LibraryManifest::read(Path::new(MANIFEST)).map(|found| found.vocabularies).unwrap_or_default())
    }

    fn embedded(
        &self,
        entries: &[PathBuf],
        followed: Vec<FollowedVocabulary>,
    ) -> Result<OpenVocabulary, WorkspaceError> {
        if let Some(missing) = entries.iter().find(|entry| !entry.exists()) {
            return Err(WorkspaceError::NoSuchFile(missing.clone()));
        }
        let (mut files, mut defects) = vocabulary_files(entries);
        // Who has a copy of what they follow has its terms once.
        let own: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        let others = followed.into_iter().filter(|file| !own.iter().any(|own| is_same(own, &file.path)));
        files.extend(
            others.map(|FollowedVocabulary { vocabulary, path }| VocabularyFile { vocabulary, path }),
        );
        let (vocabulary, found) =
            EmbeddedVocabulary::load_cached(&files, &self.folder().join(CACHE), &SystemClock);
        defects.extend(found);
        Ok(OpenVocabulary::Files(Arc::new(vocabulary), defects))
    }

    fn skosmos(&self, address: &str) -> Result<SkosmosClient, WorkspaceError> {
        let settings = &self.settings().vocabulary;
        let ids = settings.skosmos_vocabularies.as_deref().unwrap_or_default();
        let vocabularies = ids.split([',', ' ']).filter(|id| !id.is_empty()).map(str::to_owned).collect();
        let server = Server { address: address.to_owned(), vocabularies };
        Ok(SkosmosClient::new(
            SkosmosSettings {
                timeout_ms: settings.timeout_ms,
                cache_ttl_seconds: settings.cache_ttl_seconds,
                cache_max_size: settings.cache_max_size,
                ..SkosmosSettings::of(vec![server])
            },
            Arc::new(SystemClock),
        )?)
    }
}

/// Whether two files hold the same; one that cannot be read is like no other.
fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| std::fs::metadata(path).ok().map(|file| file.len());
    let bytes = |path: &Path| std::fs::read(path).ok();
    length(one).is_some()
        && length(one) == length(other)
        && bytes(one).is_some()
        && bytes(one) == bytes(other)
}

fn of_library(folder: &Path) -> Result<Vec<PathBuf>, WorkspaceError> {
    Ok(plumbline_library::manifests(folder)?.into_iter().flat_map(|manifest| manifest.vocabularies).collect())
}
