//! A generation, cut into shelves by who may see what.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use plumbline_core::domain::Collection;
use plumbline_core::messages::Message;

use super::entry::{SharedEntry, put_on_shelves};
use super::{SharedContent, SharedDocument, SharedPassage, digest};
use crate::library::Library;
use crate::store::StoreError;
use crate::store::audience::tenant_or_default;
use crate::store::rows::{FileRow, Record};
use crate::store::snapshot::{Held, Snapshot};
use crate::store::team;

/// A generation to be published. It is held as long as this lives.
pub struct Export {
    pub(super) snapshot: Arc<Snapshot>,
    files: HashMap<i64, FileRow>,
    /// Whose vectors they are.
    pub fingerprint: String,
    /// What the library is cut into.
    pub shelves: Vec<ExportedShelf>,
    /// Entries of curated memory that are on no shelf: nobody may read all that they point at.
    pub entries_left_out: usize,
}

/// The documents that the same people may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedShelf {
    /// Whose they are.
    pub tenant: String,
    /// Who may see them; everybody where empty.
    pub access_tags: Vec<String>,
    /// In the order of their ids.
    pub documents: Vec<ExportedDocument>,
    /// Curated memory that points at them.
    pub entries: Vec<SharedEntry>,
}

/// A document to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedDocument {
    /// Names it as it is.
    pub digest: String,
    /// About what it takes in a part.
    pub bytes: usize,
    pub(super) at: usize,
}

impl Library {
    /// The newest complete generation as others may have it: documents of folders, not those of libraries that others publish.
    pub async fn export(&self) -> Result<Export, StoreError> {
        let snapshot = self.snapshot().await?;
        let tables = snapshot.tables.as_ref().map_err(|problem| StoreError::NoVectors(problem.clone()))?;
        let Some(fingerprint) = self.fingerprint() else {
            return Err(StoreError::NoVectors(Message::StoreNoEmbedder.into()));
        };
        let mut dimensions = 0;
        for table in tables.values() {
            dimensions = table.dimensions().await?.max(dimensions);
        }
        let (files, elsewhere) = (snapshot.read(|at| at.files())?, team::names(&snapshot.team));
        let files: HashMap<i64, FileRow> = files.into_iter().map(|file| (file.id, file)).collect();
        let mut export = Export {
            fingerprint: fingerprint.to_owned(),
            files,
            shelves: Vec::new(),
            entries_left_out: 0,
            snapshot,
        };
        let mut shelves: BTreeMap<(String, BTreeSet<String>), Vec<ExportedDocument>> = BTreeMap::new();
        for (at, held) in export.snapshot.held.iter().enumerate() {
            if elsewhere.contains(&held.record.source) {
                continue;
            }
            let Some((content, line)) = export.written(held)? else { continue };
            let document = ExportedDocument {
                digest: digest(&export.fingerprint, &line),
                bytes: line.len() + content.passages.len() * dimensions * size_of::<f32>(),
                at,
            };
            let tags = held.record.access_tags.iter().map(|tag| tag.trim().to_owned());
            let tags: BTreeSet<String> = tags.filter(|tag| !tag.is_empty()).collect();
            let tenant = tenant_or_default(&held.record.tenant).to_owned();
            shelves.entry((tenant, tags)).or_default().push(document);
        }
        let shelf = |((tenant, tags), documents): ((String, BTreeSet<String>), _)| ExportedShelf {
            tenant,
            access_tags: tags.into_iter().collect(),
            documents,
            entries: Vec::new(),
        };
        export.shelves = shelves.into_iter().map(shelf).collect();
        export.entries_left_out = put_on_shelves(self, &mut export).await?;
        Ok(export)
    }
}

impl Export {
    /// What the catalogue keeps of a document.
    pub(crate) fn record(&self, document: &ExportedDocument) -> &Record {
        &self.snapshot.held[document.at].record
    }

    /// These documents, ready to travel.
    pub async fn load(&self, documents: &[&ExportedDocument]) -> Result<Vec<SharedDocument>, StoreError> {
        let held: Vec<&Held> = documents.iter().map(|document| &self.snapshot.held[document.at]).collect();
        let mut keys: Vec<Vec<i64>> = Vec::with_capacity(held.len());
        for held in &held {
            keys.push(self.snapshot.chunks_of(held)?.into_iter().map(|(key, _)| key).collect());
        }
        let mut vectors = self.vectors(&held, &keys).await?;
        let mut loaded = Vec::with_capacity(held.len());
        for (held, keys) in held.into_iter().zip(keys) {
            let Some((_, line)) = self.written(held)? else { continue };
            let vector = |key: &i64| {
                vectors.remove(key).ok_or_else(|| {
                    StoreError::Disagree(format!("a passage of {} has no vector", held.document.id))
                })
            };
            let own = keys.iter().map(vector).collect::<Result<_, _>>()?;
            loaded.push(SharedDocument::new(line, own)?);
        }
        Ok(loaded)
    }

    /// The vectors of all these documents' passages: each table is read once, since a read costs much and a row in it little.
    async fn vectors(&self, held: &[&Held], keys: &[Vec<i64>]) -> Result<HashMap<i64, Vec<f32>>, StoreError> {
        let mut wanted: BTreeMap<&Collection, Vec<i64>> = BTreeMap::new();
        for (held, keys) in held.iter().zip(keys) {
            wanted.entry(&held.document.collection).or_default().extend(keys);
        }
        let mut vectors = HashMap::new();
        let Ok(tables) = &self.snapshot.tables else { return Ok(vectors) };
        for (collection, keys) in wanted {
            if let Some(table) = tables.get(collection) {
                vectors.extend(table.vectors(&keys).await?);
            }
        }
        Ok(vectors)
    }

    /// A document as it is published; none for one whose file says nothing of it.
    fn written(&self, held: &Held) -> Result<Option<(SharedContent, String)>, StoreError> {
        let Some(file) = self.files.get(&held.file) else { return Ok(None) };
        let Some(identity) = &file.identity else { return Ok(None) };
        let (rows, embedded) =
            self.snapshot.read(|at| Ok((at.chunks_of(held.file)?, at.embedded_of(held.file)?)))?;
        let passages = rows.into_iter().zip(embedded).map(|(row, embedded)| SharedPassage {
            text: row.text,
            section_path: row.section_path,
            page: row.page,
            span: row.span,
            language: row.language,
            embedded,
        });
        let content = SharedContent {
            identity: serde_json::from_str(identity)?,
            sha256: file.sha256.clone(),
            bytes: file.bytes,
            reading: file.reading,
            warnings: file.warnings.clone(),
            passages: passages.collect(),
        };
        let line = serde_json::to_string(&content)?;
        Ok(Some((content, line)))
    }
}
