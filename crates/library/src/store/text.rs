//! The text index in tantivy. Its commit carries the generation's number, and so makes the generation.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tantivy::collector::DocSetCollector;
use tantivy::directory::MmapDirectory;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::{
    AllQuery, BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query, TermQuery, TermSetQuery,
};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, OwnedValue, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{DocAddress, Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, Term};

use super::audience::ScopeFilter;
use super::statistics::{BodyStatistics, ScopeStatistics};
use super::visible::VisibleTop;
use super::{Layout, StoreError};

const WRITER_BYTES: usize = 64 << 20;
/// More segments than this are merged into one after a commit.
const MAX_SEGMENTS: usize = 8;
/// So much of a segment may be deleted before it is rewritten.
const MAX_DELETED_SHARE: f64 = 0.2;
/// How many more than asked for are fetched, so that ties at the end can be broken by id.
const TIES: usize = 32;
const MAX_TIES: usize = 4_096;

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
        let segments = self.index.searchable_segment_metas()?;
        let worn = |segment: &tantivy::SegmentMeta| {
            f64::from(segment.num_deleted_docs()) / f64::from(segment.max_doc().max(1)) > MAX_DELETED_SHARE
        };
        if segments.len() > MAX_SEGMENTS || segments.iter().any(worn) {
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

/// What the text index is asked for.
pub(crate) struct TextQuery<'a> {
    /// Each word of the question as the terms that stand for it.
    pub words: &'a [Vec<String>],
    /// The whole question, for titles and ids.
    pub exact: &'a str,
}

impl TextSnapshot {
    pub fn count(&self) -> u64 {
        self.searcher.num_docs()
    }

    pub fn statistics(&self, filter: Option<&ScopeFilter>) -> Result<ScopeStatistics, StoreError> {
        ScopeStatistics::new(&self.searcher, self.fields, filter)
    }

    /// The keys of all passages that hold one of these terms.
    pub fn holding(&self, terms: &[String]) -> Result<Vec<i64>, StoreError> {
        let terms = terms.iter().map(|term| Term::from_field_text(self.fields.body, term));
        self.matching(&TermSetQuery::new(terms))
    }

    /// The keys of all passages.
    pub fn all(&self) -> Result<Vec<i64>, StoreError> {
        self.matching(&AllQuery)
    }

    fn matching(&self, query: &dyn Query) -> Result<Vec<i64>, StoreError> {
        let found = self.searcher.search(query, &DocSetCollector)?;
        let mut keys = Vec::with_capacity(found.len());
        for address in found {
            keys.push(self.key_at(address)?);
        }
        keys.sort_unstable();
        Ok(keys)
    }

    fn key_at(&self, address: DocAddress) -> Result<i64, StoreError> {
        let segment = self.searcher.segment_reader(address.segment_ord);
        Ok(segment.fast_fields().u64("key")?.first(address.doc_id).unwrap_or_default().cast_signed())
    }

    /// The best passages by BM25, each with its share of the most that these words could give: `limit` of them, and all that
    /// tie with the last.
    pub fn search(
        &self,
        query: &TextQuery<'_>,
        statistics: &Arc<ScopeStatistics>,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, StoreError> {
        let body = BodyStatistics::of(self, statistics);
        let mut bound = 0.0;
        let mut known = false;
        let mut parts: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for alternatives in query.words {
            let mut present: Vec<(f32, &String)> = Vec::new();
            for term in alternatives {
                let frequency = body.frequency(term)?;
                if frequency > 0 {
                    present.push((statistics.idf(frequency), term));
                }
            }
            // The rarest form sets the bound; a word that nothing holds counts as the rarest of all.
            let idf = present.iter().map(|(idf, _)| *idf).reduce(f32::max);
            bound += idf.unwrap_or_else(|| statistics.idf(0)) * ScopeStatistics::SATURATION;
            known |= idf.is_some();
            let mut queries = present.into_iter().map(|(_, term)| -> Box<dyn Query> {
                let term = Term::from_field_text(self.fields.body, term);
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
            });
            match (queries.next(), queries.len()) {
                (Some(only), 0) => parts.push((Occur::Should, only)),
                (Some(first), _) => {
                    let all = std::iter::once(first).chain(queries).collect();
                    parts.push((Occur::Should, Box::new(DisjunctionMaxQuery::new(all))));
                }
                (None, _) => {}
            }
        }
        if bound > 0.0 && !query.exact.is_empty() {
            // The title or the id, letter by letter, is as good a match as words can be.
            for field in [self.fields.title, self.fields.id] {
                let term = Term::from_field_text(field, query.exact);
                let exact = TermQuery::new(term, IndexRecordOption::Basic);
                parts.push((Occur::Should, Box::new(ConstScoreQuery::new(Box::new(exact), bound))));
                known = true;
            }
        }
        if !known {
            return Ok(Vec::new());
        }
        let found = self.best(&BooleanQuery::new(parts), &body, statistics, limit)?;
        Ok(found.into_iter().map(|(key, score)| (key, (score / bound).min(1.0))).collect())
    }

    fn best(
        &self,
        query: &dyn Query,
        body: &BodyStatistics<'_>,
        statistics: &Arc<ScopeStatistics>,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, StoreError> {
        let mut ask = limit + TIES;
        loop {
            let collector = VisibleTop { limit: ask, statistics };
            let found = self.searcher.search_with_statistics_provider(query, &collector, body)?;
            let full = found.len() == ask;
            let last = limit.checked_sub(1).and_then(|at| found.get(at)).map(|(score, _)| rounded(*score));
            let open = full && last.is_some() && found.last().map(|(score, _)| rounded(*score)) == last;
            if open && ask < MAX_TIES {
                ask *= 2;
                continue;
            }
            let kept = found
                .into_iter()
                .map(|(score, address)| (rounded(score), address))
                .take_while(|(score, _)| last.is_none_or(|last| *score >= last));
            return kept.map(|(score, address)| Ok((self.key_at(address)?, score))).collect();
        }
    }
}

/// Sums of the same parts in another order differ in their last digits; segments must not decide an order.
fn rounded(score: f32) -> f32 {
    (score * 4096.0).round() / 4096.0
}
