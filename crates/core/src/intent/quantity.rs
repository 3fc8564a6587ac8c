//! Whether a question asks how many, how long or how often, and whether a text says it.

use std::ops::Range;

use super::reference::references;
use crate::domain::Language;
use crate::text::{WordList, words};

/// A quantity that a question asks for, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// How often.
    Often,
    /// How many, how long and the like.
    Much,
}

impl Quantity {
    /// What a question asks for, where that is a quantity alone.
    pub fn asked_by(question: &str, language: Language) -> Option<Self> {
        let list = WordList::of(language);
        let asked = words(question);
        let begins = |at: usize, phrase: &str| {
            let mut written = phrase.split(' ').enumerate();
            written.all(|(by, word)| asked.get(at + by).is_some_and(|asked| asked.folded == word))
        };
        let find = |phrases: &[String]| -> Option<Range<usize>> {
            (0..asked.len()).find_map(|at| {
                let phrase = phrases.iter().find(|phrase| begins(at, phrase))?;
                Some(at..at + phrase.split(' ').count())
            })
        };
        let (phrase, quantity) = find(&list.asking_often)
            .map(|phrase| (phrase, Self::Often))
            .or_else(|| Some((find(&list.asking_much)?, Self::Much)))?;
        let mut others = asked.iter().enumerate().filter(|(at, _)| !phrase.contains(at));
        let asks_more = others.any(|(_, word)| list.question.contains(&word.folded));
        (!asks_more).then_some(quantity)
    }

    /// Whether a text gives it, in figures or in words. The number of a record counts nothing.
    pub fn is_given_by(self, text: &str) -> bool {
        let records: Vec<_> = references(text).into_iter().map(|(range, _)| range).collect();
        let all = words(text);
        all.iter().enumerate().any(|(at, word)| {
            let repeats = is_in(&word.folded, |list, word| list.repeating.contains(word));
            let of_a_unit = || {
                all.get(at + 1)
                    .is_some_and(|next| is_in(&next.folded, |list, word| list.units.contains_key(word)))
            };
            !records.iter().any(|record| record.contains(&word.range.start))
                && (word.folded.contains(|c: char| c.is_numeric())
                    || is_in(&word.folded, is_quantity)
                    || repeats && (self == Self::Often || of_a_unit()))
        })
    }
}

fn is_quantity(list: &WordList, word: &str) -> bool {
    list.quantities.contains(word) || list.numbers.contains_key(word) || list.multipliers.contains_key(word)
}

/// Answers and passages may be in another language than the question.
fn is_in(word: &str, holds: impl Fn(&WordList, &str) -> bool) -> bool {
    WordList::any(|list| holds(list, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_quantity_is_told_from_others() {
        for (question, expected) in [
            ("How many times a day must databases be backed up?", Some(Quantity::Much)),
            ("For how long must the previous version of an API stay up?", Some(Quantity::Much)),
            ("How often is it tested?", Some(Quantity::Often)),
            ("Hoe vaak wordt er gemeten?", Some(Quantity::Often)),
            ("Hoeveel laadpalen komen er?", Some(Quantity::Much)),
            ("How do we back databases up?", None),
            ("Who decides how often rights are reviewed?", None),
            ("Where do roles come from and how often are rights reviewed?", None),
            ("Hoe worden sleutels bewaard?", None),
        ] {
            let language = if question.starts_with("Hoe") { Language::NL } else { Language::EN };
            assert_eq!(Quantity::asked_by(question, language), expected, "{question}");
        }
    }

    #[test]
    fn quantities_come_in_figures_and_in_words() {
        for text in [
            "Tokens live 15 minutes.",
            "De bron antwoordt binnen vijf werkdagen.",
            "Backups run daily.",
            "Elke week.",
        ] {
            assert!(Quantity::Much.is_given_by(text), "{text}");
        }
        for text in [
            "Wie de database beheert weet hoe vaak er een back-up is gemaakt.",
            "ADR.21 speaks of backups.",
            "Every restore brings old records back.",
        ] {
            assert!(!Quantity::Much.is_given_by(text), "{text}");
        }
        assert!(Quantity::Often.is_given_by("It is tested at every change."));
    }
}
