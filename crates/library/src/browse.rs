//! The library as a reader leafs through it: documents with their passages, and where their files lie.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use plumbline_core::domain::{Chunk, DocumentId};
use plumbline_core::ports::Scope;
use plumbline_core::records;

use crate::library::Library;
use crate::store::StoreError;
use crate::store::rows::Record;
use crate::store::snapshot::Held;

/// A document in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct BrowsedDocument {
    /// What the catalogue keeps of it.
    pub record: Record,
    /// The hash of its file.
    pub sha256: String,
    /// How many passages it has.
    pub passages: u32,
}

impl Library {
    /// All documents that a user may see and that can be listed or found, in the order of lists.
    pub async fn documents(&self, scope: &Scope) -> Result<Vec<BrowsedDocument>, StoreError> {
        let snapshot = self.snapshot().await?;
        let (files, passages) = snapshot.read(|at| Ok((at.files()?, at.passages_by_file()?)))?;
        let hashes: HashMap<i64, String> = files.into_iter().map(|file| (file.id, file.sha256)).collect();
        let shown = snapshot.visible(scope).filter(|held| is_shown(held));
        let mut documents: Vec<BrowsedDocument> = shown
            .map(|held| BrowsedDocument {
                record: held.record.clone(),
                sha256: hashes.get(&held.file).cloned().unwrap_or_default(),
                passages: snapshot
                    .passages_away(held.file)
                    .or_else(|| passages.get(&held.file).copied())
                    .unwrap_or(0),
            })
            .collect();
        documents.sort_by(|a, b| records::list_order(&a.record.document, &b.record.document));
        Ok(documents)
    }

    /// One document, if it is among those that [`Library::documents`] gives.
    pub async fn document_by_id(
        &self,
        id: &DocumentId,
        scope: &Scope,
    ) -> Result<Option<BrowsedDocument>, StoreError> {
        let snapshot = self.snapshot().await?;
        let Some(held) = snapshot.document(id, scope).filter(|held| is_shown(held)) else { return Ok(None) };
        let (sha256, passages) =
            snapshot.read(|at| Ok((at.file_hash(held.file)?, at.passages_in(held.file)?)))?;
        let (record, sha256) = (held.record.clone(), sha256.unwrap_or_default());
        let passages = snapshot.passages_away(held.file).unwrap_or(passages);
        Ok(Some(BrowsedDocument { record, sha256, passages }))
    }

    /// The hashes of these documents' files; those that a user may not see, or that are not there, are left out.
    pub async fn file_hashes(
        &self,
        ids: &BTreeSet<DocumentId>,
        scope: &Scope,
    ) -> Result<BTreeMap<DocumentId, String>, StoreError> {
        let snapshot = self.snapshot().await?;
        let held = ids.iter().filter_map(|id| snapshot.document(id, scope).filter(|held| is_shown(held)));
        snapshot.read(|at| {
            let mut hashes = BTreeMap::new();
            for held in held {
                hashes.insert(held.document.id.clone(), at.file_hash(held.file)?.unwrap_or_default());
            }
            Ok(hashes)
        })
    }

    /// The passages of a document, in order; none where a user may not see it.
    pub async fn passages(&self, id: &DocumentId, scope: &Scope) -> Result<Vec<Arc<Chunk>>, StoreError> {
        let snapshot = self.snapshot().await?;
        let Some(held) = snapshot.document(id, scope) else { return Ok(Vec::new()) };
        let chunks = snapshot.all_chunks_of(held, snapshot.until()).await?;
        Ok(chunks.into_iter().map(|(_, chunk, _)| chunk).collect())
    }
}

/// Whether a document can be listed or found.
fn is_shown(held: &Held) -> bool {
    held.record.listed || held.record.searched
}
