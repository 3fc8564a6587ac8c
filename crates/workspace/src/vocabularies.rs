use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_core::ports::Vocabulary;
use plumbline_library::LibraryManifest;
use plumbline_telemetry::SystemClock;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::rdf::Defect;
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosSettings};
use plumbline_vocabulary::source::vocabulary_files;

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
    /// The vocabulary of record: the files given, else the configured server, else the
    /// files that the library names, else those of a `library.toml` here.
    pub fn vocabulary(&self) -> Result<OpenVocabulary, WorkspaceError> {
        if !self.vocabulary.is_empty() {
            return self.embedded(&self.vocabulary);
        }
        if let Some(address) = &self.settings().vocabulary.skosmos_url {
            return Ok(OpenVocabulary::Server(Arc::new(self.skosmos(address)?)));
        }
        let mut entries = of_library(self.folder())?;
        if entries.is_empty() && Path::new(MANIFEST).is_file() {
            // A manifest that cannot be read names nothing; indexing it says what is wrong with it.
            entries = LibraryManifest::read(Path::new(MANIFEST))
                .map(|found| found.vocabularies)
                .unwrap_or_default();
        }
        if entries.is_empty() { Err(WorkspaceError::NoVocabulary) } else { self.embedded(&entries) }
    }

    fn embedded(&self, entries: &[PathBuf]) -> Result<OpenVocabulary, WorkspaceError> {
        if let Some(missing) = entries.iter().find(|entry| !entry.exists()) {
            return Err(WorkspaceError::NoSuchFile(missing.clone()));
        }
        let (files, mut defects) = vocabulary_files(entries);
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

fn of_library(folder: &Path) -> Result<Vec<PathBuf>, WorkspaceError> {
    Ok(plumbline_library::manifests(folder)?.into_iter().flat_map(|manifest| manifest.vocabularies).collect())
}
