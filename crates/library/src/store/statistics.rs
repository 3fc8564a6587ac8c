use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tantivy::query::{Bm25StatisticsProvider, EnableScoring};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Searcher, SegmentOrdinal, TERMINATED, Term};

use super::StoreError;
use super::audience::ScopeFilter;
use super::text::{TextFields, TextSnapshot};

/// How many passages a scope holds and how long they are: what BM25 must know. Counted over what is visible and not deleted,
/// so that neither a hidden document nor the history of the index moves a score.
pub(crate) struct ScopeStatistics {
    passages: u64,
    terms: u64,
    /// What is visible in each segment; none where all of it is.
    visible: Vec<Option<Bits>>,
    frequencies: Mutex<HashMap<String, u64>>,
}

impl ScopeStatistics {
    const K1: f32 = 1.2;
    /// The most that a word's frequency can multiply its weight by.
    pub const SATURATION: f32 = Self::K1 + 1.0;

    pub fn new(
        searcher: &Searcher,
        fields: TextFields,
        filter: Option<&ScopeFilter>,
    ) -> Result<Self, StoreError> {
        let (mut passages, mut terms, mut visible) = (0, 0, Vec::new());
        let filter = filter
            .map(|filter| filter.query(&fields).weight(EnableScoring::disabled_from_searcher(searcher)))
            .transpose()?;
        for segment in searcher.segment_readers() {
            let bits = match (&filter, segment.alive_bitset()) {
                (None, None) => None,
                (None, Some(_)) => Some(Bits::of(segment.max_doc(), segment.doc_ids_alive())),
                (Some(filter), alive) => {
                    let mut bits = Bits::none(segment.max_doc());
                    let mut scorer = filter.scorer(segment, 1.0)?;
                    while scorer.doc() != TERMINATED {
                        if alive.is_none_or(|alive| alive.is_alive(scorer.doc())) {
                            bits.set(scorer.doc());
                        }
                        scorer.advance();
                    }
                    Some(bits)
                }
            };
            let lengths = segment.fast_fields().u64("length")?;
            for document in 0..segment.max_doc() {
                if bits.as_ref().is_none_or(|bits| bits.has(document)) {
                    passages += 1;
                    terms += lengths.first(document).unwrap_or(0);
                }
            }
            visible.push(bits);
        }
        Ok(Self { passages, terms, visible, frequencies: Mutex::default() })
    }

    /// Whether a passage is visible and not deleted.
    pub fn sees(&self, segment: SegmentOrdinal, document: DocId) -> bool {
        let visible = self.visible.get(segment as usize);
        visible.is_some_and(|bits| bits.as_ref().is_none_or(|bits| bits.has(document)))
    }

    /// The inverse document frequency of a term that so many passages hold.
    pub fn idf(&self, frequency: u64) -> f32 {
        let (frequency, passages) = (frequency as f32, self.passages as f32);
        (1.0 + (passages - frequency + 0.5) / (frequency + 0.5)).ln()
    }
}

/// The statistics of the body field, in a searcher.
pub(crate) struct BodyStatistics<'a> {
    searcher: &'a Searcher,
    fields: TextFields,
    scope: &'a ScopeStatistics,
}

impl<'a> BodyStatistics<'a> {
    pub fn of(snapshot: &'a TextSnapshot, scope: &'a ScopeStatistics) -> Self {
        Self { searcher: &snapshot.searcher, fields: snapshot.fields, scope }
    }

    /// How many visible passages hold the term.
    pub fn frequency(&self, term: &str) -> Result<u64, StoreError> {
        if let Some(known) = self.known().get(term) {
            return Ok(*known);
        }
        let asked = Term::from_field_text(self.fields.body, term);
        let mut frequency = 0;
        for (segment, visible) in self.searcher.segment_readers().iter().zip(&self.scope.visible) {
            let index = segment.inverted_index(self.fields.body)?;
            frequency += match visible {
                None => u64::from(index.doc_freq(&asked).map_err(tantivy::TantivyError::from)?),
                Some(bits) => {
                    let postings = index
                        .read_postings(&asked, IndexRecordOption::Basic)
                        .map_err(tantivy::TantivyError::from)?;
                    postings.map_or(0, |postings| bits.count(postings))
                }
            };
        }
        self.known().insert(term.to_owned(), frequency);
        Ok(frequency)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, u64>> {
        self.scope.frequencies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bm25StatisticsProvider for BodyStatistics<'_> {
    fn total_num_tokens(&self, _: Field) -> tantivy::Result<u64> {
        Ok(self.scope.terms)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.scope.passages.max(1))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let text = term.value().as_str().unwrap_or_default().to_owned();
        let frequency =
            self.frequency(&text).map_err(|error| tantivy::TantivyError::InternalError(error.to_string()))?;
        Ok(frequency)
    }
}

/// A set of documents of one segment.
struct Bits(Vec<u64>);

impl Bits {
    fn none(documents: DocId) -> Self {
        Self(vec![0; documents as usize / 64 + 1])
    }

    fn of(documents: DocId, members: impl Iterator<Item = DocId>) -> Self {
        let mut bits = Self::none(documents);
        members.for_each(|document| bits.set(document));
        bits
    }

    fn set(&mut self, document: DocId) {
        self.0[document as usize / 64] |= 1 << (document % 64);
    }

    fn has(&self, document: DocId) -> bool {
        self.0[document as usize / 64] >> (document % 64) & 1 == 1
    }

    fn count(&self, mut documents: impl DocSet) -> u64 {
        let mut count = 0;
        while documents.doc() != TERMINATED {
            count += u64::from(self.has(documents.doc()));
            documents.advance();
        }
        count
    }
}
