//! Cuts of the ranked candidates: floor, distance, near-duplicates, share per document, share in all.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::{Candidate, DocumentId, Kind};
use crate::text::words;

/// Why a candidate did not make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Under the noise floor.
    Noise,
    /// Further away than its collection allows.
    Distance,
    /// Nearly the same text as a better one.
    Duplicate,
    /// Its document has its share.
    PerDocument,
    /// The answer has its share.
    Total,
}

impl Cut {
    /// The name in the audit record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::Distance => "distance",
            Self::Duplicate => "duplicate",
            Self::PerDocument => "per_document",
            Self::Total => "total",
        }
    }
}

/// The numbers of the filters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterRules {
    /// Candidates that score less are noise.
    pub floor: f32,
    /// Texts more alike than this are duplicates.
    pub overlap: f64,
    /// At most this many chunks of one document.
    pub per_document: usize,
    /// At most this many chunks in all.
    pub total: usize,
    /// So many documents beside those may have a chunk, ...
    pub further: usize,
    /// ... where the reader gives it at least these log-odds to answer.
    pub surely: f32,
}

/// What the filters kept, in order, and what they cut.
#[derive(Debug, Clone, Default)]
pub struct Filtered {
    /// Kept, best first.
    pub kept: Vec<Candidate>,
    /// Cut, and why.
    pub cut: Vec<(Candidate, Cut)>,
}

/// Floor, distance, near-duplicates, share per document, share in all, in this order. `too_far` is the answer of the
/// candidate's collection. Forced hits and witnesses pass floor and distance; every kind that the question names and
/// every document that it names keeps a place in the final cut.
pub fn apply_filters(
    ranked: Vec<Candidate>,
    rules: FilterRules,
    named_kinds: &[Kind],
    too_far: impl Fn(&Candidate) -> bool,
) -> Filtered {
    let mut filtered = Filtered::default();
    let mut distinct: Vec<(Candidate, WordPairs)> = Vec::new();
    for candidate in ranked {
        let cut = if candidate.is_exempt() {
            None
        } else if candidate.score().is_nan() || candidate.score() < rules.floor {
            Some(Cut::Noise)
        } else {
            too_far(&candidate).then_some(Cut::Distance)
        };
        if let Some(cut) = cut {
            filtered.cut.push((candidate, cut));
            continue;
        }
        let pairs = WordPairs::of(&candidate.chunk.text);
        let double = distinct.iter().position(|(kept, kept_pairs)| {
            !both_addressed(kept, &candidate) && kept_pairs.similarity(&pairs) > rules.overlap
        });
        match double {
            None => distinct.push((candidate, pairs)),
            // The record that the user named is shown under its own name, not under its double's.
            Some(at) if candidate.forced && !distinct[at].0.forced => {
                let (double, _) = std::mem::replace(&mut distinct[at], (candidate, pairs));
                filtered.cut.push((double, Cut::Duplicate));
            }
            Some(_) => filtered.cut.push((candidate, Cut::Duplicate)),
        }
    }

    let mut per_document: HashMap<DocumentId, usize> = HashMap::new();
    let mut limited: Vec<Candidate> = Vec::new();
    for (candidate, _) in distinct {
        let count = per_document.entry(candidate.chunk.document.id.clone()).or_default();
        if *count < rules.per_document {
            *count += 1;
            limited.push(candidate);
        } else {
            filtered.cut.push((candidate, Cut::PerDocument));
        }
    }

    let reserved = reserved_places(&limited, named_kinds, rules.total);
    let mut open = rules.total - reserved.len();
    let mut further = rules.further;
    for (at, candidate) in limited.into_iter().enumerate() {
        if reserved.contains(&at) {
            filtered.kept.push(candidate);
        } else if open > 0 {
            open -= 1;
            filtered.kept.push(candidate);
        } else if further > 0
            && surely_answers(&candidate, rules.surely)
            && is_unheard(&candidate, &filtered.kept)
        {
            further -= 1;
            filtered.kept.push(candidate);
        } else {
            filtered.cut.push((candidate, Cut::Total));
        }
    }
    filtered
}

fn surely_answers(candidate: &Candidate, surely: f32) -> bool {
    candidate.read.is_some_and(|odds| odds >= surely)
}

/// Whether none of these is of the same document.
fn is_unheard(candidate: &Candidate, kept: &[Candidate]) -> bool {
    !kept.iter().any(|kept| kept.chunk.document.id == candidate.chunk.document.id)
}

/// Whether both were asked for by name, as two documents: each keeps its place, however alike they are.
fn both_addressed(a: &Candidate, b: &Candidate) -> bool {
    a.forced && b.forced && a.chunk.document.id != b.chunk.document.id
}

/// The best candidate of each document that was addressed and of each kind that was named, as far as there is room.
fn reserved_places(candidates: &[Candidate], named_kinds: &[Kind], total: usize) -> Vec<usize> {
    let mut seen: HashSet<&DocumentId> = HashSet::new();
    let addressed = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.forced && seen.insert(&candidate.chunk.document.id))
        .map(|(at, _)| at);
    let kinds = named_kinds
        .iter()
        .filter_map(|kind| candidates.iter().position(|candidate| candidate.chunk.document.kind == *kind));
    let mut places: Vec<usize> = Vec::new();
    for at in addressed.chain(kinds) {
        if places.len() < total && !places.contains(&at) {
            places.push(at);
        }
    }
    places
}

/// How alike two texts are, from 0 to 1: the share of neighbouring word pairs that they have in common.
pub fn text_similarity(a: &str, b: &str) -> f64 {
    WordPairs::of(a).similarity(&WordPairs::of(b))
}

/// The neighbouring word pairs of a text, hashed and sorted, each as often as it occurs.
struct WordPairs(Vec<u64>);

impl WordPairs {
    fn of(text: &str) -> Self {
        let mut last = String::new();
        let mut pairs: Vec<u64> = words(text)
            .into_iter()
            .map(|word| {
                let mut hasher = DefaultHasher::new();
                last.hash(&mut hasher);
                word.folded.hash(&mut hasher);
                last = word.folded;
                hasher.finish()
            })
            .collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    fn similarity(&self, other: &Self) -> f64 {
        let total = self.0.len() + other.0.len();
        if total == 0 {
            return 1.0;
        }
        let (mut a, mut b, mut common) = (self.0.iter().peekable(), other.0.iter().peekable(), 0_usize);
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.cmp(y) {
                Ordering::Less => drop(a.next()),
                Ordering::Greater => drop(b.next()),
                Ordering::Equal => {
                    common += 1;
                    a.next();
                    b.next();
                }
            }
        }
        2.0 * common as f64 / total as f64
    }
}
