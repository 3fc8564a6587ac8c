//! Search by words over all text indexes of a library: its own, and those of shelves that are read in place. Statistics are summed
//! over them, so that a passage scores the same wherever its words lie.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::query::{
    BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query, TermQuery, TermSetQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::StoreError;
use super::audience::ScopeFilter;
use super::statistics::{BodyStatistics, ScopeStatistics};
use super::text::{Keys, TextFields, TextSnapshot, matching};
use super::visible::VisibleTop;
use crate::in_place::FarShelf;

/// How many more than asked for are fetched, so that ties at the end can be broken by id.
const TIES: usize = 32;
const MAX_TIES: usize = 4_096;
/// So many lists of a far index are asked for side by side.
const LISTS_AT_ONCE: usize = 32;

/// What the text index is asked for.
pub(crate) struct TextQuery<'a> {
    /// Each word of the question as the terms that stand for it.
    pub words: &'a [Vec<String>],
    /// The whole question, for titles and ids.
    pub exact: &'a str,
}

/// One text index.
#[derive(Clone)]
pub(crate) struct TextPart {
    pub searcher: Searcher,
    pub fields: TextFields,
    /// The shelf that it is of, where it is read in place: all of it is for the same people.
    pub shelf: Option<Arc<FarShelf>>,
}

impl TextPart {
    /// A passage by what this index calls it.
    fn key_here(&self, key: i64) -> Option<i64> {
        match &self.shelf {
            None => Some(key),
            Some(shelf) => shelf.key_here(key.cast_unsigned()),
        }
    }
}

/// All text indexes, each as it stands at one generation.
pub(crate) struct Texts {
    pub(super) parts: Vec<TextPart>,
    statistics: Mutex<HashMap<Option<ScopeFilter>, Arc<ScopeStatistics>>>,
}

impl Texts {
    pub fn of(own: &TextSnapshot, far: Vec<TextPart>) -> Self {
        let own = TextPart { searcher: own.searcher.clone(), fields: own.fields, shelf: None };
        Self { parts: std::iter::once(own).chain(far).collect(), statistics: Mutex::default() }
    }

    /// Whether these are the shelves that it holds.
    pub fn holds(&self, shelves: &[Arc<FarShelf>]) -> bool {
        let held = self.parts.iter().filter_map(|part| part.shelf.as_ref());
        self.parts.len() == shelves.len() + 1 && held.zip(shelves).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// Where the shelves among them are published.
    pub fn addresses(&self) -> BTreeSet<String> {
        let shelves = self.parts.iter().filter_map(|part| part.shelf.as_ref());
        shelves.map(|shelf| shelf.address().to_owned()).collect()
    }

    /// The same without the shelves that are not kept.
    pub fn without(&self, kept: impl Fn(&str) -> bool) -> Self {
        let stays = |part: &&TextPart| part.shelf.as_ref().is_none_or(|shelf| kept(shelf.address()));
        Self { parts: self.parts.iter().filter(stays).cloned().collect(), statistics: Mutex::default() }
    }

    pub fn statistics(&self, filter: Option<&ScopeFilter>) -> Result<Arc<ScopeStatistics>, StoreError> {
        let known = || self.statistics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statistics) = known().get(&filter.cloned()) {
            return Ok(Arc::clone(statistics));
        }
        let statistics = Arc::new(ScopeStatistics::new(&self.parts, filter)?);
        known().insert(filter.cloned(), Arc::clone(&statistics));
        Ok(statistics)
    }

    /// The keys of all passages that hold one of these terms.
    pub fn holding(&self, terms: &[String]) -> Result<Vec<i64>, StoreError> {
        self.fetch(terms.iter())?;
        let mut keys = Vec::new();
        for part in &self.parts {
            let terms = terms.iter().map(|term| Term::from_field_text(part.fields.body, term));
            let found = matching(&part.searcher, &TermSetQuery::new(terms))?;
            keys.extend(found.into_iter().filter_map(|key| part.key_here(key)));
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// Lets the lists of these terms come from far away side by side: whoever reads them does it one after the other.
    pub fn fetch<'t>(&self, terms: impl Iterator<Item = &'t String>) -> Result<(), StoreError> {
        let terms: Vec<&String> = terms.collect();
        let mut lists = Vec::new();
        for part in self.parts.iter().filter(|part| part.shelf.is_some()) {
            for segment in part.searcher.segment_readers() {
                let index = segment.inverted_index(part.fields.body)?;
                lists.extend(
                    terms
                        .iter()
                        .map(|term| (Arc::clone(&index), Term::from_field_text(part.fields.body, term))),
                );
            }
        }
        for some in lists.chunks(LISTS_AT_ONCE) {
            std::thread::scope(|threads| {
                for (index, term) in some {
                    // What cannot be read is told to whoever reads it.
                    threads.spawn(|| index.read_postings(term, IndexRecordOption::WithFreqs).map(drop));
                }
            });
        }
        Ok(())
    }

    /// The best passages by BM25, each with its share of the most that these words could give: `limit` of them, and all that
    /// tie with the last.
    pub fn search(
        &self,
        query: &TextQuery<'_>,
        statistics: &Arc<ScopeStatistics>,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, StoreError> {
        self.fetch(query.words.iter().flatten())?;
        let body = BodyStatistics::of(self, statistics);
        let mut bound = 0.0;
        let mut known = false;
        let mut words: Vec<Vec<&String>> = Vec::new();
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
            words.push(present.into_iter().map(|(_, term)| term).collect());
        }
        // The title or the id, letter by letter, is as good a match as words can be.
        let exact = (bound > 0.0 && !query.exact.is_empty()).then_some(query.exact);
        if !known && exact.is_none() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (at, part) in self.parts.iter().enumerate().filter(|(at, _)| statistics.sees_of(*at)) {
            let query = query_of(part.fields, &words, exact.map(|exact| (exact, bound)));
            for (key, score) in self.best(at, &query, &body, statistics, limit)? {
                found.extend(part.key_here(key).map(|key| (key, score)));
            }
        }
        found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        let last = limit.checked_sub(1).and_then(|at| found.get(at)).map(|(_, score)| *score);
        found.retain(|(_, score)| last.is_none_or(|last| *score >= last));
        Ok(found.into_iter().map(|(key, score)| (key, (score / bound).min(1.0))).collect())
    }

    fn best(
        &self,
        at: usize,
        query: &dyn Query,
        body: &BodyStatistics<'_>,
        statistics: &Arc<ScopeStatistics>,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, StoreError> {
        let searcher = &self.parts[at].searcher;
        let mut ask = limit + TIES;
        loop {
            let collector = VisibleTop { limit: ask, part: at, statistics };
            let found = searcher.search_with_statistics_provider(query, &collector, body)?;
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
            let mut keys = Keys::of(searcher);
            return kept.map(|(score, address)| Ok((keys.at(address)?, score))).collect();
        }
    }
}

/// The words, of each the form that fits best, and what is exact, as a query of one index.
fn query_of(fields: TextFields, words: &[Vec<&String>], exact: Option<(&str, f32)>) -> BooleanQuery {
    let mut parts: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for forms in words {
        let mut queries = forms.iter().map(|term| -> Box<dyn Query> {
            let term = Term::from_field_text(fields.body, term);
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
    if let Some((exact, bound)) = exact {
        for field in [fields.title, fields.id] {
            let exact = TermQuery::new(Term::from_field_text(field, exact), IndexRecordOption::Basic);
            parts.push((Occur::Should, Box::new(ConstScoreQuery::new(Box::new(exact), bound))));
        }
    }
    BooleanQuery::new(parts)
}

/// Sums of the same parts in another order differ in their last digits; segments must not decide an order.
fn rounded(score: f32) -> f32 {
    (score * 4096.0).round() / 4096.0
}
