//! What the library holds, and whether its stores agree: `status` and the checks of the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::indexer::{Warning, origins_of};
use crate::library::Library;
use crate::manifest::LibraryManifest;
use crate::store::rows::FileProblem;
use crate::store::team::TeamLibrary;
use crate::store::{Layout, StoreError};

/// The library in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LibraryStatus {
    /// The generation that is searched.
    pub generation: u64,
    /// When it was made.
    pub made_at: Option<String>,
    /// Folders and manifests.
    pub origins: Vec<PathBuf>,
    /// Published libraries that are followed, as they are in force.
    pub team_libraries: Vec<TeamLibrary>,
    /// Documents by kind.
    pub documents: BTreeMap<String, usize>,
    /// Passages by collection.
    pub chunks: BTreeMap<String, u64>,
    /// Vectors by embedder.
    pub embedders: Vec<EmbedderStatus>,
    /// Files that are not in the library.
    pub problems: Vec<ProblemFile>,
    /// What was odd about files that are.
    pub warnings: Vec<Warning>,
    /// What the stores take on disk.
    pub bytes: BTreeMap<String, u64>,
}

/// The vectors of one embedder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EmbedderStatus {
    /// Of weights, pooling and normalisation.
    pub fingerprint: String,
    /// Its tables.
    pub tables: Vec<String>,
    /// Whether every passage has a vector.
    pub complete: bool,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemFile {
    /// Its source.
    pub source: String,
    /// Relative to it.
    pub path: String,
    /// Why.
    #[serde(flatten)]
    pub problem: FileProblem,
}

impl Library {
    /// The library in numbers.
    pub async fn status(&self) -> Result<LibraryStatus, StoreError> {
        let snapshot = self.snapshot().await?;
        let (chunks, files, tables, made_at) =
            snapshot.read(|at| Ok((at.counts()?, at.files()?, at.tables()?, at.made_at()?)))?;
        let team_libraries = self.team_libraries().await?;
        let mut documents = BTreeMap::new();
        for held in snapshot.held.iter().filter(|held| held.record.listed) {
            *documents.entry(held.document.kind.as_str().to_owned()).or_default() += 1;
        }
        let with_vectors = |tables: &[crate::store::rows::TableRow]| {
            chunks.keys().all(|name| tables.iter().any(|table| table.collection == *name && table.complete))
        };
        let embedders = tables
            .into_iter()
            .map(|(fingerprint, tables)| EmbedderStatus {
                fingerprint,
                complete: with_vectors(&tables),
                tables: tables.into_iter().map(|table| table.name).collect(),
            })
            .collect();
        let warnings = files.iter().flat_map(|file| {
            file.warnings.iter().map(|odd| Warning {
                source: file.source.clone(),
                path: file.path.clone(),
                code: odd.code.clone(),
                text: odd.detail().clone(),
            })
        });
        let warnings = warnings.collect();
        let problems = files.into_iter().filter_map(|file| {
            Some(ProblemFile { source: file.source, path: file.path, problem: file.problem? })
        });
        let layout = self.layout();
        let bytes =
            [("catalogue", layout.catalogue()), ("text", layout.text()), ("vectors", layout.vectors())];
        Ok(LibraryStatus {
            generation: snapshot.generation,
            made_at,
            origins: origins_of(layout)?,
            team_libraries,
            documents,
            embedders,
            problems: problems.collect(),
            warnings,
            bytes: bytes.into_iter().map(|(name, path)| (name.to_owned(), bytes_of(&path))).collect(),
            chunks,
        })
    }

    /// The texts of some passages, from documents all over the library.
    pub async fn sample(&self, count: usize) -> Result<Vec<String>, StoreError> {
        let snapshot = self.snapshot().await?;
        let step = (snapshot.held.len() / count.max(1)).max(1);
        let mut texts = Vec::new();
        for held in snapshot.held.iter().step_by(step).take(count) {
            let chunks = snapshot.chunks_of(held)?;
            texts.extend(chunks.get(chunks.len() / 2).map(|(_, chunk)| chunk.text.clone()));
        }
        Ok(texts)
    }

    /// Compares the three stores passage by passage. An error says where they differ.
    pub async fn check(&self) -> Result<(), StoreError> {
        let snapshot = self.snapshot().await?;
        let counts = snapshot.read(|at| at.counts())?;
        let mut listed: BTreeSet<i64> = BTreeSet::new();
        for collection in counts.keys() {
            let keys: BTreeSet<i64> = snapshot.read(|at| at.keys(collection))?.into_keys().collect();
            if let Ok(tables) = &snapshot.tables {
                let table = tables.get(&plumbline_core::domain::Collection::new(collection.clone()));
                let held = match table {
                    Some(table) => table.keys().await?,
                    None => BTreeSet::new(),
                };
                if held != keys {
                    return Err(StoreError::Disagree(format!(
                        "{collection}: {} passages, {} vectors",
                        keys.len(),
                        held.len()
                    )));
                }
            }
            listed.extend(keys);
        }
        let written: BTreeSet<i64> = snapshot.text.all()?.into_iter().collect();
        if written != listed {
            return Err(StoreError::Disagree(format!(
                "{} passages in the catalogue, {} in the text index",
                listed.len(),
                written.len()
            )));
        }
        let mut ids = BTreeSet::new();
        match snapshot.held.iter().find(|held| !ids.insert(&held.document.id)) {
            Some(twice) => Err(StoreError::Disagree(format!("{} is there twice", twice.document.id))),
            None => Ok(()),
        }
    }
}

/// What a file or folder takes on disk.
pub fn bytes_of(path: &Path) -> u64 {
    walkdir::WalkDir::new(path)
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|entry| entry.metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len())
        .sum()
}

/// The manifests among what a workspace's library is made of. One that cannot be read now is left out: what it named when
/// it was indexed still stands, and indexing says what is wrong with it.
pub fn manifests(workspace: &Path) -> Result<Vec<LibraryManifest>, StoreError> {
    let layout = Layout::in_workspace(workspace);
    if !layout.exists() {
        return Ok(Vec::new());
    }
    let named = origins_of(&layout)?.into_iter().filter(|path| path.is_file());
    Ok(named.filter_map(|path| LibraryManifest::read(&path).ok()).collect())
}
