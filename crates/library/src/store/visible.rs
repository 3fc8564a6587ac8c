//! The best of what a scope sees. What that is stands in the scope's statistics already, a bit for each passage, so that a filter
//! costs one look at a passage that matches and no query of its own.

use std::sync::Arc;

use tantivy::collector::sort_key::NaturalComparator;
use tantivy::collector::{Collector, SegmentCollector, TopNComputer};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use super::statistics::ScopeStatistics;

type Best = TopNComputer<Score, DocAddress, NaturalComparator>;

/// Collects so many of the best, and of equals those that were written first.
pub(super) struct VisibleTop<'a> {
    pub limit: usize,
    /// Which of the text indexes it is.
    pub part: usize,
    pub statistics: &'a Arc<ScopeStatistics>,
}

pub(super) struct VisibleInSegment {
    part: usize,
    segment: SegmentOrdinal,
    statistics: Arc<ScopeStatistics>,
    best: Best,
}

impl VisibleTop<'_> {
    fn none_yet(&self) -> Best {
        TopNComputer::new_with_comparator(self.limit, NaturalComparator)
    }
}

impl Collector for VisibleTop<'_> {
    type Fruit = Vec<(Score, DocAddress)>;
    type Child = VisibleInSegment;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<VisibleInSegment> {
        let (part, statistics) = (self.part, Arc::clone(self.statistics));
        Ok(VisibleInSegment { part, segment, statistics, best: self.none_yet() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        let mut best = self.none_yet();
        segments.into_iter().flatten().for_each(|(score, address)| best.push(score, address));
        Ok(best.into_sorted_vec().into_iter().map(|found| (found.sort_key, found.doc)).collect())
    }
}

impl SegmentCollector for VisibleInSegment {
    type Fruit = Vec<(Score, DocAddress)>;

    fn collect(&mut self, document: DocId, score: Score) {
        if self.statistics.sees(self.part, self.segment, document) {
            self.best.push(score, DocAddress::new(self.segment, document));
        }
    }

    fn harvest(self) -> Self::Fruit {
        // In the order of their addresses, in which those of the next segment are pushed behind them.
        let mut best = self.best.into_vec();
        best.sort_unstable_by_key(|found| found.doc);
        best.into_iter().map(|found| (found.sort_key, found.doc)).collect()
    }
}
