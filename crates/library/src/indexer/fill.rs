use std::collections::HashMap;
use std::sync::Arc;

use plumbline_core::domain::Collection;
use tokio_util::sync::CancellationToken;

use super::embedding::{Tally, indexed_text};
use super::write::{embedded_hash, vector_row};
use super::{IndexError, IndexProgress, IndexReport, Indexer};
use crate::store::StoreError;
use crate::store::catalogue::At;
use crate::store::rows::{NewChunk, Record, TableRow};
use crate::store::vectors::{VectorRow, Vectors};

impl Indexer {
    /// Gives every passage a vector of the embedder in use: the work of changing the embedder. What others made is kept, and
    /// theirs are searched until these are complete.
    pub(super) fn fill(
        &mut self,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
        report: &mut IndexReport,
    ) -> Result<(), IndexError> {
        let Some(key) = self.options.embedder.as_ref().map(|(_, key)| key.clone()) else { return Ok(()) };
        let collections = At::generation(&self.connection, self.generation).counts()?;
        for collection in collections.keys() {
            let name = Vectors::table_name(&Collection::new(collection), key.family, &key.fingerprint);
            let Some(Difference { missing, surplus }) = self.difference(collection, &key.fingerprint)? else {
                continue;
            };
            let total_chunks = missing.len();
            let (mut chunks, mut surplus) = (0, surplus);
            let mut parts = missing.chunks(self.batch_size()).peekable();
            loop {
                let passages = self.passages(parts.next().unwrap_or_default())?;
                let texts = passages.iter().map(|passage| (passage.chunk.embedded.clone(), passage.text()));
                let embedding = |tally: Tally| {
                    let chunks = chunks + tally.embedded + tally.reused;
                    progress(IndexProgress::Writing { files: 0, total_files: 0, chunks, total_chunks });
                };
                let Some((vectors, tally)) = self.vectors_for(&texts.collect(), stop, &embedding)? else {
                    return Ok(());
                };
                report.embedded += tally.embedded;
                report.reused += tally.reused;
                chunks += passages.len();
                let rows = passages.iter().filter_map(|passage| {
                    let vector = vectors.get(&passage.chunk.embedded)?.clone();
                    Some(vector_row(passage.key, &passage.record, &passage.chunk, vector))
                });
                let rows: Vec<VectorRow> = rows.collect();
                let done = parts.peek().is_none();
                let table = Target { collection, fingerprint: &key.fingerprint, name: &name, complete: done };
                self.add_vectors(&table, &std::mem::take(&mut surplus), &rows)?;
                progress(IndexProgress::Committed { generation: self.generation });
                if done {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The passages without a vector and the vectors without a passage; none where the table is complete.
    fn difference(&self, collection: &str, fingerprint: &str) -> Result<Option<Difference>, StoreError> {
        let at = At::generation(&self.connection, self.generation);
        let table = at.tables()?.remove(fingerprint).unwrap_or_default();
        let table = table.into_iter().find(|row| row.collection == collection);
        if table.as_ref().is_some_and(|table| table.complete) {
            return Ok(None);
        }
        let held = match table {
            Some(table) => {
                let keys = async { self.vectors.read(&table.name, table.version).await?.keys().await };
                self.runtime.block_on(keys)?
            }
            None => Default::default(),
        };
        let wanted = at.keys(collection)?;
        let missing = wanted.keys().filter(|key| !held.contains(key)).copied().collect();
        let surplus = held.iter().filter(|key| !wanted.contains_key(key)).copied().collect();
        Ok(Some(Difference { missing, surplus }))
    }

    fn passages(&self, keys: &[i64]) -> Result<Vec<Passage>, StoreError> {
        let at = At::generation(&self.connection, self.generation);
        let mut records: HashMap<i64, Arc<Record>> = HashMap::new();
        let mut passages = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(row) = at.chunk(*key)? else { continue };
            if !records.contains_key(&row.file)
                && let Some(record) = at.record(row.file)?
            {
                records.insert(row.file, Arc::new(record));
            }
            let Some(record) = records.get(&row.file) else { continue };
            let embedded = embedded_hash(record, &row.section_path, &row.text);
            passages.push(Passage { key: *key, record: Arc::clone(record), chunk: row.into_new(embedded) });
        }
        Ok(passages)
    }

    fn add_vectors(
        &mut self,
        table: &Target<'_>,
        surplus: &[i64],
        rows: &[VectorRow],
    ) -> Result<(), StoreError> {
        let next = self.generation + 1;
        let mut tables = At::generation(&self.connection, self.generation).tables()?;
        let kept = tables.entry(table.fingerprint.to_owned()).or_default();
        let from = kept.iter().find(|row| row.collection == table.collection).map(|row| row.version);
        let version = self.runtime.block_on(self.vectors.write(table.name, from, surplus, rows))?;
        kept.retain(|row| row.collection != table.collection);
        kept.extend(version.map(|version| TableRow {
            collection: table.collection.to_owned(),
            name: table.name.to_owned(),
            version,
            complete: table.complete,
        }));
        self.finish(next, tables)
    }
}

/// Keys of passages without a vector, and of vectors without a passage.
struct Difference {
    missing: Vec<i64>,
    surplus: Vec<i64>,
}

/// A passage that lacks a vector.
struct Passage {
    key: i64,
    record: Arc<Record>,
    chunk: NewChunk,
}

impl Passage {
    fn text(&self) -> String {
        indexed_text(&self.record.document.title, &self.chunk.section_path, &self.chunk.text)
    }
}

/// The table that is being filled.
struct Target<'a> {
    collection: &'a str,
    fingerprint: &'a str,
    name: &'a str,
    complete: bool,
}
