use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use plumbline_core::domain::Language;

use super::{fold_term, language_rank};

/// So many labels that share most trigrams with a term are compared with it letter by letter.
const COMPARED: usize = 200;
/// In a term up to this long, one slip can leave no trigram whole; such a term is compared with all labels of its length.
const SHORT_TERM: usize = 8;
/// Trigrams are counted in so many buckets; two in one make a label seem a little nearer, which the comparison mends.
const BUCKETS: usize = 1 << 16;
/// What a label that differs only by an article or a plural scores; only a label itself would score more.
const SAME_WORD: f64 = 0.99;
/// Enough to prefer the language asked for among equals, and no more.
const LANGUAGE_BONUS: f64 = 0.01;

/// A label that may be suggested, and what leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedLabel {
    /// What a term is compared with: the label itself, or a hidden label or notation of its concept.
    pub key: String,
    /// What is suggested: never a hidden label.
    pub shown: String,
    /// The language of what is suggested.
    pub language: Option<String>,
}

/// Labels in a form that finds those nearest to a term that was not found: by edit distance and shared trigrams, and by
/// the word without its article or plural ending. For suggestions only: nothing here is ever a match.
#[derive(Debug, Clone, Default)]
pub struct NearestLabels {
    entries: Vec<Entry>,
    languages: Vec<Option<String>>,
    /// The entries of each bucket one after the other, and where each bucket begins.
    postings: Vec<u32>,
    begins: Vec<u32>,
    by_length: BTreeMap<usize, Vec<u32>>,
}

#[derive(Debug, Clone)]
struct Entry {
    key: Box<str>,
    shown: Box<str>,
    language: u16,
    trigrams: u16,
    letters: u64,
}

impl NearestLabels {
    /// Makes the labels searchable.
    pub fn new(labels: impl IntoIterator<Item = SuggestedLabel>) -> Self {
        let mut index = Self::default();
        let mut places: HashMap<Option<String>, u16> = HashMap::new();
        for label in labels {
            let key = fold_term(&label.key);
            if key.is_empty() {
                continue;
            }
            let Ok(at) = u32::try_from(index.entries.len()) else { break };
            let length = key.chars().count();
            index.by_length.entry(length).or_default().push(at);
            let language = *places.entry(label.language).or_insert_with_key(|language| {
                index.languages.push(language.clone());
                u16::try_from(index.languages.len() - 1).unwrap_or(u16::MAX)
            });
            index.entries.push(Entry {
                letters: letters(&key),
                trigrams: u16::try_from(length).unwrap_or(u16::MAX),
                shown: label.shown.into_boxed_str(),
                language,
                key: key.into_boxed_str(),
            });
        }
        index.post();
        index
    }

    /// Sorts the entries into their buckets by counting.
    fn post(&mut self) {
        let mut begins = vec![0_u32; BUCKETS + 1];
        for entry in &self.entries {
            for bucket in trigrams(&entry.key) {
                begins[usize::from(bucket) + 1] += 1;
            }
        }
        for bucket in 0..BUCKETS {
            begins[bucket + 1] += begins[bucket];
        }
        let mut free = begins.clone();
        let mut postings = vec![0_u32; begins.last().copied().unwrap_or_default() as usize];
        for (entry, at) in self.entries.iter().zip(0..) {
            for bucket in trigrams(&entry.key) {
                let place = &mut free[usize::from(bucket)];
                postings[*place as usize] = at;
                *place += 1;
            }
        }
        (self.postings, self.begins) = (postings, begins);
    }

    /// The labels nearest to the term, best first, each once.
    pub fn nearest(&self, term: &str, language: Language, limit: usize) -> Vec<String> {
        let term: String = fold_term(term).chars().take(super::MAX_TERM_CHARS).collect();
        if term.is_empty() || limit == 0 {
            return Vec::new();
        }
        let alike = self.alike(&term);
        let mut candidates: BTreeSet<u32> = self.most_alike(&alike).collect();
        if term.chars().count() <= SHORT_TERM {
            candidates.extend(self.within_reach(&term));
        }
        if candidates.len() < limit {
            candidates.extend((0..).take(self.entries.len().min(limit)));
        }
        let asked = stems(&term);
        let mut scored: Vec<(f64, &str)> = Vec::new();
        for at in candidates {
            let Some(entry) = self.entries.get(at as usize) else { continue };
            let same = stems(&entry.key).iter().any(|stem| asked.contains(stem));
            let dice = alike.get(at as usize).copied().unwrap_or_default();
            let near = if same { SAME_WORD } else { similarity(&term, &entry.key, f64::from(dice)) };
            let tag = self.languages.get(usize::from(entry.language)).and_then(Option::as_deref);
            let distance = f64::from(language_rank(tag, language) as u8);
            scored.push((near - LANGUAGE_BONUS * distance / 4.0, &entry.shown));
        }
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let mut labels: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for (_, shown) in scored {
            if labels.len() == limit {
                break;
            }
            if seen.insert(fold_term(shown)) {
                labels.push(shown.to_owned());
            }
        }
        labels
    }

    /// How much of its trigrams each entry shares with the term, from 0 to 1.
    fn alike(&self, term: &str) -> Vec<f32> {
        let asked: BTreeSet<u16> = trigrams(term).collect();
        let mut alike = vec![0_f32; self.entries.len()];
        for bucket in asked.iter().map(|bucket| usize::from(*bucket)) {
            let (Some(from), Some(to)) = (self.begins.get(bucket), self.begins.get(bucket + 1)) else {
                continue;
            };
            for at in self.postings.get(*from as usize..*to as usize).unwrap_or_default() {
                if let Some(shared) = alike.get_mut(*at as usize) {
                    *shared += 1.0;
                }
            }
        }
        for (shared, entry) in alike.iter_mut().zip(&self.entries) {
            *shared = (2.0 * *shared / (asked.len() as f32 + f32::from(entry.trigrams)).max(1.0)).min(1.0);
        }
        alike
    }

    fn most_alike(&self, alike: &[f32]) -> impl Iterator<Item = u32> {
        let mut ranked: Vec<(f32, u32)> =
            alike.iter().copied().zip(0..).filter(|(share, _)| *share > 0.0).collect();
        let order =
            |one: &(f32, u32), other: &(f32, u32)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        if ranked.len() > COMPARED {
            ranked.select_nth_unstable_by(COMPARED, order);
            ranked.truncate(COMPARED);
        }
        ranked.into_iter().map(|(_, at)| at)
    }

    /// Entries that few edits could make of the term. Needed beside trigrams: `cmi` shares none with `cim`.
    fn within_reach(&self, term: &str) -> impl Iterator<Item = u32> {
        let length = term.chars().count();
        let edits = if length <= SHORT_TERM / 2 { 1 } else { 2 };
        let asked = letters(term);
        let lengths = self.by_length.range(length.saturating_sub(edits)..=length + edits);
        lengths.flat_map(|(_, at)| at).copied().filter(move |at| {
            let entry = self.entries.get(*at as usize);
            // An edit changes at most two letters of the set.
            entry.is_some_and(|entry| (entry.letters ^ asked).count_ones() as usize <= 2 * edits)
        })
    }
}

fn similarity(term: &str, key: &str, dice: f64) -> f64 {
    let longest = term.chars().count().max(key.chars().count()).max(1) as f64;
    let edits = strsim::osa_distance(term, key) as f64;
    // The same letters in another order are the likeliest slip.
    let edits = if sorted(term) == sorted(key) { edits / 2.0 } else { edits };
    0.7 * (1.0 - edits / longest) + 0.3 * dice
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// The letters of a text as a set of 64.
fn letters(text: &str) -> u64 {
    text.chars().fold(0, |set, c| set | 1 << (u32::from(c) % 64))
}

/// The buckets of a text's trigrams. One that occurs twice comes twice: that is rare, and sorting them out would take
/// most of the time that loading takes.
fn trigrams(text: &str) -> impl Iterator<Item = u16> {
    let padded = std::iter::once(' ').chain(text.chars()).chain(std::iter::once(' '));
    let hashed = padded.scan(0_u64, |window, c| {
        *window = (*window << 21 | u64::from(u32::from(c))) & ((1 << 63) - 1);
        // Fibonacci hashing: the high bits are the well-mixed ones.
        Some((window.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16)
    });
    hashed.skip(2)
}

/// The forms that a text and its singular have in common, without an article. Rough on purpose: it only suggests.
fn stems(text: &str) -> Vec<String> {
    const ARTICLES: [&str; 6] = ["the ", "a ", "an ", "de ", "het ", "een "];
    const ENDINGS: [(&str, &str); 6] =
        [("ies", "y"), ("'s", ""), ("es", ""), ("en", ""), ("s", ""), ("n", "")];
    const SHORTEST: usize = 3;
    let bare = ARTICLES.iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text);
    let mut stems = vec![bare.to_owned()];
    for (ending, instead) in ENDINGS {
        if let Some(stem) = bare.strip_suffix(ending).filter(|stem| stem.chars().count() >= SHORTEST) {
            stems.push(format!("{stem}{instead}"));
        }
    }
    stems
}
