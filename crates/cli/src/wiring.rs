//! Settings and ports for a command.

mod library;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use plumbline_core::budget::EstimatingCounter;
use plumbline_core::engine::{Configuration, Engine, Ports};
use plumbline_core::ports::{Catalogue, Clock, Embedder, EmptyLibrary, IdSource, Index, Vocabulary};
use plumbline_core::settings::{Settings, Sources};
use plumbline_library::{Library, LibraryManifest};
use plumbline_models::embedder::BuiltInEmbedder;
use plumbline_telemetry::{Metrics, NullAudit, SystemClock};
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::rdf::Defect;
use plumbline_vocabulary::skosmos::{Server, SkosmosClient, SkosmosSettings};
use plumbline_vocabulary::source::vocabulary_files;

use crate::arguments::Global;

pub use library::{embedder, index_options, library, runtime, scope, stop_on_interrupt, workspace};

/// The manifest that names a library's vocabularies.
const MANIFEST: &str = "library.toml";

/// The cache of vocabulary files in a workspace.
const VOCABULARY_CACHE: &str = "vocabulary.cache";

struct RandomIds;

impl IdSource for RandomIds {
    fn request_id(&self) -> String {
        format!("req-{}", uuid::Uuid::new_v4())
    }
}

/// The settings from default, file, environment and flags.
pub fn settings(global: &Global) -> anyhow::Result<Settings> {
    let user_file = match &global.config {
        Some(path) => {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            Some((path.clone(), text))
        }
        None => None,
    };
    let mut flags = global.settings.clone();
    if let Some(language) = &global.lang {
        flags.push(("general.language".to_owned(), language.clone()));
    }
    Ok(Settings::resolve(Sources { user_file, environment: std::env::vars(), flags })?)
}

/// The vocabulary of record: the files given, else those of the library here, else the configured server.
pub fn vocabulary(
    global: &Global,
    settings: &Settings,
    files: &[PathBuf],
) -> anyhow::Result<(Arc<dyn Vocabulary>, Vec<Defect>)> {
    let entries = if files.is_empty() { manifest_vocabularies()? } else { files.to_vec() };
    if !entries.is_empty() {
        for entry in &entries {
            if !entry.exists() {
                bail!("{} does not exist", entry.display());
            }
        }
        let (files, mut defects) = vocabulary_files(&entries);
        // Without a place for the cache the files are read anew, which is slower and no less right.
        let (vocabulary, found) = match workspace(global) {
            Ok(folder) => {
                EmbeddedVocabulary::load_cached(&files, &folder.join(VOCABULARY_CACHE), &SystemClock)
            }
            Err(_) => EmbeddedVocabulary::load(&files, &SystemClock),
        };
        defects.extend(found);
        return Ok((Arc::new(vocabulary), defects));
    }
    let Some(address) = settings.vocabulary.skosmos_url.clone() else {
        bail!(
            "there is no vocabulary to look in: give one with --vocabulary FILE, run this beside a {MANIFEST} that names \
             some, or set vocabulary.skosmos_url"
        );
    };
    let ids = settings.vocabulary.skosmos_vocabularies.as_deref().unwrap_or_default();
    let vocabularies = ids.split([',', ' ']).filter(|id| !id.is_empty()).map(str::to_owned).collect();
    let client = SkosmosClient::new(
        SkosmosSettings {
            timeout_ms: settings.vocabulary.timeout_ms,
            cache_ttl_seconds: settings.vocabulary.cache_ttl_seconds,
            cache_max_size: settings.vocabulary.cache_max_size,
            ..SkosmosSettings::of(vec![Server { address, vocabularies }])
        },
        clock(),
    )?;
    Ok((Arc::new(client), Vec::new()))
}

fn manifest_vocabularies() -> anyhow::Result<Vec<PathBuf>> {
    let manifest = Path::new(MANIFEST);
    if !manifest.is_file() {
        return Ok(Vec::new());
    }
    Ok(LibraryManifest::read(manifest)?.vocabularies)
}

fn clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock)
}

/// An engine that knows the vocabulary and no documents.
pub fn engine(settings: Settings, vocabulary: Arc<dyn Vocabulary>) -> Engine {
    let library = Arc::new(EmptyLibrary);
    let ports = Ports { vocabulary: Some(vocabulary), ..ports(library.clone(), library) };
    Engine::new(ports, Configuration { settings, ..Configuration::default() }, Metrics::new())
}

/// An engine that searches a library and writes nothing.
pub fn search_engine(
    settings: Settings,
    library: Arc<Library>,
    embedder: Option<Arc<BuiltInEmbedder>>,
) -> Engine {
    let ports = Ports {
        embedder: embedder.map(|embedder| embedder as Arc<dyn Embedder>),
        ..ports(library.clone(), library)
    };
    Engine::new(ports, Configuration { settings, ..Configuration::default() }, Metrics::new())
}

fn ports(index: Arc<dyn Index>, catalogue: Arc<dyn Catalogue>) -> Ports {
    Ports {
        index,
        catalogue,
        embedder: None,
        vocabulary: None,
        memory: None,
        reranker: None,
        model: None,
        counter: Arc::new(EstimatingCounter::new()),
        clock: clock(),
        ids: Arc::new(RandomIds),
        audit: Arc::new(NullAudit),
    }
}
