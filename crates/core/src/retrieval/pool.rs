//! All that the lanes found, put together and brought into one order.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::authority;
use crate::domain::{Candidate, Chunk, DocumentId, Kind, Lane, LaneRank, SourceId};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::ports::Hit;

/// How the lanes' rankings become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusionRules {
    /// How far the question's words lift a chunk that holds all of them: this part of the way from the best cosine to 1.
    pub lexical_weight: f32,
    /// The factor for a kind that the question names, where no reranker decides.
    pub kind_boost: f32,
    /// What is added to the reranker's score for such a kind.
    pub kind_boost_rerank: f32,
}

/// What the words mean that a chunk shares with the question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordsShared {
    /// It is in another language.
    pub is_foreign: bool,
    /// Its document is meant by a name of the question that few passages hold, or by the conversation.
    pub is_named: bool,
}

/// All that the lanes found, each chunk once.
#[derive(Debug, Clone, Default)]
pub struct Pool {
    candidates: BTreeMap<SourceId, Candidate>,
}

impl Pool {
    /// Adds a lane's hits, best first. A chunk that is there already keeps its best place in each lane.
    pub fn add(&mut self, lane: Lane, hits: Vec<Hit>) {
        for (place, hit) in (1_u32..).zip(hits) {
            let new = || Candidate::of_chunk(hit.chunk.clone());
            let entry = self.candidates.entry(hit.chunk.source_id.clone()).or_insert_with(new);
            entry.cosine = best(entry.cosine, hit.cosine);
            entry.lexical = best(entry.lexical, hit.lexical);
            entry.forced |= lane == Lane::Address;
            match entry.ranks.iter_mut().find(|rank| rank.lane == lane) {
                Some(rank) => rank.rank = rank.rank.min(place),
                None => entry.ranks.push(LaneRank { lane, rank: place }),
            }
        }
    }

    /// Adds chunks that no lane ranked: what the question means by a name, or the conversation before it, is among the candidates,
    /// wherever the lanes would have put it.
    pub fn include(&mut self, hits: Vec<Hit>) {
        for hit in hits {
            let new = || Candidate::of_chunk(hit.chunk.clone());
            let entry = self.candidates.entry(hit.chunk.source_id.clone()).or_insert_with(new);
            entry.cosine = best(entry.cosine, hit.cosine);
            entry.named = true;
        }
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The documents that are meant by a name, or by the conversation.
    pub fn named_documents(&self) -> HashSet<DocumentId> {
        let named = self.candidates.values().filter(|candidate| candidate.named);
        named.map(|candidate| candidate.chunk.document.id.clone()).collect()
    }

    /// Marks the chunks that by themselves cover `share` of the question's content words, weighted by idf.
    pub fn mark_witnesses(&mut self, question: &Question, share: impl Fn(&Candidate) -> f64) {
        for candidate in self.candidates.values_mut() {
            candidate.coverage = question.covered_by(&candidate.chunk);
            candidate.witness = question.has_words() && candidate.coverage >= share(candidate);
        }
    }

    /// The candidates by cosine and words together, best first; ties break by chunk id.
    ///
    /// Places say nothing of a lane's worth: the first of a hundred chance matches is a first place too. So scores are
    /// added. Words count for more the further away the nearest chunk is, since the embedder then knows least; that also
    /// makes the rule the same for embedders that use another part of the scale. Their share is squared: one word in
    /// common with a question of several says next to nothing. Words that a passage in another language shares with the
    /// question are chance; a name that few passages hold tells what is meant, however many other words surround it.
    pub fn fuse(
        &self,
        rules: FusionRules,
        named_kinds: &[Kind],
        shared: impl Fn(&Chunk) -> WordsShared,
    ) -> Vec<Candidate> {
        let lift = rules.lexical_weight * (1.0 - self.best_cosine());
        let numbers = &numbers().retrieval;
        // What BM25 gives, of its bound, to a chunk of average length with every word of the question once in it.
        let every_word_once = 1.0 / (numbers.bm25_k1 + 1.0);
        let mut fused: Vec<Candidate> = self.candidates.values().cloned().collect();
        for candidate in &mut fused {
            let lexical = candidate.lexical.map_or(0.0, unit);
            let held = (lexical / every_word_once).min(1.0);
            let shared = shared(&candidate.chunk);
            let word_weight = if shared.is_foreign { numbers.foreign_words } else { 1.0 };
            let name_weight = if shared.is_named { numbers.name_weight } else { 0.0 };
            let words = word_weight * held * held + name_weight;
            let score = candidate.cosine.map_or(lexical, |cosine| unit(cosine) + lift * words);
            let named = named_kinds.contains(&candidate.chunk.document.kind);
            candidate.fused = score * if named { rules.kind_boost } else { authority(&candidate.chunk) };
        }
        sort_by(&mut fused, |candidate| candidate.fused);
        fused
    }

    /// How near the nearest chunk is; a curator's choice is as near as the curator said, which tells nothing here.
    fn best_cosine(&self) -> f32 {
        self.candidates
            .values()
            .filter(|candidate| candidate.ranks.iter().all(|rank| rank.lane != Lane::Curated))
            .filter_map(|candidate| candidate.cosine)
            .map(unit)
            .fold(0.0, f32::max)
    }

    /// How far the nearest document stands out: its cosine over the mean of the next few. Where a subject is foreign to the
    /// library, all of it is about equally far away. Nothing where there is no other document.
    pub fn margin(&self) -> Option<f32> {
        let mut nearest: HashMap<&DocumentId, f32> = HashMap::new();
        for candidate in self.candidates.values() {
            if let Some(cosine) = candidate.cosine.map(unit) {
                let best = nearest.entry(&candidate.chunk.document.id).or_default();
                *best = best.max(cosine);
            }
        }
        let mut cosines: Vec<f32> = nearest.into_values().collect();
        cosines.sort_by(|a, b| b.total_cmp(a));
        let (first, others) = cosines.split_first()?;
        let others = &others[..others.len().min(numbers().retrieval.runners_up)];
        (!others.is_empty()).then(|| first - others.iter().sum::<f32>() / others.len() as f32)
    }

    /// The passages of these documents as the address lane brought them, in their order; nothing where one was not addressed.
    pub fn addressed(&self, documents: &[DocumentId]) -> Option<Vec<Hit>> {
        let place = |candidate: &&Candidate| {
            let ranks = candidate.ranks.iter().find(|rank| rank.lane == Lane::Address);
            ranks.map(|rank| rank.rank)
        };
        let is_of = |id: &DocumentId, candidate: &Candidate| candidate.chunk.document.id == *id;
        let mut passages: Vec<&Candidate> = self
            .candidates
            .values()
            .filter(|found| place(found).is_some() && documents.iter().any(|id| is_of(id, found)))
            .collect();
        if !documents.iter().all(|id| passages.iter().any(|passage| is_of(id, passage))) {
            return None;
        }
        passages.sort_by_key(place);
        let hit = |found: &Candidate| Hit {
            chunk: Arc::clone(&found.chunk),
            cosine: found.cosine,
            lexical: found.lexical,
        };
        Some(passages.into_iter().map(hit).collect())
    }

    /// What is known of a chunk, if a lane found it.
    pub fn get(&self, source: &SourceId) -> Option<&Candidate> {
        self.candidates.get(source)
    }

    /// Each lane's ranking, best first.
    pub fn lanes(&self) -> BTreeMap<Lane, Vec<Candidate>> {
        let mut lanes: BTreeMap<Lane, Vec<(u32, &Candidate)>> = BTreeMap::new();
        for candidate in self.candidates.values() {
            for rank in &candidate.ranks {
                lanes.entry(rank.lane).or_default().push((rank.rank, candidate));
            }
        }
        let best = |mut ranking: Vec<(u32, &Candidate)>| {
            // Stable, over candidates in the order of their ids.
            ranking.sort_by_key(|(rank, _)| *rank);
            ranking.into_iter().map(|(_, candidate)| candidate.clone()).collect()
        };
        lanes.into_iter().map(|(lane, ranking)| (lane, best(ranking))).collect()
    }

    /// The best candidates by cosine: what a reranker reads.
    pub fn best_by_score(&self, limit: usize) -> Vec<Candidate> {
        let mut best: Vec<Candidate> = self.candidates.values().cloned().collect();
        sort_by(&mut best, Candidate::score);
        // What the floor spares is judged too, however far away its text is: typed addresses, then lexical witnesses.
        best.sort_by_key(|candidate| (!candidate.forced, !candidate.witness));
        best.truncate(limit);
        best
    }
}

/// The candidates in the reranker's order, with its boost: the best `keep`, and behind them what floors and the final
/// cut have to find still there: forced hits, witnesses, and the best of each kind that the question names.
pub fn order_by_rerank(
    mut candidates: Vec<Candidate>,
    scores: &[f32],
    rules: FusionRules,
    named_kinds: &[Kind],
    keep: usize,
) -> Vec<Candidate> {
    for (at, candidate) in candidates.iter_mut().enumerate() {
        let boost =
            if named_kinds.contains(&candidate.chunk.document.kind) { rules.kind_boost_rerank } else { 0.0 };
        candidate.rerank = scores.get(at).copied().filter(|score| !score.is_nan());
        candidate.fused = candidate.rerank.map_or(f32::NEG_INFINITY, |score| score + boost);
    }
    sort_by(&mut candidates, |candidate| candidate.fused);
    let mut missing: Vec<Kind> = named_kinds.to_vec();
    let mut place = 0;
    candidates.retain(|candidate| {
        place += 1;
        let kind = missing.iter().position(|kind| *kind == candidate.chunk.document.kind);
        let first_of_kind = kind.map(|at| missing.swap_remove(at)).is_some();
        place <= keep || candidate.is_exempt() || first_of_kind
    });
    candidates
}

/// A score between 0 and 1; 0 where what an index gave is no number.
fn unit(score: f32) -> f32 {
    if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 }
}

fn best(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn sort_by(candidates: &mut [Candidate], key: impl Fn(&Candidate) -> f32) {
    candidates
        .sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id)));
}
