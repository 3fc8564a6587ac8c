use std::collections::HashSet;

use crate::answer::Quantity;
use crate::answer::compose::Wanted;
use crate::domain::{Chunk, Kind, Language};
use crate::intent::references;
use crate::text::{Aspect, WordList, detect, distinct_stems, holds, stem, words};

/// A question as retrieval and gates read it: its content words and what they weigh.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The language it is asked in, or the expected one where its words do not tell.
    pub language: Language,
    /// Whether its words tell: a bare name or code belongs to no language.
    pub language_is_known: bool,
    /// Its distinct content words, folded, without references.
    pub words: Vec<String>,
    /// The weight of each word by idf; 1 until the index has spoken.
    pub weights: Vec<f32>,
    /// The parts of a record that it asks for.
    pub aspects: Vec<Aspect>,
    /// The kinds of document that it names.
    pub kinds: Vec<Kind>,
    /// The quantity that it asks for.
    pub quantity: Option<Quantity>,
}

impl Question {
    /// Reads a question.
    pub fn read(text: &str, language: Language) -> Self {
        let mut rest = text.to_owned();
        for (range, _) in references(text) {
            let length = range.len();
            rest.replace_range(range, &" ".repeat(length));
        }
        let list = WordList::of(language);
        let mut seen = HashSet::new();
        let words: Vec<String> = words(&rest)
            .into_iter()
            .map(|word| word.folded)
            .filter(|word| {
                list.is_content(word)
                    && (word.chars().count() > 1 || word.bytes().all(|b| b.is_ascii_digit()))
            })
            .filter(|word| seen.insert(stem(word, language)))
            .collect();
        let aspects = Aspect::of_question(text, language);
        let aspects = if aspects.is_empty() && words.is_empty() {
            Aspect::default_for(language).into_iter().collect()
        } else {
            aspects
        };
        let language_is_known = detect(text).is_some();
        let (weights, kinds) = (vec![1.0; words.len()], Vec::new());
        let quantity = Quantity::asked_by(text, language);
        Self { language, language_is_known, weights, words, aspects, kinds, quantity }
    }

    /// The stems of its content words, as its own language makes them.
    pub fn stems(&self) -> Vec<String> {
        self.stems_as(self.language)
    }

    fn stems_as(&self, language: Language) -> Vec<String> {
        self.words.iter().map(|word| stem(word, language)).collect()
    }

    /// Whether a chunk is in another language than the question, so that shared words say nothing.
    pub fn is_foreign(&self, chunk: &Chunk) -> bool {
        self.language_is_known && chunk.language != self.language
    }

    /// Whether it has a content word at all.
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// The share of its content words that a chunk holds in text, title or section path, weighted by idf. Words of
    /// another language prove nothing.
    pub fn covered_by(&self, chunk: &Chunk) -> f64 {
        if self.is_foreign(chunk) {
            return 0.0;
        }
        let held = stems_of(chunk);
        // In 64 bits: 7 of 10 words must reach a threshold of 0.7.
        let weight = |weight: &f32| f64::from(*weight);
        let total: f64 = self.weights.iter().map(weight).sum();
        if total <= 0.0 {
            return 0.0;
        }
        let stems = self.stems_as(chunk.language);
        let held_weights =
            stems.iter().zip(&self.weights).filter(|(stem, _)| holds(&held, stem, chunk.language));
        held_weights.map(|(_, held)| weight(held)).sum::<f64>() / total
    }

    /// Its content words that none of the chunks hold, and the share that they do hold together.
    pub fn coverage<'c>(&self, chunks: impl Iterator<Item = &'c Chunk>) -> (f64, Vec<String>) {
        let held: Vec<(Language, HashSet<String>)> = chunks
            .filter(|chunk| !self.is_foreign(chunk))
            .map(|chunk| (chunk.language, stems_of(chunk)))
            .collect();
        let is_held = |word: &String| {
            held.iter().any(|(language, stems)| holds(stems, &stem(word, *language), *language))
        };
        let missing: Vec<String> = self.words.iter().filter(|word| !is_held(word)).cloned().collect();
        let held = self.words.len() - missing.len();
        // Not 1 - missing / all: for one word of five that falls short of 0.2.
        let share = if self.words.is_empty() { 1.0 } else { held as f64 / self.words.len() as f64 };
        (share, missing)
    }

    /// What an answer made of extracts has to cover.
    pub fn wanted(&self) -> Wanted {
        Wanted {
            language: self.language,
            words: self.words.clone(),
            weights: self.weights.clone(),
            aspects: self.aspects.clone(),
            kinds: self.kinds.clone(),
            quantity: self.quantity,
        }
    }
}

fn stems_of(chunk: &Chunk) -> HashSet<String> {
    let above = format!("{} {}", chunk.document.title, chunk.section_path.join(" "));
    let mut held = distinct_stems(&above, chunk.language);
    held.extend(distinct_stems(&chunk.text, chunk.language));
    held
}
