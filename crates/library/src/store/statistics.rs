use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tantivy::query::{Bm25StatisticsProvider, EnableScoring};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentOrdinal, TERMINATED, Term};

use super::StoreError;
use super::audience::ScopeFilter;
use super::texts::{TextPart, Texts};

/// How many passages a scope holds and how long they are: what BM25 must know. Counted over what is visible and not deleted,
/// so that neither a hidden document nor the history of the index moves a score.
pub(crate) struct ScopeStatistics {
    passages: u64,
    terms: u64,
    /// What is visible in each text index.
    visible: Vec<Visible>,
    frequencies: Mutex<HashMap<String, u64>>,
}

/// What is visible of a text index.
enum Visible {
    /// Nothing: it is a shelf for others.
    Nothing,
    /// These of each segment; where there is none, all of it.
    Of(Vec<Option<Bits>>),
}

impl ScopeStatistics {
    const K1: f32 = 1.2;
    /// The most that a word's frequency can multiply its weight by.
    pub const SATURATION: f32 = Self::K1 + 1.0;

    pub fn new(parts: &[TextPart], filter: Option<&ScopeFilter>) -> Result<Self, StoreError> {
        let mut statistics = Self {
            passages: 0,
            terms: 0,
            visible: Vec::with_capacity(parts.len()),
            frequencies: Mutex::default(),
        };
        for part in parts {
            let visible = statistics.count(part, filter)?;
            statistics.visible.push(visible);
        }
        Ok(statistics)
    }

    fn count(&mut self, part: &TextPart, filter: Option<&ScopeFilter>) -> Result<Visible, StoreError> {
        let query = match (&part.shelf, filter) {
            (_, None) => None,
            (None, Some(filter)) => Some(filter.query(&part.fields)),
            (Some(shelf), Some(filter)) if filter.admits(&shelf.tenant, &shelf.access) => {
                filter.collections_query(&part.fields)
            }
            (Some(_), Some(_)) => return Ok(Visible::Nothing),
        };
        let filter = query
            .map(|query| query.weight(EnableScoring::disabled_from_searcher(&part.searcher)))
            .transpose()?;
        let mut visible = Vec::new();
        for segment in part.searcher.segment_readers() {
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
                    self.passages += 1;
                    self.terms += lengths.first(document).unwrap_or(0);
                }
            }
            visible.push(bits);
        }
        Ok(Visible::Of(visible))
    }

    /// Whether anything of a text index may be visible.
    pub fn sees_of(&self, part: usize) -> bool {
        matches!(self.visible.get(part), Some(Visible::Of(_)))
    }

    /// Whether a passage of a text index is visible and not deleted.
    pub fn sees(&self, part: usize, segment: SegmentOrdinal, document: DocId) -> bool {
        let Some(Visible::Of(visible)) = self.visible.get(part) else { return false };
        let visible = visible.get(segment as usize);
        visible.is_some_and(|bits| bits.as_ref().is_none_or(|bits| bits.has(document)))
    }

    /// The inverse document frequency of a term that so many passages hold.
    pub fn idf(&self, frequency: u64) -> f32 {
        let (frequency, passages) = (frequency as f32, self.passages as f32);
        (1.0 + (passages - frequency + 0.5) / (frequency + 0.5)).ln()
    }
}

/// The statistics of the body field, over all text indexes.
pub(crate) struct BodyStatistics<'a> {
    parts: &'a [TextPart],
    scope: &'a ScopeStatistics,
}

impl<'a> BodyStatistics<'a> {
    pub fn of(texts: &'a Texts, scope: &'a ScopeStatistics) -> Self {
        Self { parts: &texts.parts, scope }
    }

    /// How many visible passages hold the term.
    pub fn frequency(&self, term: &str) -> Result<u64, StoreError> {
        if let Some(known) = self.known().get(term) {
            return Ok(*known);
        }
        let mut frequency = 0;
        for (part, visible) in self.parts.iter().zip(&self.scope.visible) {
            let Visible::Of(visible) = visible else { continue };
            let asked = Term::from_field_text(part.fields.body, term);
            for (segment, visible) in part.searcher.segment_readers().iter().zip(visible) {
                let index = segment.inverted_index(part.fields.body)?;
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
