//! How a language says the same in other words, for holding a model's sentence against a passage: `grounding.toml`.

use std::collections::HashSet;

use serde::Deserialize;

use super::error::PackError;
use super::map::Map;
use super::{Language, WordList};

/// What the words of a language do in a sentence, and which may stand for each other.
pub(crate) struct Lexicon {
    /// Stems that may stand for each other, by the first of their group.
    same: Map<String, String>,
    traits: Map<String, Traits>,
    not_negating: Vec<Vec<String>>,
    /// Letters that end a stem in some of its forms, and those that end it in the others.
    hardened: Vec<(char, char)>,
    /// Prefixes that turn a word into its opposite.
    pub undoing: Vec<String>,
    /// Parts of the words for a record.
    pub records: Vec<String>,
}

/// What a word does in a sentence.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traits {
    /// It says nothing about the subject: a function word, a negation, a permission.
    pub empty: bool,
    /// It carries a sentence but not its subject.
    pub light: bool,
    /// It turns a sentence around.
    pub negation: bool,
    /// It turns around only what follows it.
    pub apart: bool,
    /// It points back at the sentence before.
    pub pronoun: bool,
    /// It begins a new statement behind a comma.
    pub joint: bool,
    /// It makes what is said hold only under a condition.
    pub restricts: bool,
    /// The sides of the pairs of opposites that it takes.
    pub sides: Sides,
    /// The outcomes of which it speaks.
    pub outcomes: Outcomes,
}

/// How something came out: chosen, rejected, approved. A bit for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    /// Those that are said to have come about.
    said: u8,
    /// Those that are spoken of in any way.
    named: u8,
}

impl Outcomes {
    /// Takes in the outcomes of a word, or of another text.
    pub fn add(&mut self, more: Self) {
        self.said |= more.said;
        self.named |= more.named;
    }

    /// Those alone that are said to have come about.
    pub fn said_only(self) -> Self {
        Self { said: self.said, named: self.said }
    }

    /// Whether all that is said to have come about is spoken of in another text.
    pub fn are_named_in(self, other: Self) -> bool {
        self.said & !other.named == 0
    }
}

/// Which sides of the pairs of opposites a text takes, a bit for each pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sides {
    one: u32,
    other: u32,
}

impl Sides {
    /// Takes in the sides of a word.
    pub fn add(&mut self, more: Self) {
        self.one |= more.one;
        self.other |= more.other;
    }

    /// Whether one text takes a side of which the other takes only the opposite.
    pub fn oppose(self, other: Self) -> bool {
        let mine = (self.one & !self.other, self.other & !self.one);
        let theirs = (other.one & !other.other, other.other & !other.one);
        (mine.0 & theirs.1) | (mine.1 & theirs.0) != 0
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    synonyms: Vec<Vec<String>>,
    light: HashSet<String>,
    hardened: Vec<(char, char)>,
    undoing: Vec<String>,
    not_negating: Vec<String>,
    negation: HashSet<String>,
    apart: HashSet<String>,
    joints: HashSet<String>,
    restricting: HashSet<String>,
    pronouns: HashSet<String>,
    records: Vec<String>,
    opposites: Vec<Pair>,
    outcomes: OutcomeWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeWords {
    chosen: Outcome,
    rejected: Outcome,
    approved: Outcome,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    said: Vec<String>,
    named: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    one: Vec<String>,
    other: Vec<String>,
}

/// A pair of opposites is a bit of so many.
const MOST_OPPOSITES: usize = u32::BITS as usize;

impl Source {
    pub fn read(
        self,
        words: &WordList,
        stem: impl Fn(&str) -> String,
        file: &str,
    ) -> Result<Lexicon, PackError> {
        if self.opposites.len() > MOST_OPPOSITES {
            let problem = format!("there can be {MOST_OPPOSITES} pairs at most");
            return Err(PackError::Value { file: file.to_owned(), key: "opposites".to_owned(), problem });
        }
        let mut same = Map::default();
        for group in &self.synonyms {
            let stems: Vec<String> = group.iter().map(|word| stem(word)).collect();
            let Some(first) = stems.first().cloned() else { continue };
            for stem in stems {
                same.entry(stem).or_insert_with(|| first.clone());
            }
        }
        let phrase = |phrase: &String| phrase.split(' ').map(str::to_owned).collect();
        Ok(Lexicon {
            same,
            traits: traits(&self, words),
            not_negating: self.not_negating.iter().map(phrase).collect(),
            hardened: self.hardened,
            undoing: self.undoing,
            records: self.records,
        })
    }
}

impl Lexicon {
    /// The lexicon of a language.
    pub fn of(language: Language) -> &'static Self {
        &language.pack().lexicon
    }

    /// The stem of a word, or the one that stands for its synonyms.
    pub fn canonical(&self, word: &str, language: Language) -> String {
        let mut stem = language.pack().stem(word);
        let last = stem.chars().next_back();
        if let Some((soft, hard)) = self.hardened.iter().find(|(soft, _)| last == Some(*soft)) {
            stem.truncate(stem.len() - soft.len_utf8());
            stem.push(*hard);
        }
        self.same.get(&stem).cloned().unwrap_or(stem)
    }

    /// What a word does in a sentence.
    pub fn traits(&self, word: &str) -> Traits {
        self.traits.get(word).copied().unwrap_or_default()
    }

    /// Whether the negation at the head of these words is no denial ("no more than").
    pub fn denies_nothing<'w>(&self, words: impl Iterator<Item = &'w str> + Clone) -> bool {
        self.not_negating.iter().any(|phrase| {
            let mut words = words.clone();
            phrase.iter().all(|wanted| words.next() == Some(wanted))
        })
    }
}

fn traits(pack: &Source, list: &WordList) -> Map<String, Traits> {
    let mut all: Map<String, Traits> = Map::default();
    let mut mark = |word: &String, set: &dyn Fn(&mut Traits)| set(all.entry(word.clone()).or_default());
    for word in
        [&list.stop, &list.question, &list.kind, &list.negation, &list.permission].into_iter().flatten()
    {
        mark(word, &|traits| traits.empty = true);
    }
    for word in list.negation.iter().chain(&pack.negation) {
        mark(word, &|traits| (traits.negation, traits.empty) = (true, true));
    }
    pack.apart.iter().for_each(|word| mark(word, &|traits| traits.apart = true));
    pack.light.iter().for_each(|word| mark(word, &|traits| traits.light = true));
    pack.pronouns.iter().for_each(|word| mark(word, &|traits| traits.pronoun = true));
    pack.joints.iter().for_each(|word| mark(word, &|traits| traits.joint = true));
    pack.restricting.iter().for_each(|word| mark(word, &|traits| traits.restricts = true));
    for (at, pair) in pack.opposites.iter().enumerate() {
        pair.one.iter().for_each(|word| mark(word, &|traits| traits.sides.one |= 1 << at));
        pair.other.iter().for_each(|word| mark(word, &|traits| traits.sides.other |= 1 << at));
    }
    let outcomes = &pack.outcomes;
    for (at, outcome) in [&outcomes.chosen, &outcomes.rejected, &outcomes.approved].into_iter().enumerate() {
        outcome.said.iter().for_each(|word| mark(word, &|traits| traits.outcomes.said |= 1 << at));
        let named = outcome.said.iter().chain(&outcome.named);
        named.for_each(|word| mark(word, &|traits| traits.outcomes.named |= 1 << at));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_its_own_opposite() {
        for language in Language::all() {
            for (word, Traits { sides, .. }) in &Lexicon::of(language).traits {
                assert_eq!(sides.one & sides.other, 0, "{word}");
            }
        }
    }

    #[test]
    fn synonyms_share_a_stem() {
        let english = Lexicon::of(Language::EN);
        assert_eq!(english.canonical("retention", Language::EN), english.canonical("kept", Language::EN));
        assert_ne!(english.canonical("replaced", Language::EN), english.canonical("kept", Language::EN));
    }
}
