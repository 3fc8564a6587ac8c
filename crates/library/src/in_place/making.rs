//! The stores of a shelf, made where it is published: they lie in a folder of the publisher's, and are brought up to date there, so
//! that a change makes few files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeListArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Float32Type, Schema};
use lancedb::index::Index;
use lancedb::index::scalar::BitmapIndexBuilder;
use lancedb::index::vector::IvfPqIndexBuilder;
use lancedb::table::{Duration, OptimizeAction, OptimizeOptions};
use lancedb::{DistanceType, Table};
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use super::directory::TEXT;
use super::shelf::{TABLE, key_in_shelf};
use crate::indexer::text_row;
use crate::sharing::{Export, ExportedDocument, ExportedShelf};
use crate::store::text::TextWriter;
use crate::store::vectors::{Vectors, WRITER_CACHE_BYTES, compact_where_worth_it, one_of};
use crate::store::{Layout, StoreError};

const STATE: &str = "made.json";
const NEAREST: &str = "nearest";
/// So many documents are read at a time, and so many rows written.
const DOCUMENTS_AT_ONCE: usize = 64;
const ROWS_AT_ONCE: usize = 8_192;
/// So many keys go into one condition.
const KEYS_AT_ONCE: usize = 2_000;
/// Fewer vectors are read whole, which is exact and no more than a few pieces.
const INDEXED_FROM: usize = 5_000;
/// How many neighbours make a part of the index: it is about one piece.
const ROWS_PER_PART: u32 = 2_048;
/// So many numbers of a vector become one byte. What the index proposes is all that is looked at, so it has to hold what is
/// nearest: of the ten nearest of 100,000 vectors, 200 of them about as near as each other, the 31 nearest by bytes of 8 numbers
/// hold 6, by bytes of 4 numbers 8 or 9, by bytes of 3 numbers 9 or 10.
const NUMBERS_A_BYTE: usize = 3;
/// So many additions to the index stand beside it before they become one with it.
const MOST_ADDITIONS: usize = 8;
/// Segments of words: a question asks each of them.
const MOST_SEGMENTS: usize = 4;

/// The stores of a shelf, as they are published.
#[derive(Debug, Clone)]
pub struct MadeShelf {
    /// The version of its table of vectors; none where it has no passages.
    pub version: Option<u64>,
    /// What each document is called in them, and how many passages it has; by its digest.
    pub documents: BTreeMap<String, (u64, u32)>,
    /// Their files, each with its name.
    pub files: Vec<(String, PathBuf)>,
}

/// What a folder holds.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    fingerprint: String,
    numbers_a_byte: usize,
    /// The text index's generation, and the table's version.
    generation: u64,
    version: Option<u64>,
    next: u64,
    documents: BTreeMap<String, (u64, u32)>,
}

/// A row of the table.
struct Row {
    key: i64,
    collection: String,
    vector: Vec<f32>,
}

impl Export {
    /// Brings the stores of a shelf in a folder up to date.
    pub async fn make_stores(&self, shelf: &ExportedShelf, folder: &Path) -> Result<MadeShelf, StoreError> {
        let mut making = match Making::open(folder, &self.fingerprint).await? {
            Some(making) => making,
            // It is of another embedder or version, or whoever wrote to it was interrupted.
            None => {
                fs::remove_dir_all(folder).map_err(|source| StoreError::io(folder, source))?;
                Making::open(folder, &self.fingerprint).await?.ok_or_else(|| {
                    StoreError::Disagree(format!("{} cannot be made anew", folder.display()))
                })?
            }
        };
        let wanted: BTreeSet<&String> = shelf.documents.iter().map(|document| &document.digest).collect();
        let gone = making.state.documents.keys().filter(|digest| !wanted.contains(digest)).cloned();
        let gone: Vec<String> = gone.collect();
        let known = &making.state.documents;
        let new: Vec<&ExportedDocument> =
            shelf.documents.iter().filter(|document| !known.contains_key(&document.digest)).collect();
        if !gone.is_empty() || !new.is_empty() {
            making.take_out(&gone).await?;
            for documents in new.chunks(DOCUMENTS_AT_ONCE) {
                making.add(self, documents).await?;
            }
            making.finish().await?;
        }
        making.made()
    }
}

struct Making {
    folder: PathBuf,
    layout: Layout,
    state: State,
    text: TextWriter,
    vectors: Vectors,
    table: Option<Table>,
    rows: Vec<Row>,
}

impl Making {
    /// The stores as they were finished last; none where they are not as they were then.
    async fn open(folder: &Path, fingerprint: &str) -> Result<Option<Self>, StoreError> {
        let layout = Layout { root: folder.to_owned() };
        layout.create()?;
        let text = fs::read(folder.join(STATE)).ok();
        let state: Option<State> = text.and_then(|text| serde_json::from_slice(&text).ok());
        let state = state.unwrap_or_else(|| State {
            fingerprint: fingerprint.to_owned(),
            numbers_a_byte: NUMBERS_A_BYTE,
            ..State::default()
        });
        let (text, vectors) = (TextWriter::open(&layout)?, Vectors::open(&layout, WRITER_CACHE_BYTES).await?);
        let table = vectors.table_if_any(TABLE).await?;
        let version = match &table {
            Some(table) => Some(table.version().await?),
            None => None,
        };
        let as_it_was = (text.generation()?, version, fingerprint, NUMBERS_A_BYTE)
            == (state.generation, state.version, state.fingerprint.as_str(), state.numbers_a_byte);
        let (folder, rows) = (folder.to_owned(), Vec::new());
        Ok(as_it_was.then_some(Self { folder, layout, state, text, vectors, table, rows }))
    }

    async fn take_out(&mut self, digests: &[String]) -> Result<(), StoreError> {
        let gone = digests.iter().filter_map(|digest| self.state.documents.remove(digest));
        let keys = gone.flat_map(|(number, count)| (0..count).map(move |at| key_in_shelf(number, at)));
        let keys: Vec<i64> = keys.collect();
        keys.iter().for_each(|key| self.text.delete(*key));
        if let Some(table) = &self.table {
            for keys in keys.chunks(KEYS_AT_ONCE) {
                table.delete(one_of("key", keys.iter()).as_str()).await?;
            }
        }
        Ok(())
    }

    async fn add(&mut self, export: &Export, documents: &[&ExportedDocument]) -> Result<(), StoreError> {
        let loaded = export.load(documents).await?;
        for (document, shared) in documents.iter().zip(loaded) {
            let record = export.record(document);
            let number = self.state.next;
            self.state.next += 1;
            let chunks = shared.content.chunks();
            let count = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
            self.state.documents.insert(document.digest.clone(), (number, count));
            for (chunk, vector) in chunks.iter().zip(shared.vectors) {
                let key = key_in_shelf(number, chunk.position);
                self.text.add(text_row(key, record, chunk))?;
                let collection = record.document.collection.as_str().to_owned();
                self.rows.push(Row { key, collection, vector });
            }
            if self.rows.len() >= ROWS_AT_ONCE {
                self.write_rows().await?;
            }
        }
        Ok(())
    }

    async fn write_rows(&mut self) -> Result<(), StoreError> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let batch = batch_of(&rows)?;
        match &self.table {
            Some(table) => {
                table.add(batch).execute().await?;
            }
            None => self.table = Some(self.vectors.create(TABLE, batch).await?),
        }
        Ok(())
    }

    /// Indexes what is new, throws old versions away, and keeps what the stores hold.
    async fn finish(&mut self) -> Result<(), StoreError> {
        self.write_rows().await?;
        if let Some(table) = &self.table {
            compact_where_worth_it(table).await?;
            index(table).await?;
            // There is one publisher in this folder, so no file is part of a transaction in progress.
            let prune = OptimizeAction::Prune {
                older_than: Some(Duration::zero()),
                delete_unverified: Some(true),
                error_if_tagged_old_versions: Some(false),
            };
            table.optimize(prune).await?;
            self.state.version = Some(table.version().await?);
        }
        self.state.generation += 1;
        self.text.commit(self.state.generation)?;
        self.text.tend_to(MOST_SEGMENTS)?;
        let (path, beside) = (self.folder.join(STATE), self.folder.join(format!("{STATE}.new")));
        let written = fs::write(&beside, serde_json::to_vec(&self.state)?);
        written.and_then(|()| fs::rename(&beside, &path)).map_err(|source| StoreError::io(&path, source))
    }

    fn made(self) -> Result<MadeShelf, StoreError> {
        let mut files = Vec::new();
        for (name, folder) in [(TEXT, self.layout.text()), ("vectors", self.layout.vectors())] {
            for entry in WalkDir::new(&folder).sort_by_file_name() {
                let entry = entry.map_err(|problem| StoreError::Disagree(problem.to_string()))?;
                let Ok(relative) = entry.path().strip_prefix(&folder) else { continue };
                let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
                // Locks, and what only a writer needs.
                let is_hidden = parts.iter().any(|part| part.starts_with('.'));
                if entry.file_type().is_file() && !is_hidden {
                    files.push((format!("{name}/{}", parts.join("/")), entry.path().to_owned()));
                }
            }
        }
        Ok(MadeShelf { version: self.state.version, documents: self.state.documents, files })
    }
}

/// Indexes a table that is large enough. What came since stands beside the index until there is much of it.
async fn index(table: &Table) -> Result<(), StoreError> {
    let rows = table.count_rows(None).await?;
    if rows < INDEXED_FROM {
        return Ok(());
    }
    let known = table.index_stats(NEAREST).await?;
    match known {
        Some(known) if known.num_unindexed_rows * 4 <= rows => {
            let additions = known.num_indices.unwrap_or(1) as usize;
            let how = match additions > MOST_ADDITIONS {
                true => OptimizeOptions::merge(additions),
                false => OptimizeOptions::append(),
            };
            table.optimize(OptimizeAction::Index(how)).await?;
        }
        _ => {
            let dimensions = match table.schema().await?.field_with_name("vector")?.data_type() {
                DataType::FixedSizeList(_, dimensions) => usize::try_from(*dimensions).unwrap_or_default(),
                _ => 0,
            };
            let bytes = u32::try_from(bytes_of_a_vector(dimensions)).unwrap_or(1);
            let parts = IvfPqIndexBuilder::default()
                .distance_type(DistanceType::Dot)
                .num_sub_vectors(bytes)
                .target_partition_size(ROWS_PER_PART);
            let nearest = table.create_index(&["vector"], Index::IvfPq(parts)).name(NEAREST.to_owned());
            nearest.replace(true).execute().await?;
            let collections = Index::Bitmap(BitmapIndexBuilder::default());
            table.create_index(&["collection"], collections).replace(true).execute().await?;
        }
    }
    Ok(())
}

/// How many bytes a vector becomes in the index: the numbers of each must be as many.
fn bytes_of_a_vector(dimensions: usize) -> usize {
    let most = (dimensions / NUMBERS_A_BYTE).max(1);
    (1..=most).rev().find(|bytes| dimensions.is_multiple_of(*bytes)).unwrap_or(1)
}

fn batch_of(rows: &[Row]) -> Result<RecordBatch, StoreError> {
    let dimensions = i32::try_from(rows.first().map_or(0, |row| row.vector.len())).unwrap_or(i32::MAX);
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let schema = Schema::new(vec![
        Field::new("key", DataType::Int64, false),
        Field::new("collection", DataType::Utf8, false),
        Field::new("vector", DataType::FixedSizeList(item, dimensions), false),
    ]);
    let vectors = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(
        rows.iter().map(|row| Some(row.vector.iter().copied().map(Some))),
        dimensions,
    );
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.key))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.collection))),
        Arc::new(vectors),
    ];
    Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_cut_into_equal_pieces_whatever_its_length() {
        assert_eq!(bytes_of_a_vector(384), 128);
        assert_eq!(bytes_of_a_vector(1_020), 340);
        assert_eq!(bytes_of_a_vector(1_024), 256, "four numbers each, where three do not fit");
        assert_eq!(bytes_of_a_vector(7), 1);
    }
}
