//! The index over a table's vectors. It orders them into parts of neighbours and keeps them as they are, so a search that
//! reads every part finds what reading the whole table finds, and finds it sooner.
//!
//! Milliseconds of processor time for the 31 nearest of made-up vectors with 384 dimensions in clusters; filtered, a tenth is
//! hidden. `cargo bench -p plumbline-library --bench vectors` measures this; the figures are from LanceDB's own optimised
//! build, its Python package 0.40, over vectors made in the same way:
//!
//! | rows | whole table | every part | whole, filtered | every part, filtered |
//! |---|---|---|---|---|
//! | 10,000 | 15 | 5 | 24 | 7 |
//! | 20,000 | 26 | 8 | 36 | 10 |
//! | 50,000 | 56 | 14 | 93 | 16 |
//! | 100,000 | 109 | 24 | 196 | 31 |
//!
//! With 8 of the 24 parts of 100,000 rows 12 ms and a recall@10 of 1.000, with 4 of them .998. An index that shortens vectors to
//! bytes takes 26 ms with 8 parts, because the best must then be read again in full, and one with graphs took twelve times
//! as long to build for 10,000 rows.

use lancedb::index::Index;
use lancedb::index::scalar::BitmapIndexBuilder;
use lancedb::index::vector::IvfFlatIndexBuilder;
use lancedb::query::VectorQuery;
use lancedb::{DistanceType, Table};

use super::StoreError;

const NAME: &str = "nearness";
/// What a filter asks of a row. Without an index it is read of every row for every question, which takes most of the time that the
/// search takes.
const AUDIENCE: [&str; 2] = ["tenant", "access_tags"];
/// So many of the nearest parts are read: with the default rules all of them up to 130,000 rows. Beyond that a search may miss
/// a row that lies in a part further away.
const PARTS_READ: usize = 32;
/// Rows that came since are found too, by reading them all; above this share the index is made anew.
const MAX_OUTSIDE_SHARE: f64 = 0.2;

/// From when on vectors are indexed, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorIndexRules {
    /// A collection with fewer passages is searched without: reading it whole takes no longer than a blink, and the index
    /// would hold every vector a second time.
    pub from_rows: usize,
    /// How many neighbours make a part.
    pub rows_per_part: u32,
    /// From so many passages on it is indexed who may see them, or from where vectors are, if that is earlier.
    pub audience_from_rows: usize,
}

impl Default for VectorIndexRules {
    fn default() -> Self {
        Self { from_rows: 20_000, rows_per_part: 4_096, audience_from_rows: 5_000 }
    }
}

/// Indexes a table that is large enough, and again when much of it lies outside the index. Like any write it makes a version,
/// which nobody reads before its generation is made.
pub(super) async fn keep(table: &Table, rules: VectorIndexRules) -> Result<(), StoreError> {
    let rows = table.count_rows(None).await?;
    if rows >= rules.audience_from_rows.min(rules.from_rows) {
        for column in AUDIENCE {
            let index = Index::Bitmap(BitmapIndexBuilder::default());
            keep_one(table, rows, column, index, None).await?;
        }
    }
    if rows >= rules.from_rows {
        let parts = IvfFlatIndexBuilder::default()
            .distance_type(DistanceType::Dot)
            .target_partition_size(rules.rows_per_part);
        keep_one(table, rows, "vector", Index::IvfFlat(parts), Some(NAME)).await?;
    }
    Ok(())
}

/// Makes an index of a column where there is none, or where too much lies outside of it.
async fn keep_one(
    table: &Table,
    rows: usize,
    column: &str,
    index: Index,
    name: Option<&str>,
) -> Result<(), StoreError> {
    let known = table.list_indices().await?.into_iter().find(|index| index.columns == [column]);
    let outside = match known {
        Some(index) => table.index_stats(&index.name).await?.map_or(rows, |index| index.num_unindexed_rows),
        None => rows,
    };
    if outside as f64 > MAX_OUTSIDE_SHARE * rows as f64 {
        let making = table.create_index(&[column], index).replace(true);
        match name {
            Some(name) => making.name(name.to_owned()).execute().await?,
            None => making.execute().await?,
        };
    }
    Ok(())
}

/// How the index is asked, where there is one.
pub(super) fn asked(query: VectorQuery) -> Result<VectorQuery, StoreError> {
    // Where a filter leaves too few in the nearest parts, the search goes on in the others.
    Ok(query.minimum_nprobes(PARTS_READ)?.maximum_nprobes(None)?)
}
