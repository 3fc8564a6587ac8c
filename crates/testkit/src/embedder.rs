//! An embedder without a model: texts that share words are near.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use plumbline_core::domain::{EmbedderFamily, Language};
use plumbline_core::ports::{Embedder, PortError};
use plumbline_core::text::{WordList, stem, words};

use crate::faults::Faults;

/// The length of a vector.
pub const DIMENSIONS: usize = 512;

/// What two texts without a common word score, about: real models never give 0 either.
const UNRELATED: f32 = 0.15;

/// A hashed bag of content stems, English and Dutch ones together, of length 1.
#[derive(Debug, Clone, Default)]
pub struct ToyEmbedding {
    /// A stem and the word that stands for it.
    synonyms: BTreeMap<String, String>,
}

impl ToyEmbedding {
    /// Words that mean the same, whatever their language: `&[&["retention", "bewaartermijn"]]`.
    pub fn with_synonyms(mut self, groups: &[&[&str]]) -> Self {
        for group in groups {
            let canonical = group.first().copied().unwrap_or_default().to_lowercase();
            for word in *group {
                for stem in both_stems(&word.to_lowercase()) {
                    self.synonyms.insert(stem, canonical.clone());
                }
            }
        }
        self
    }

    /// The vector of a text. A text without words is near to nothing but another one.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0_f32; DIMENSIONS];
        let all: Vec<String> = words(text).into_iter().map(|word| word.folded).collect();
        let mut used: Vec<&String> = all.iter().filter(|word| is_content(word)).collect();
        if used.is_empty() {
            used = all.iter().collect();
        }
        for word in used {
            let stems = both_stems(word);
            let stems = match stems.iter().find_map(|stem| self.synonyms.get(stem)) {
                Some(canonical) => both_stems(canonical),
                None => stems,
            };
            let share = 1.0 / stems.len() as f32;
            for stem in stems {
                let hash = fnv1a(&stem);
                let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
                vector[1 + (hash % (DIMENSIONS as u64 - 1)) as usize] += sign * share;
            }
        }
        normalise(&mut vector);
        // The first dimension is what all texts have in common.
        for value in &mut vector {
            *value *= (1.0 - UNRELATED).sqrt();
        }
        vector[0] = UNRELATED.sqrt();
        normalise(&mut vector);
        vector
    }
}

/// The cosine of two vectors of length 1.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn is_content(word: &str) -> bool {
    Language::all().all(|language| WordList::of(language).is_content(word))
}

fn both_stems(word: &str) -> Vec<String> {
    let mut stems: Vec<String> = Language::all().map(|language| stem(word, language)).collect();
    stems.dedup();
    stems
}

fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

/// An embedder over [`ToyEmbedding`], of the built-in family unless told otherwise.
///
/// Faults are switched through [`FakeEmbedder::faults`]: `embedder.faults.fail(true)`, `.fail_times(5)`, `.hang(true)`.
#[derive(Debug)]
pub struct FakeEmbedder {
    /// What goes wrong, and how many calls there were.
    pub faults: Faults,
    embedding: ToyEmbedding,
    family: EmbedderFamily,
    texts: Mutex<Vec<String>>,
}

impl FakeEmbedder {
    /// An embedder that works.
    pub fn new() -> Self {
        Self {
            faults: Faults::default(),
            embedding: ToyEmbedding::default(),
            family: EmbedderFamily::Local,
            texts: Mutex::default(),
        }
    }

    /// Whose cosines these are said to be.
    pub fn of_family(mut self, family: EmbedderFamily) -> Self {
        self.family = family;
        self
    }

    /// Words that mean the same; give the library the same ones.
    pub fn with_synonyms(mut self, groups: &[&[&str]]) -> Self {
        self.embedding = self.embedding.with_synonyms(groups);
        self
    }

    /// How many times it was called, failures included.
    pub fn calls(&self) -> usize {
        self.faults.calls()
    }

    /// Every text that it was given, in order.
    pub fn texts(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }
}

impl Default for FakeEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Embedder for FakeEmbedder {
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError> {
        self.texts.lock().unwrap().extend_from_slice(texts);
        self.faults.pass("embeddings").await?;
        Ok(texts.iter().map(|text| self.embedding.embed(text)).collect())
    }

    fn family(&self) -> EmbedderFamily {
        self.family
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_near_by_their_words_and_synonyms() {
        let toy = ToyEmbedding::default();
        let of = |toy: &ToyEmbedding, a, b| cosine(&toy.embed(a), &toy.embed(b));
        let near = of(&toy, "Which TLS version do we require?", "We require TLS version 1.3.");
        let far = of(&toy, "Which TLS version do we require?", "Meter data is kept for ten years.");
        assert!(near > 0.7 && (0.0..0.3).contains(&far), "near {near}, far {far}");
        assert!((of(&toy, "any text", "any text") - 1.0).abs() < 1e-5, "vectors have length 1");
        assert!(
            (of(&toy, "", "...") - 1.0).abs() < 1e-5 && of(&toy, "", "TLS") < 0.5,
            "no words, no failure"
        );

        let paraphrase = ("retention period", "bewaartermijn");
        let with =
            toy.clone().with_synonyms(&[&["retention", "bewaartermijn"], &["period", "bewaartermijn"]]);
        let (without, with) = (of(&toy, paraphrase.0, paraphrase.1), of(&with, paraphrase.0, paraphrase.1));
        assert!(with > 0.6 && without < 0.3, "with {with}, without {without}");
    }
}
