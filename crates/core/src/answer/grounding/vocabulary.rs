//! The words of a turn's passages, each looked into once.

use std::collections::HashSet;

use crate::domain::Language;
use crate::language::{Lexicon, Map, Traits};

/// A word by what it means: words with the same stem, or synonyms, share it.
pub(super) type Meaning = u32;

/// What a word means that no passage holds.
pub(super) const UNHELD: Meaning = Meaning::MAX;

/// What is known of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub meaning: Meaning,
    pub traits: Traits,
}

/// Why a word may be a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A sentence begins with it, and it is capitalised for that reason or another.
    Opening,
    /// It is capitalised where only names are.
    Certain,
}

/// The words of a turn's passages, each looked into once.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// By language, as far as a passage is written in it.
    by_word: Vec<Map<String, Known>>,
    by_stem: Map<String, Meaning>,
    /// Those that are figures.
    figures: HashSet<Meaning>,
    /// Names, folded.
    names: Map<String, Name>,
}

impl Vocabulary {
    /// Takes a passage's word in.
    pub fn learn(&mut self, folded: &str, language: Language) -> Known {
        if self.by_word.len() <= language.index() {
            self.by_word.resize_with(language.index() + 1, Map::default);
        }
        let words = &mut self.by_word[language.index()];
        if let Some(known) = words.get(folded) {
            return *known;
        }
        let next = self.by_stem.len() as Meaning;
        let stem = Lexicon::of(language).canonical(folded, language);
        let known = Known {
            meaning: *self.by_stem.entry(stem).or_insert(next),
            traits: Lexicon::of(language).traits(folded),
        };
        if folded.chars().all(char::is_numeric) {
            self.figures.insert(known.meaning);
        }
        words.insert(folded.to_owned(), known);
        known
    }

    /// Whether it stands for a figure, which may be part of a number: the 0 of "TLS 1.0".
    pub fn is_figure(&self, meaning: Meaning) -> bool {
        self.figures.contains(&meaning)
    }

    /// Takes in a name, or what a sentence of a passage begins with.
    pub fn learn_name(&mut self, word: &str, name: Name) {
        let held = self.names.entry(word.to_lowercase()).or_insert(name);
        *held = (*held).max(name);
    }

    /// Whether a passage holds the word as a name.
    pub fn name(&self, word: &str) -> Option<Name> {
        self.names.get(&word.to_lowercase()).copied()
    }

    fn known(&self, folded: &str, held: Language) -> Option<&Known> {
        self.by_word.get(held.index())?.get(folded)
    }

    /// What a word means as far as passages of a language know it.
    pub fn find(&self, folded: &str, held: Language) -> Meaning {
        if let Some(known) = self.known(folded, held) {
            return known.meaning;
        }
        let stem = Lexicon::of(held).canonical(folded, held);
        self.by_stem.get(&stem).copied().unwrap_or(UNHELD)
    }

    /// What is known of a reply's word, written in one language and held against passages of another.
    pub fn look_up(&self, folded: &str, written: Language, held: Language) -> Known {
        match self.known(folded, held) {
            Some(known) if written == held => *known,
            _ => Known { meaning: self.find(folded, held), traits: Lexicon::of(written).traits(folded) },
        }
    }
}
