//! Whether a passage supports a clause of a reply.

use super::GroundingRules;
use super::claims::{Claims, Day, holds_phrase};
use super::clause::Clause;
use super::numbers::Number;
use super::passage::ReadPassage;
use super::vocabulary::{Meaning, UNHELD, Vocabulary};
use crate::domain::Language;
use crate::numbers::numbers;
use crate::text::{Word, WordList, words};

/// What a passage says to a clause of a reply.
#[derive(Debug, Clone)]
pub(super) struct ClauseSupport {
    /// Whether it supports the clause.
    pub supported: Result<(), Lack>,
    /// How much of the clause its nearest clause holds, 0 to 1.
    pub fit: f64,
}

/// A reason why a passage does not support a clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lack {
    /// This is stated and not held.
    Claim(String),
    /// This is held, but of something else.
    Swapped(String),
    /// The passage says the opposite.
    Opposite,
    /// Too few of the words are held.
    Words,
}

/// A clause of a reply, with what the whole unit says around it.
pub(super) struct Statement<'a> {
    pub clause: &'a Clause,
    /// The clause as written.
    pub text: &'a str,
    /// The claims of the whole unit.
    pub unit: &'a Claims,
    /// The whole unit, made plain.
    pub unit_plain: &'a str,
    /// The words of the turn's passages, and the language in which this passage reads them.
    pub vocabulary: &'a Vocabulary,
    pub language: Language,
}

/// Which of a statement's words each clause of a passage holds, a bit for each word.
struct Held(Vec<u64>);

impl Held {
    fn new(meanings: &[Meaning], passage: &ReadPassage) -> Self {
        let mut held = vec![0; passage.clauses.len()];
        for (bit, meaning) in meanings.iter().take(u64::BITS as usize).enumerate() {
            for at in passage.clauses_with(*meaning) {
                held[*at] |= 1 << bit;
            }
        }
        Self(held)
    }

    fn in_clause(&self, at: usize) -> usize {
        self.0[at].count_ones() as usize
    }

    fn anywhere(&self) -> usize {
        self.0.iter().fold(0, |all, held| all | held).count_ones() as usize
    }

    /// The most that neighbouring clauses hold. What stands above the text is near all of it.
    fn nearby(&self, head: usize) -> usize {
        let (head, text) = self.0.split_at(head);
        let above = head.iter().fold(0, |all, held| all | held);
        let together =
            |window: &[u64]| window.iter().fold(above, |all, held| all | held).count_ones() as usize;
        text.windows(numbers().grounding.window.min(text.len()).max(1))
            .map(together)
            .max()
            .unwrap_or_default()
    }
}

impl Statement<'_> {
    /// What the passage says to the clause.
    pub fn judge(&self, passage: &ReadPassage, rules: GroundingRules) -> ClauseSupport {
        let meanings = &self.clause.meanings;
        let held = Held::new(meanings, passage);
        let overlaps: Vec<usize> = (0..passage.clauses.len())
            .map(|at| held.in_clause(at) + self.days_held_by(&passage.clauses[at]))
            .collect();
        let best = overlaps.iter().skip(passage.head_clauses).copied().max().unwrap_or_default();
        // Of those that hold as many of the words, the one that says least besides.
        let besides = |at: &usize| passage.clauses[*at].content.saturating_sub(held.in_clause(*at));
        let nearest: Vec<usize> =
            (passage.head_clauses..overlaps.len()).filter(|at| overlaps[*at] == best).collect();
        let least = nearest.iter().map(besides).min().unwrap_or_default();
        let nearest: Vec<usize> = nearest.into_iter().filter(|at| besides(at) == least).collect();
        let fit = best as f64 / (meanings.len() + self.clause.claims.dates.len()).max(1) as f64;
        let supported = match self.is_held_by(passage, &held, rules) {
            Ok(()) if self.is_bare() => Ok(()),
            Ok(()) => self.agrees_with_any(passage, &nearest, &held, fit),
            Err(lack) => Err(lack),
        };
        // A bare phrase stands in a passage or does not.
        ClauseSupport {
            fit: if self.is_bare() { f64::from(u8::from(supported.is_ok())) } else { fit },
            supported,
        }
    }

    fn is_bare(&self) -> bool {
        self.clause.meanings.len() <= numbers().grounding.bare_phrase_words
    }

    fn days_held_by(&self, clause: &Clause) -> usize {
        let held = |day: &&Day| clause.claims.dates.iter().any(|held| day.parts.is_held_by(held.parts));
        self.clause.claims.dates.iter().filter(held).count()
    }

    fn numbers_are_held_by(&self, clause: &Clause) -> bool {
        let held = |number: &Number| clause.claims.all_numbers.iter().any(|held| number.is_held_by(held));
        self.clause.claims.numbers.iter().all(held)
    }

    /// Whether the passage holds what is claimed, and enough of the words.
    fn is_held_by(&self, passage: &ReadPassage, held: &Held, rules: GroundingRules) -> Result<(), Lack> {
        if let Some(missing) = passage.missing(&self.clause.claims) {
            return Err(Lack::Claim(missing));
        }
        if self.is_bare() {
            return if self.stands_in(passage, held) { Ok(()) } else { Err(Lack::Words) };
        }
        if let Some(item) = self.unheld_item(passage) {
            return Err(Lack::Claim(item.to_owned()));
        }
        let share = |held: usize| held as f64 / self.clause.meanings.len() as f64;
        let is_short = self.clause.meanings.len() <= numbers().grounding.short_statement_words;
        let holds_last = self.clause.meanings.last().is_some_and(|last| passage.holds(*last));
        let enough = (holds_last || !is_short)
            && share(held.anywhere()) >= rules.min_content_share
            && share(held.nearby(passage.head_clauses)) >= rules.min_local_share;
        if enough { Ok(()) } else { Err(Lack::Words) }
    }

    /// An item of an enumeration of which the passage holds not one word.
    fn unheld_item(&self, passage: &ReadPassage) -> Option<&str> {
        if self.text.matches(',').count() < numbers().grounding.fewest_items {
            return None;
        }
        let list = WordList::of(self.language);
        let is_unheld = |item: &&&str| {
            let content: Vec<Word> =
                words(item).into_iter().filter(|word| list.is_content(&word.folded)).collect();
            let held = |word: &Word| passage.holds(self.vocabulary.find(&word.folded, self.language));
            (1..=numbers().grounding.longest_item).contains(&content.len()) && !content.iter().any(held)
        };
        // The first part and the last hold the sentence around the items.
        let items: Vec<&str> = self.text.split(',').map(str::trim).collect();
        items[1..items.len() - 1].iter().find(is_unheld).copied()
    }

    /// One or two words prove nothing unless they stand together, or are names of which one clause speaks.
    fn stands_in(&self, passage: &ReadPassage, held: &Held) -> bool {
        let (named, count) = (self.clause.claims.name_something(), self.clause.meanings.len());
        let in_one_clause = |at: usize| {
            let clause = &passage.clauses[at];
            held.in_clause(at) == count
                && clause.negated == self.clause.negated
                && !clause.sides.oppose(self.clause.sides)
                && self.days_held_by(clause) == self.clause.claims.dates.len()
                && self.numbers_are_held_by(clause)
        };
        ((named || count > 0) && holds_phrase(&passage.plain, self.text))
            || (named && (0..passage.clauses.len()).any(in_one_clause))
    }

    /// Whether one of the nearest clauses of the passage says the same.
    fn agrees_with_any(
        &self,
        passage: &ReadPassage,
        nearest: &[usize],
        held: &Held,
        fit: f64,
    ) -> Result<(), Lack> {
        let mut lack = Lack::Words;
        for &at in nearest {
            let lacking = self.denies(passage, at, held, fit).or_else(|| self.outcome_unnamed(passage, at));
            match lacking.map_or_else(|| self.names_the_same(passage, at), Err) {
                Ok(()) => return Ok(()),
                Err(found) => lack = found,
            }
        }
        Err(lack)
    }

    /// Whether a clause of the passage says the opposite.
    fn denies(&self, passage: &ReadPassage, at: usize, held: &Held, fit: f64) -> Option<Lack> {
        let near = &passage.clauses[at];
        let before = at.checked_sub(1).filter(|_| near.goes_on);
        let after = passage.clauses.get(at + 1).filter(|after| after.goes_on).map(|_| at + 1);
        // A "not" next to it counts where it denies something that the statement speaks of.
        let neighbour_negated = before
            .into_iter()
            .chain(after)
            .any(|other| passage.clauses[other].negated && held.in_clause(other) > 0);
        let polarity_differs = match (self.clause.negated, near.negated) {
            (true, false) => !neighbour_negated,
            (mine, theirs) => mine != theirs,
        };
        let opposed = self.clause.sides.oppose(near.sides) != self.undoes(near);
        let is_said_whole =
            near.content >= numbers().grounding.bare_phrase_words && held.in_clause(at) >= near.content;
        let same_thing = fit >= numbers().grounding.same_thing || is_said_whole || self.clause.negated;
        let opposite = polarity_differs != opposed && same_thing;
        (opposite || self.affirms_what_is_only_denied(passage, near)).then_some(Lack::Opposite)
    }

    /// Whether a clause of the passage, with what stands above it, says all of this.
    pub fn is_said_outright_in(&self, passage: &ReadPassage) -> bool {
        let above = &passage.clauses[..passage.head_clauses];
        let says = |at: usize| {
            let near = &passage.clauses[at];
            let before = at.checked_sub(1).filter(|_| near.leans_back()).map(|at| &passage.clauses[at]);
            let holds = |meaning: &Meaning| {
                *meaning != UNHELD
                    && above
                        .iter()
                        .chain(before)
                        .chain([near])
                        .any(|clause| clause.meanings.contains(meaning))
            };
            self.clause.meanings.iter().all(holds)
                && near.negated == self.clause.negated
                && !near.sides.oppose(self.clause.sides)
                && (self.clause.restricted || !near.restricted)
        };
        self.is_bare() || (passage.head_clauses..passage.clauses.len()).any(says)
    }

    /// Whether a clause of the passage says all of this in the same order: no reader is needed to see that it follows.
    pub fn is_repeated_in(&self, passage: &ReadPassage) -> bool {
        let says = |near: &Clause| {
            let mut rest = near.meanings.iter();
            let in_order = |meaning: &Meaning| *meaning != UNHELD && rest.any(|held| held == meaning);
            self.clause.meanings.iter().all(in_order)
                && near.negated == self.clause.negated
                && near.restricted == self.clause.restricted
                && !near.sides.oppose(self.clause.sides)
        };
        match self.is_bare() {
            true => holds_phrase(&passage.plain, self.text),
            false => passage.clauses[passage.head_clauses..].iter().any(says),
        }
    }

    /// "We chose A", of a list that A only stands in: how something came out must be said there, or above it.
    fn outcome_unnamed(&self, passage: &ReadPassage, at: usize) -> Option<Lack> {
        let clauses = &passage.clauses;
        let from = if clauses[at].leans_back() { at.saturating_sub(1) } else { at };
        let to = if clauses.get(at + 1).is_some_and(Clause::leans_back) { at + 1 } else { at };
        let mut named = passage.outcomes_above;
        for clause in &clauses[from..=to] {
            // "Then decide", of a proposal, is not "decided".
            named.add(if passage.is_proposal { clause.outcomes.said_only() } else { clause.outcomes });
        }
        (!self.clause.outcomes.are_named_in(named)).then_some(Lack::Words)
    }

    /// Whether one says "unwrapped" where the other says "wrapped".
    fn undoes(&self, near: &Clause) -> bool {
        let undoes = |one: &Clause, other: &Clause| {
            one.undone
                .iter()
                .any(|meaning| other.meanings.contains(meaning) && !other.undone.contains(meaning))
        };
        undoes(self.clause, near) || undoes(near, self.clause)
    }

    /// Whether a word is taken from clauses that deny it, every one, into a statement that does not.
    fn affirms_what_is_only_denied(&self, passage: &ReadPassage, near: &Clause) -> bool {
        let only_denied = |meaning: &Meaning| {
            let holders = passage.clauses_with(*meaning);
            !near.meanings.contains(meaning)
                && !self.vocabulary.is_figure(*meaning)
                && !holders.is_empty()
                && holders.iter().all(|at| passage.clauses[*at].negated)
        };
        !self.clause.negated && !near.negated && self.clause.meanings.iter().any(only_denied)
    }

    /// What a word means as far as the passages know it.
    pub fn meaning(&self, word: &str) -> Meaning {
        words(word).first().map_or(UNHELD, |word| self.vocabulary.find(&word.folded, self.language))
    }
}
