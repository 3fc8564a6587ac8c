//! Vectors in LanceDB: a table per collection and embedder, read at the version that a generation recorded.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Float32Type, Schema};
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::table::{CompactionOptions, Duration, OptimizeAction};
use lancedb::{Connection, DistanceType, ObjectStoreRegistry, Session, Table};
use plumbline_core::domain::{Collection, EmbedderFamily};
use tokio::sync::OnceCell;

use super::vector_index::{self, VectorIndexRules};
use super::{Layout, StoreError};

/// Bytes of an index that a reader may keep: the vectors of 160,000 passages. A search that finds them there takes less memory
/// than one that reads the table.
pub(crate) const READER_CACHE_BYTES: usize = 256 << 20;
/// Bytes of an index that a writer may keep; it does not search.
pub(crate) const WRITER_CACHE_BYTES: usize = 8 << 20;
/// Bytes that it may keep of what describes tables and files.
const METADATA_CACHE_BYTES: usize = 32 << 20;
/// So many names go into one condition.
const NAMES_AT_ONCE: usize = 2_000;
/// Pieces with fewer rows are put together when there are more of them than the next number says. Larger ones are left alone,
/// so that a table that grows is not written anew each time.
const SMALL_FRAGMENT: usize = 32_768;
const MAX_SMALL_FRAGMENTS: usize = 12;
/// So much of a table may be deleted rows before it is rewritten.
const MAX_DELETED_SHARE: f64 = 0.2;

/// A passage as its vector table holds it.
#[derive(Debug, Clone)]
pub(crate) struct VectorRow {
    pub key: i64,
    pub source_id: String,
    pub tenant: String,
    pub access: String,
    pub text: String,
    pub vector: Vec<f32>,
}

/// All vector tables of a library.
#[derive(Clone)]
pub(crate) struct Vectors {
    connection: Connection,
    /// From when on a table that is written is indexed.
    pub rules: VectorIndexRules,
}

impl Vectors {
    pub async fn open(layout: &Layout, cache_bytes: usize) -> Result<Self, StoreError> {
        let session =
            Session::new(cache_bytes, METADATA_CACHE_BYTES, Arc::new(ObjectStoreRegistry::default()));
        let connection = lancedb::connect(&layout.vectors().to_string_lossy())
            .session(Arc::new(session))
            .execute()
            .await?;
        Ok(Self { connection, rules: VectorIndexRules::default() })
    }

    /// The tables at a place that a session of LanceDB's knows.
    pub async fn far(place: &str, session: &Arc<Session>) -> Result<Self, StoreError> {
        let connection = lancedb::connect(place).session(Arc::clone(session)).execute().await?;
        Ok(Self { connection, rules: VectorIndexRules::default() })
    }

    /// The newest version of a table, for writing.
    pub async fn table_if_any(&self, name: &str) -> Result<Option<Table>, StoreError> {
        match self.names().await?.contains(name) {
            true => Ok(Some(self.connection.open_table(name).execute().await?)),
            false => Ok(None),
        }
    }

    /// Makes a table of these rows.
    pub async fn create(&self, name: &str, rows: RecordBatch) -> Result<Table, StoreError> {
        Ok(self.connection.create_table(name, rows).execute().await?)
    }

    /// The name of a table: whose passages, and whose vectors.
    pub fn table_name(collection: &Collection, family: EmbedderFamily, fingerprint: &str) -> String {
        let plain: String =
            fingerprint.chars().filter(char::is_ascii_alphanumeric).take(12).collect::<String>();
        format!("{}_{plain}", slug(&collection.qualified(family)))
    }

    /// Makes a table stand at `from`, deletes and adds rows, and gives the version that holds the result.
    pub async fn write(
        &self,
        name: &str,
        from: Option<u64>,
        delete: &[i64],
        add: &[VectorRow],
    ) -> Result<Option<u64>, StoreError> {
        let mut table = self.at_version(name, from).await?;
        if let Some(table) = &table {
            for keys in delete.chunks(NAMES_AT_ONCE) {
                table.delete(one_of("key", keys.iter()).as_str()).await?;
            }
        }
        for rows in add.chunks(NAMES_AT_ONCE) {
            let batch = batch_of(rows)?;
            match &table {
                Some(table) => {
                    table.add(batch).execute().await?;
                }
                None => table = Some(self.create(name, batch).await?),
            }
        }
        let Some(table) = table else { return Ok(None) };
        compact_where_worth_it(&table).await?;
        vector_index::keep(&table, self.rules).await?;
        Ok(Some(table.version().await?))
    }

    /// The table at a version, for writing. What a killed writer left above that version is undone.
    async fn at_version(&self, name: &str, version: Option<u64>) -> Result<Option<Table>, StoreError> {
        let exists = self.names().await?.contains(name);
        match version {
            None if exists => {
                self.connection.drop_table(name, &[]).await?;
                Ok(None)
            }
            None => Ok(None),
            Some(version) => {
                let table = self.connection.open_table(name).execute().await?;
                if table.version().await? != version {
                    table.checkout(version).await?;
                    table.restore().await?;
                }
                Ok(Some(table))
            }
        }
    }

    /// The table at a version, for reading.
    pub async fn read(&self, name: &str, version: u64) -> Result<VectorTable, StoreError> {
        let table = self.connection.open_table(name).execute().await?;
        table.checkout(version).await?;
        Ok(VectorTable { table, rows: OnceCell::new() })
    }

    pub async fn names(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(self.connection.table_names().execute().await?.into_iter().collect())
    }

    /// Throws away every version of a table but these.
    pub async fn keep_only(&self, name: &str, versions: &BTreeSet<u64>) -> Result<(), StoreError> {
        if versions.is_empty() {
            if self.names().await?.contains(name) {
                self.connection.drop_table(name, &[]).await?;
            }
            return Ok(());
        }
        let table = self.connection.open_table(name).execute().await?;
        let mut tags = table.tags().await?;
        let marked = tags.list().await?;
        for version in versions {
            let mark = mark_of(*version);
            if !marked.contains_key(&mark) {
                tags.create(&mark, *version).await?;
            }
        }
        for mark in marked.keys() {
            if !versions.iter().any(|version| mark_of(*version) == *mark) {
                tags.delete(mark).await?;
            }
        }
        drop(tags);
        // There is one writer, so no file is part of a transaction in progress.
        let prune = OptimizeAction::Prune {
            older_than: Some(Duration::zero()),
            delete_unverified: Some(true),
            error_if_tagged_old_versions: Some(false),
        };
        table.optimize(prune).await?;
        Ok(())
    }
}

/// A vector table at one version.
pub(crate) struct VectorTable {
    table: Table,
    /// Where each key's row lies; read when the first vector is fetched by name.
    rows: OnceCell<HashMap<i64, u64>>,
}

impl VectorTable {
    /// The nearest rows: key and cosine, best first.
    pub async fn nearest(
        &self,
        vector: &[f32],
        filter: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, StoreError> {
        let mut query = vector_index::asked(self.table.query().nearest_to(vector)?)?
            // Vectors have length 1, so the dot product is the cosine, and cheaper.
            .distance_type(DistanceType::Dot)
            .select(Select::columns(&["key", "_distance"]))
            .limit(limit);
        if let Some(filter) = filter {
            query = query.only_if(filter);
        }
        let batches: Vec<RecordBatch> = query.execute().await?.try_collect().await?;
        let mut found = Vec::new();
        for batch in &batches {
            let keys = column::<Int64Array>(batch, "key")?;
            let distances = column::<Float32Array>(batch, "_distance")?;
            found.extend(keys.values().iter().zip(distances.values()).map(|(key, far)| (*key, 1.0 - far)));
        }
        Ok(found)
    }

    /// The stored vectors of these keys, as far as there are any.
    pub async fn vectors(&self, keys: &[i64]) -> Result<HashMap<i64, Vec<f32>>, StoreError> {
        let rows = self.rows.get_or_try_init(|| self.row_ids()).await?;
        let wanted: Vec<u64> = keys.iter().filter_map(|key| rows.get(key).copied()).collect();
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        let query = self.table.take_row_ids(wanted).select(Select::columns(&["key", "vector"]));
        let batches: Vec<RecordBatch> = query.execute().await?.try_collect().await?;
        let mut found = HashMap::new();
        for batch in &batches {
            let keys = column::<Int64Array>(batch, "key")?;
            let vectors = column::<FixedSizeListArray>(batch, "vector")?;
            for at in 0..batch.num_rows() {
                let value = vectors.value(at);
                let Some(value) = value.as_any().downcast_ref::<Float32Array>() else { continue };
                found.insert(keys.value(at), value.values().to_vec());
            }
        }
        Ok(found)
    }

    /// The keys of all rows.
    pub async fn keys(&self) -> Result<BTreeSet<i64>, StoreError> {
        Ok(self.rows.get_or_try_init(|| self.row_ids()).await?.keys().copied().collect())
    }

    pub async fn count(&self) -> Result<usize, StoreError> {
        Ok(self.table.count_rows(None).await?)
    }

    /// How many numbers make a vector.
    pub async fn dimensions(&self) -> Result<usize, StoreError> {
        let schema = self.table.schema().await?;
        Ok(match schema.field_with_name("vector")?.data_type() {
            DataType::FixedSizeList(_, dimensions) => usize::try_from(*dimensions).unwrap_or_default(),
            _ => 0,
        })
    }

    async fn row_ids(&self) -> Result<HashMap<i64, u64>, StoreError> {
        let query = self.table.query().select(Select::columns(&["key"])).with_row_id();
        let batches: Vec<RecordBatch> = query.execute().await?.try_collect().await?;
        let mut rows = HashMap::new();
        for batch in &batches {
            let keys = column::<Int64Array>(batch, "key")?;
            let ids = column::<UInt64Array>(batch, "_rowid")?;
            rows.extend(keys.values().iter().copied().zip(ids.values().iter().copied()));
        }
        Ok(rows)
    }
}

/// Puts small pieces together and drops deleted rows where they have become many.
pub(crate) async fn compact_where_worth_it(table: &Table) -> Result<(), StoreError> {
    let Some(native) = table.as_native() else { return Ok(()) };
    let live = table.count_rows(None).await?;
    let deleted = native.count_deleted_rows().await?;
    let all = (live + deleted).max(1) as f64;
    let small = native.num_small_files(SMALL_FRAGMENT).await?;
    if small <= MAX_SMALL_FRAGMENTS && deleted as f64 / all <= MAX_DELETED_SHARE {
        return Ok(());
    }
    let options = CompactionOptions {
        target_rows_per_fragment: SMALL_FRAGMENT,
        materialize_deletions_threshold: 0.05,
        // One piece after the other and a little at a time: what is put together need not be held at once.
        num_threads: Some(1),
        batch_size: Some(1_024),
        io_buffer_size: Some(32 << 20),
        ..CompactionOptions::default()
    };
    table.optimize(OptimizeAction::Compact { options, remap_options: None }).await?;
    Ok(())
}

fn mark_of(version: u64) -> String {
    format!("kept-{version}")
}

fn slug(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

/// A condition that a column has one of these values.
pub(crate) fn one_of<T: std::fmt::Display>(column: &str, values: impl Iterator<Item = T>) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    format!("{column} IN ({})", values.join(","))
}

fn batch_of(rows: &[VectorRow]) -> Result<RecordBatch, StoreError> {
    let dimensions = i32::try_from(rows.first().map_or(0, |row| row.vector.len())).unwrap_or(i32::MAX);
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let schema = Schema::new(vec![
        Field::new("key", DataType::Int64, false),
        Field::new("source_id", DataType::Utf8, false),
        Field::new("tenant", DataType::Utf8, false),
        Field::new("access_tags", DataType::Utf8, false),
        Field::new("text", DataType::Utf8, false),
        Field::new("vector", DataType::FixedSizeList(item, dimensions), false),
    ]);
    let text = |of: fn(&VectorRow) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
    };
    let vectors = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(
        rows.iter().map(|row| Some(row.vector.iter().copied().map(Some))),
        dimensions,
    );
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.key))),
        text(|row| &row.source_id),
        text(|row| &row.tenant),
        text(|row| &row.access),
        text(|row| &row.text),
        Arc::new(vectors),
    ];
    Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
}

fn column<'a, T: 'static>(batch: &'a RecordBatch, name: &str) -> Result<&'a T, StoreError> {
    batch
        .column_by_name(name)
        .and_then(|column| column.as_any().downcast_ref::<T>())
        .ok_or_else(|| StoreError::Disagree(format!("a vector table has no column `{name}` as expected")))
}
