//! The text index in tantivy. Its commit carries the generation's number, and so makes the generation.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use tantivy::collector::DocSetCollector;
use tantivy::columnar::Column;
use tantivy::directory::{Directory, MmapDirectory};
use tantivy::indexer::NoMergePolicy;
use tantivy::query::{AllQuery, Query};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, OwnedValue, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{DocAddress, Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, SegmentOrdinal, Term};

use super::{Layout, StoreError};

const WRITER_BYTES: usize = 64 << 20;
/// More segments than this are merged into one after a commit.
const MAX_SEGMENTS: usize = 8;
/// So much of a segment may be deleted before it is rewritten.
const MAX_DELETED_SHARE: f64 = 0.2;

/// The fields of the text index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextFields {
    pub key: Field,
    /// The number of terms in the body.
    pub length: Field,
    pub tenant: Field,
    pub access: Field,
    pub collection: Field,
    pub id: Field,
    pub title: Field,
    pub body: Field,
}

impl TextFields {
    fn schema() -> (Schema, Self) {
        let mut builder = Schema::builder();
        let terms = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_fieldnorms(true)
            .set_index_option(IndexRecordOption::WithFreqs);
        let fields = Self {
            key: builder.add_u64_field("key", INDEXED | FAST),
            length: builder.add_u64_field("length", FAST),
            tenant: builder.add_text_field("tenant", STRING),
            access: builder.add_text_field("access", STRING),
            collection: builder.add_text_field("collection", STRING),
            id: builder.add_text_field("id", STRING),
            title: builder.add_text_field("title", STRING),
            body: builder.add_text_field("body", TextOptions::default().set_indexing_options(terms)),
        };
        (builder.build(), fields)
    }
}

/// A passage as the text index holds it.
#[derive(Debug, Clone)]
pub(crate) struct TextRow {
    pub key: i64,
    pub tenant: String,
    pub access: String,
    pub collection: String,
    pub id: String,
    pub title: String,
    pub terms: Vec<String>,
}

fn open_index(folder: &Path) -> Result<(Index, TextFields), StoreError> {
    let (schema, fields) = TextFields::schema();
    let directory = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
    Ok((Index::open_or_create(directory, schema)?, fields))
}

/// The text index of a library that another program has written, for reading.
pub(crate) fn open_elsewhere(directory: impl Directory) -> Result<(Searcher, TextFields), StoreError> {
    let index = Index::open(directory)?;
    let (schema, fields) = TextFields::schema();
    if index.schema() != schema {
        return Err(StoreError::Disagree("its text index has other fields than are known".to_owned()));
    }
    let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Ok((reader.searcher(), fields))
}

/// The generation that the last commit made; 0 before the first.
fn generation_of(payload: Option<&str>) -> u64 {
    payload.and_then(|payload| payload.parse().ok()).unwrap_or(0)
}

/// A passage on its way into the index. Tantivy's own kind of document would write the terms out as JSON in between.
type TextDocument = BTreeMap<Field, OwnedValue>;

/// The text index, for writing.
pub(crate) struct TextWriter {
    index: Index,
    writer: IndexWriter<TextDocument>,
    fields: TextFields,
}

impl TextWriter {
    pub fn open(layout: &Layout) -> Result<Self, StoreError> {
        let (index, fields) = open_index(&layout.text())?;
        let writer: IndexWriter<TextDocument> = index.writer_with_num_threads(1, WRITER_BYTES)?;
        // Merging is done between generations and not behind our back.
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self { index, writer, fields })
    }

    pub fn generation(&self) -> Result<u64, StoreError> {
        Ok(generation_of(self.index.load_metas()?.payload.as_deref()))
    }

    pub fn delete(&self, key: i64) {
        self.writer.delete_term(Term::from_field_u64(self.fields.key, key.cast_unsigned()));
    }

    pub fn add(&self, row: TextRow) -> Result<(), StoreError> {
        let fields = self.fields;
        let length = row.terms.len() as u64;
        let tokens = row.terms.into_iter().enumerate().map(|(position, text)| Token {
            position,
            text,
            ..Token::default()
        });
        let body = PreTokenizedString { text: String::new(), tokens: tokens.collect() };
        let document = BTreeMap::from([
            (fields.key, OwnedValue::U64(row.key.cast_unsigned())),
            (fields.length, OwnedValue::U64(length)),
            (fields.tenant, OwnedValue::Str(row.tenant)),
            (fields.access, OwnedValue::Str(row.access)),
            (fields.collection, OwnedValue::Str(row.collection)),
            (fields.id, OwnedValue::Str(row.id)),
            (fields.title, OwnedValue::Str(row.title)),
            (fields.body, OwnedValue::PreTokStr(body)),
        ]);
        self.writer.add_document(document)?;
        Ok(())
    }

    /// Makes the generation: before this call nothing of it is visible, after it everything is.
    pub fn commit(&mut self, generation: u64) -> Result<(), StoreError> {
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(&generation.to_string());
        commit.commit()?;
        Ok(())
    }

    /// Undoes what was not committed.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        self.writer.rollback()?;
        Ok(())
    }

    /// How many passages the last commit holds.
    pub fn count(&self) -> Result<u64, StoreError> {
        let segments = self.index.searchable_segment_metas()?;
        Ok(segments.iter().map(|segment| u64::from(segment.num_docs())).sum())
    }

    /// Merges small and much-deleted segments and removes files that nothing uses. The content stays as it is.
    pub fn tend(&mut self) -> Result<(), StoreError> {
        self.tend_to(MAX_SEGMENTS)
    }

    /// The same with so many segments at most.
    pub fn tend_to(&mut self, most: usize) -> Result<(), StoreError> {
        let segments = self.index.searchable_segment_metas()?;
        let worn = |segment: &tantivy::SegmentMeta| {
            f64::from(segment.num_deleted_docs()) / f64::from(segment.max_doc().max(1)) > MAX_DELETED_SHARE
        };
        if segments.len() > most || segments.iter().any(worn) {
            let ids: Vec<_> = segments.iter().map(tantivy::SegmentMeta::id).collect();
            self.writer.merge(&ids).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        Ok(())
    }
}

/// The text index, for reading.
pub(crate) struct TextReader {
    index: Index,
    reader: IndexReader,
    fields: TextFields,
}

impl TextReader {
    pub fn open(layout: &Layout) -> Result<Self, StoreError> {
        let (index, fields) = open_index(&layout.text())?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { index, reader, fields })
    }

    /// The number of the newest generation.
    pub fn newest(&self) -> Result<u64, StoreError> {
        Ok(generation_of(self.index.load_metas()?.payload.as_deref()))
    }

    /// The newest generation, as it stands now. A commit in between is noticed by the segments that it changes.
    pub fn snapshot(&self) -> Result<TextSnapshot, StoreError> {
        loop {
            self.reader.reload()?;
            let searcher = self.reader.searcher();
            let metas = self.index.load_metas()?;
            let read = searcher.generation().segments();
            let same = metas.segments.len() == read.len()
                && metas
                    .segments
                    .iter()
                    .all(|segment| read.get(&segment.id()) == Some(&segment.delete_opstamp()));
            if same {
                let generation = generation_of(metas.payload.as_deref());
                return Ok(TextSnapshot { searcher, generation, fields: self.fields });
            }
        }
    }
}

/// The text index at one generation.
#[derive(Clone)]
pub(crate) struct TextSnapshot {
    pub searcher: Searcher,
    pub generation: u64,
    pub fields: TextFields,
}

impl TextSnapshot {
    pub fn count(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// The keys of all passages.
    pub fn all(&self) -> Result<Vec<i64>, StoreError> {
        matching(&self.searcher, &AllQuery)
    }
}

/// The keys of all passages that a query matches.
pub(super) fn matching(searcher: &Searcher, query: &dyn Query) -> Result<Vec<i64>, StoreError> {
    let mut keys = Keys::of(searcher);
    let found = searcher.search(query, &DocSetCollector)?.into_iter();
    let mut found: Vec<i64> = found.map(|address| keys.at(address)).collect::<Result<_, _>>()?;
    found.sort_unstable();
    Ok(found)
}

/// The keys of passages. A segment's are opened once: of one far away that is a read.
pub(super) struct Keys<'a> {
    searcher: &'a Searcher,
    columns: HashMap<SegmentOrdinal, Column<u64>>,
}

impl<'a> Keys<'a> {
    pub fn of(searcher: &'a Searcher) -> Self {
        Self { searcher, columns: HashMap::new() }
    }

    pub fn at(&mut self, address: DocAddress) -> Result<i64, StoreError> {
        let column = match self.columns.entry(address.segment_ord) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let segment = self.searcher.segment_reader(address.segment_ord);
                new.insert(segment.fast_fields().u64("key")?)
            }
        };
        Ok(column.first(address.doc_id).unwrap_or_default().cast_signed())
    }
}
