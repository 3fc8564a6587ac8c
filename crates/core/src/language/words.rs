//! The words of a language, as the analysis needs to know them: `words.toml`.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::{Language, Pack};

/// What the analysis knows of a language's words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordList {
    /// Words that say nothing about the subject.
    pub stop: HashSet<String>,
    /// Words that ask.
    pub question: HashSet<String>,
    /// Words that ask how often.
    pub asking_often: Vec<String>,
    /// Words that ask how many, how long and the like.
    pub asking_much: Vec<String>,
    /// Words that give a quantity, beside numbers.
    pub quantities: HashSet<String>,
    /// Words that give one where it is asked how often, or before a unit.
    pub repeating: HashSet<String>,
    /// Words that join two things.
    pub and: Vec<String>,
    /// Words that leave a choice between two things.
    pub or: Vec<String>,
    /// Words after which the reasons follow, perhaps as a list.
    pub because: HashSet<String>,
    /// What a sentence calls the list or table behind it.
    pub listing: HashSet<String>,
    /// Words beside that which say that it follows.
    pub following: HashSet<String>,
    /// First words of what takes a side.
    pub sides: SideWords,
    /// Words that name a kind of document.
    pub kind: HashSet<String>,
    /// Words that turn a sentence around.
    pub negation: HashSet<String>,
    /// Words of permission.
    pub permission: HashSet<String>,
    /// Abbreviations whose full stop ends no sentence.
    pub abbreviations: HashSet<String>,
    /// Words by which a text gives its language away.
    pub telltale: HashSet<String>,
    /// Words for one, which count only before a unit.
    pub one: Vec<String>,
    /// Words for one behind or inside another number.
    pub one_in_numbers: Vec<String>,
    /// Words that divide what was counted by what follows.
    pub rates: Vec<String>,
    /// What may follow the number of a day.
    pub ordinals: Vec<String>,
    /// Words between a day and its month.
    pub of_month: Vec<String>,
    /// How tens and ones are written as one word, where they are.
    pub compound_numbers: Option<CompoundNumbers>,
    /// Number words.
    pub numbers: HashMap<String, u64>,
    /// Words that multiply the number before them.
    pub multipliers: HashMap<String, u64>,
    /// Names of months.
    pub months: HashMap<String, i8>,
    /// Units of measure and the name they share over languages.
    pub units: HashMap<String, String>,
}

/// First words of what takes a side: "Good, because …".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideWords {
    /// Of what speaks for something.
    pub pro: HashSet<String>,
    /// Of what speaks against it.
    pub contra: HashSet<String>,
}

/// How tens and ones are written as one word: "vijfentwintig".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompoundNumbers {
    /// What stands between the ones and the tens.
    pub joint: String,
    /// What the word for every ten ends in; few other words do.
    pub ending: String,
}

impl WordList {
    /// Whether a word is in one of the short lists of any language.
    pub fn any_lists(list: fn(&Self) -> &Vec<String>, word: &str) -> bool {
        Self::any(|words| list(words).iter().any(|known| known == word))
    }

    /// Whether this holds of the list of any language: a text may hold words of others than its own.
    pub fn any(holds: impl Fn(&Self) -> bool) -> bool {
        Pack::all().any(|pack| holds(&pack.words))
    }

    /// The list of a language.
    pub fn of(language: Language) -> &'static Self {
        &language.pack().words
    }

    /// Whether the word says something about the subject.
    pub fn is_content(&self, word: &str) -> bool {
        !(self.stop.contains(word) || self.question.contains(word) || self.kind.contains(word))
    }
}
