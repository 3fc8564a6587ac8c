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
    /// Gives every chunk a vector of the embedder in use: the work of changing the embedder. What others made is kept, and
    /// theirs are searched until these are complete.
    pub(super) fn fill(
        &mut self,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
        report: &mut IndexReport,
    ) -> Result<(), IndexError> {
        let Some(maker) = self.options.embedder.clone() else { return Ok(()) };
        let key = &maker.1;
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
                let unembedded = self.unembedded(parts.next().unwrap_or_default())?;
                let texts = unembedded.iter().map(|one| (one.chunk.embedded.clone(), one.text()));
                let embedding = |tally: Tally| {
                    let chunks = chunks + tally.embedded + tally.reused;
                    progress(IndexProgress::Writing { files: 0, total_files: 0, chunks, total_chunks });
                };
                let Some((vectors, tally)) = self.vectors_for(&maker, &texts.collect(), stop, &embedding)?
                else {
                    return Ok(());
                };
                report.embedded += tally.embedded;
                report.reused += tally.reused;
                chunks += unembedded.len();
                let rows = unembedded.iter().filter_map(|one| {
                    let vector = vectors.get(&one.chunk.embedded)?.clone();
                    Some(vector_row(one.key, &one.record, &one.chunk, vector))
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

    /// The chunks without a vector and the vectors without a chunk; none where the table is complete.
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

    fn unembedded(&self, keys: &[i64]) -> Result<Vec<UnembeddedChunk>, StoreError> {
        let at = At::generation(&self.connection, self.generation);
        let mut records: HashMap<i64, Arc<Record>> = HashMap::new();
        let mut unembedded = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(row) = at.chunk(*key)? else { continue };
            if !records.contains_key(&row.file)
                && let Some(record) = at.record(row.file)?
            {
                records.insert(row.file, Arc::new(record));
            }
            let Some(record) = records.get(&row.file) else { continue };
            let embedded = embedded_hash(record, &row.section_path, &row.text);
            unembedded.push(UnembeddedChunk {
                key: *key,
                record: Arc::clone(record),
                chunk: row.into_new(embedded),
            });
        }
        Ok(unembedded)
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

/// Keys of chunks without a vector, and of vectors without a chunk.
struct Difference {
    missing: Vec<i64>,
    surplus: Vec<i64>,
}

/// A chunk that lacks a vector.
struct UnembeddedChunk {
    key: i64,
    record: Arc<Record>,
    chunk: NewChunk,
}

impl UnembeddedChunk {
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
