use std::collections::{BTreeMap, HashMap};

use plumbline_core::domain::{Collection, SourceId};
use tokio_util::sync::CancellationToken;

use super::change::Change;
use super::embedding::{Tally, VectorsByEmbedder, hash_of, indexed_text};
use super::{EMBEDDED_BATCH, IndexError, IndexProgress, IndexReport, Indexer, PLAIN_BATCH, TEND_EVERY};
use crate::analysis;
use crate::library::EmbedderKey;
use crate::store::StoreError;
use crate::store::catalogue::{At, KeysByCollection, Staged};
use crate::store::rows::{NewChunk, Record, TableRow};
use crate::store::text::TextRow;
use crate::store::vectors::{VectorRow, Vectors};

/// Rows that a generation brings to a collection's vectors, by the embedder's fingerprint, and keys that it takes away.
#[derive(Default)]
struct Shift {
    add: HashMap<String, Vec<VectorRow>>,
    delete: Vec<i64>,
    moved: bool,
}

impl Indexer {
    /// Makes generations of the changes until they are all done or it is told to stop.
    pub(super) fn apply(
        &mut self,
        mut changes: Vec<Change>,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
        report: &mut IndexReport,
    ) -> Result<(), IndexError> {
        changes.sort_by_key(|change| !change.frees_an_id());
        let (total_files, total_chunks) =
            (changes.len(), changes.iter().map(|change| change.chunks().len()).sum());
        let (mut files, mut chunks) = (0, 0);
        let mut changes = changes.into_iter().peekable();
        while changes.peek().is_some() && !stop.is_cancelled() {
            let mut batch: Vec<Change> = Vec::new();
            let mut size = 0;
            while let Some(change) =
                changes.next_if(|change| change.frees_an_id() || size < self.batch_size())
            {
                size += change.chunks().len();
                batch.push(change);
            }
            let texts = match self.options.embedder {
                Some(_) => batch.iter().flat_map(texts_of).collect(),
                None => HashMap::new(),
            };
            let embedding = |tally: Tally| {
                let chunks = chunks + tally.embedded + tally.reused;
                progress(IndexProgress::Writing { files, total_files, chunks, total_chunks });
            };
            let Some((vectors, tally)) = self.all_vectors_for(&texts, stop, &embedding)? else { break };
            self.write(&batch, &vectors)?;
            report.embedded += tally.embedded;
            report.reused += tally.reused;
            (files, chunks) = (files + batch.len(), chunks + size);
            progress(IndexProgress::Writing { files, total_files, chunks, total_chunks });
            progress(IndexProgress::Committed { generation: self.generation });
            if self.generation.is_multiple_of(TEND_EVERY) {
                self.tend()?;
            }
        }
        Ok(())
    }

    /// How many passages make a generation: with an embedder what takes a few seconds, so that a kill costs no more.
    pub(super) fn batch_size(&self) -> usize {
        if self.options.embedder.is_some() { EMBEDDED_BATCH } else { PLAIN_BATCH }
    }

    /// One generation: staged in the catalogue, written to the vectors, and made by the commit of the text index.
    pub(super) fn write(&mut self, batch: &[Change], vectors: &VectorsByEmbedder) -> Result<(), StoreError> {
        let next = self.generation + 1;
        match self.try_write(batch, vectors, next) {
            Ok(()) => Ok(()),
            Err(error) => {
                // The next attempt begins from the last complete generation.
                self.text.rollback()?;
                crate::store::catalogue::roll_back(&mut self.connection, self.generation)?;
                Err(error)
            }
        }
    }

    fn try_write(
        &mut self,
        batch: &[Change],
        vectors: &VectorsByEmbedder,
        next: u64,
    ) -> Result<(), StoreError> {
        let mut shifts: BTreeMap<Collection, Shift> = BTreeMap::new();
        let staged = Staged::begin(&mut self.connection, next)?;
        let mut gone = |keys: KeysByCollection| {
            for (collection, keys) in keys {
                for key in &keys {
                    self.text.delete(*key);
                }
                let shift = shifts.entry(Collection::new(collection)).or_default();
                shift.moved |= !keys.is_empty();
                shift.delete.extend(keys);
            }
        };
        for change in batch {
            match change {
                Change::End { file } => gone(staged.end_file(*file)?),
                Change::Write(written) => {
                    if let Some(file) = written.replaces {
                        gone(staged.end_file(file)?);
                    }
                }
                Change::Restate { file, chunks, .. } => {
                    staged.end_document(*file)?;
                    if chunks.is_some() {
                        gone(staged.end_chunks(*file)?);
                    }
                }
                Change::Follow { address, library } => staged.set_team(address, library.as_deref())?,
            }
        }
        for change in batch {
            let (file, record, chunks) = match change {
                Change::End { .. } | Change::Follow { .. } => continue,
                Change::Write(written) => {
                    let file = staged.add_file(&written.file)?;
                    let Some(record) = &written.record else { continue };
                    (file, record, Some(&written.chunks))
                }
                Change::Restate { file, record, chunks } => (*file, record.as_ref(), chunks.as_ref()),
            };
            staged.add_document(file, record)?;
            let collection = &record.document.collection;
            for chunk in chunks.into_iter().flatten() {
                let key = staged.add_chunk(file, collection.as_str(), chunk)?;
                self.text.add(text_row(key, record, chunk))?;
                let shift = shifts.entry(collection.clone()).or_default();
                // Also where nobody made a vector of it: whoever has vectors of this collection lacks one now.
                shift.moved = true;
                for (fingerprint, vectors) in vectors {
                    if let Some(vector) = vectors.get(&chunk.embedded) {
                        let row = vector_row(key, record, chunk, vector.clone());
                        shift.add.entry(fingerprint.clone()).or_default().push(row);
                    }
                }
            }
        }
        staged.commit()?;
        let tables = self.write_vectors(next, &shifts)?;
        self.finish(next, tables)
    }

    /// Records the tables, makes the generation, and reads back what was written.
    pub(super) fn finish(
        &mut self,
        next: u64,
        tables: BTreeMap<String, Vec<TableRow>>,
    ) -> Result<(), StoreError> {
        let staged = Staged::begin(&mut self.connection, next)?;
        for (fingerprint, rows) in &tables {
            for row in rows {
                staged.set_table(fingerprint, row)?;
            }
        }
        let chunks = staged.close(&self.options.clock.now().to_string())?;
        self.text.commit(next)?;
        self.generation = next;
        let counted = self.text.count()?;
        if counted != chunks {
            return Err(StoreError::Disagree(format!(
                "{chunks} passages were written and the text index counts {counted}"
            )));
        }
        Ok(())
    }

    /// Brings the tables of the embedders at work along, and marks those of others that no longer hold everything.
    fn write_vectors(
        &self,
        next: u64,
        shifts: &BTreeMap<Collection, Shift>,
    ) -> Result<BTreeMap<String, Vec<TableRow>>, StoreError> {
        let mut tables = At::generation(&self.connection, self.generation).tables()?;
        let counts = At::generation(&self.connection, next).counts()?;
        let moved =
            |collection: &str| shifts.get(&Collection::new(collection)).is_some_and(|shift| shift.moved);
        for (fingerprint, rows) in &mut tables {
            if self.makers().all(|(_, key)| key.fingerprint != *fingerprint) {
                for row in rows {
                    row.complete &= !moved(&row.collection);
                }
            }
        }
        for (_, key) in self.makers() {
            let rows = tables.entry(key.fingerprint.clone()).or_default();
            self.shift_tables(key, rows, shifts, &counts)?;
        }
        Ok(tables)
    }

    /// Brings the tables of one embedder along.
    fn shift_tables(
        &self,
        key: &EmbedderKey,
        rows: &mut Vec<TableRow>,
        shifts: &BTreeMap<Collection, Shift>,
        counts: &BTreeMap<String, u64>,
    ) -> Result<(), StoreError> {
        for (collection, shift) in shifts {
            let known = rows.iter().position(|row| row.collection == collection.as_str());
            let name = Vectors::table_name(collection, key.family, &key.fingerprint);
            let from = known.map(|at| rows[at].version);
            let add = shift.add.get(&key.fingerprint).map(Vec::as_slice).unwrap_or_default();
            let writing = self.vectors.write(&name, from, &shift.delete, add);
            let version = self.runtime.block_on(writing)?;
            let expected = counts.get(collection.as_str()).copied().unwrap_or(0);
            if let Some(at) = known {
                rows.remove(at);
            }
            let Some(version) = version else { continue };
            let reading = async { self.vectors.read(&name, version).await?.count().await };
            let counted = self.runtime.block_on(reading)? as u64;
            if counted > expected {
                return Err(StoreError::Disagree(format!(
                    "{} has {expected} passages and {counted} vectors",
                    collection.as_str()
                )));
            }
            rows.push(TableRow {
                collection: collection.as_str().to_owned(),
                name,
                version,
                complete: counted == expected,
            });
        }
        rows.sort_by(|a, b| a.collection.cmp(&b.collection));
        Ok(())
    }
}

/// The texts to embed for a change, by their hashes.
fn texts_of(change: &Change) -> HashMap<String, String> {
    let record = match change {
        Change::End { .. } | Change::Follow { .. } => return HashMap::new(),
        Change::Write(written) => written.record.as_ref(),
        Change::Restate { record, .. } => Some(record.as_ref()),
    };
    let Some(record) = record else { return HashMap::new() };
    let text = |chunk: &NewChunk| indexed_text(&record.document.title, &chunk.section_path, &chunk.text);
    change.chunks().iter().map(|chunk| (chunk.embedded.clone(), text(chunk))).collect()
}

pub(super) fn embedded_hash(record: &Record, section_path: &[String], text: &str) -> String {
    hash_of(&indexed_text(&record.document.title, section_path, text))
}

pub(crate) fn text_row(key: i64, record: &Record, chunk: &NewChunk) -> TextRow {
    let document = &record.document;
    let text = indexed_text(&document.title, &chunk.section_path, &chunk.text);
    TextRow {
        key,
        tenant: crate::store::audience::tenant_or_default(&record.tenant).to_owned(),
        access: record.access(),
        collection: document.collection.as_str().to_owned(),
        id: document.id.as_str().to_owned(),
        title: analysis::exact(&document.title),
        terms: analysis::passage_terms(&text, chunk.language),
    }
}

pub(super) fn vector_row(key: i64, record: &Record, chunk: &NewChunk, vector: Vec<f32>) -> VectorRow {
    VectorRow {
        key,
        source_id: SourceId::new(record.document.id.clone(), chunk.position).to_string(),
        tenant: crate::store::audience::tenant_or_default(&record.tenant).to_owned(),
        access: record.access(),
        text: chunk.text.clone(),
        vector,
    }
}
