//! A number, day, record or name in the place of another: each is held by the passage, but of something else.

use super::claims::{Day, Needle, Wording, holds_phrase};
use super::clause::Clause;
use super::numbers::Number;
use super::passage::ReadPassage;
use super::support::{Lack, Statement};
use super::vocabulary::{Meaning, Name, UNHELD};
use crate::text::words;

/// Something that a reply states, seen from the clause of the passage that is nearest to it.
struct Stated<'a> {
    written: &'a str,
    /// How many words it takes, a unit of measure included.
    words: usize,
    /// Whether the nearest clause states another of its kind, which the reply leaves out.
    rivalled: bool,
    /// Whether a clause of the passage holds it.
    is_held: Box<dyn Fn(usize) -> bool + 'a>,
}

impl<'a> Stated<'a> {
    fn new(written: &'a str, rivalled: bool, is_held: impl Fn(usize) -> bool + 'a) -> Self {
        Self { written, words: words(written).len(), rivalled, is_held: Box::new(is_held) }
    }
}

impl Statement<'_> {
    /// Whether a clause of the passage speaks of the same things. What it lacks another clause may speak of.
    pub fn names_the_same(&self, passage: &ReadPassage, at: usize) -> Result<(), Lack> {
        let near = &passage.clauses[at];
        let from = if near.leans_back() { at.saturating_sub(1) } else { at };
        let stated = self.stated(passage, near);
        let lacking: Vec<&Stated> =
            stated.iter().filter(|stated| !(from..=at).any(&stated.is_held)).collect();
        let own: usize = lacking.iter().map(|stated| stated.words).sum();
        let is_left = |meaning: &Meaning| *meaning != UNHELD && !near.meanings.contains(meaning);
        let rest: Vec<Meaning> = self.clause.meanings.iter().copied().filter(is_left).collect();
        let wanted = own + rest.len().saturating_sub(own).div_ceil(2).max(1);
        for stated in lacking.into_iter().filter(|stated| stated.rivalled) {
            let explains =
                |other: usize| (stated.is_held)(other) && passage.clauses[other].overlap(&rest) >= wanted;
            if !(0..passage.clauses.len()).any(explains) {
                return Err(Lack::Swapped(stated.written.to_owned()));
            }
        }
        if self.is_of_another_row(passage, near) {
            return Err(Lack::Swapped(self.text.to_owned()));
        }
        if let Some(number) = self.number_of_another(near) {
            return Err(Lack::Swapped(number.to_owned()));
        }
        self.opens_with_a_stranger(near)
    }

    /// A number that the clause gives of something else: in "A takes 4 hours and B takes 12", 12 is not A's.
    fn number_of_another<'c>(&self, near: &'c Clause) -> Option<&'c str> {
        let all = &near.by_number;
        // How much of what is said of this number alone the statement says, too.
        let fit = |at: &usize| {
            let own = &all[*at];
            let is_own =
                |meaning: &&Meaning| !all.iter().any(|other| other != own && other.contains(meaning));
            let of_it_alone: Vec<&Meaning> = own.iter().filter(is_own).collect();
            let shared = of_it_alone.iter().filter(|meaning| self.clause.meanings.contains(meaning)).count();
            shared as f64 / of_it_alone.len().max(1) as f64
        };
        let said =
            |at: &usize| self.unit.numbers.iter().any(|said| said.is_held_by(&near.claims.numbers[*at]));
        let best_unsaid = (0..all.len()).filter(|at| !said(at)).map(|at| fit(&at)).fold(0.0, f64::max);
        let said_here = |at: &usize| {
            self.clause.claims.numbers.iter().any(|said| said.is_held_by(&near.claims.numbers[*at]))
        };
        let stray = (0..all.len()).filter(said_here).find(|at| fit(at) < best_unsaid);
        stray.map(|at| near.claims.numbers[at].written.as_str())
    }

    /// A word that other rows of the table hold, and nothing else does.
    fn is_of_another_row(&self, passage: &ReadPassage, near: &Clause) -> bool {
        let strays = |meaning: &Meaning| {
            let holders = passage.clauses_with(*meaning);
            !near.meanings.contains(meaning)
                && !holders.is_empty()
                && holders.iter().all(|at| passage.clauses[*at].is_row)
        };
        near.is_row && self.clause.meanings.iter().any(strays)
    }

    /// All that the clause states, seen from the nearest clause of the passage.
    fn stated<'s>(&'s self, passage: &'s ReadPassage, near: &'s Clause) -> Vec<Stated<'s>> {
        let claims = &self.clause.claims;
        let clauses = &passage.clauses;
        let numbers = claims.numbers.iter().map(|number| {
            let rivalled = near.claims.numbers.iter().any(|rival| {
                rival.can_stand_for(number) && !self.unit.numbers.iter().any(|said| said.is_held_by(rival))
            });
            // "Severity 1" is no "1 hour"; the cells of a table leave their units out.
            let is_held = |at: usize| {
                let exact = number.unit.is_some() && !clauses[at].is_row;
                let is_it =
                    |held: &Number| if exact { number.is_exactly(held) } else { number.is_held_by(held) };
                clauses[at].claims.all_numbers.iter().any(is_it)
            };
            let stated = Stated::new(&number.written, rivalled, is_held);
            Stated { words: stated.words + usize::from(number.unit.is_some()), ..stated }
        });
        let days = claims.dates.iter().map(|day| {
            let said = |rival: &Day| self.unit.dates.iter().any(|said| said.parts.is_held_by(rival.parts));
            let is_held =
                |at: usize| clauses[at].claims.dates.iter().any(|held| day.parts.is_held_by(held.parts));
            Stated::new(&day.written, !near.claims.dates.iter().all(said), is_held)
        });
        let records = claims.records.iter().map(|record| {
            let rivalled =
                near.claims.records.iter().any(|rival| !self.unit.records.iter().any(|said| said.is(rival)));
            let is_held = |at: usize| clauses[at].claims.records.iter().any(|held| record.is(held));
            Stated::new(&record.written, rivalled, is_held)
        });
        let codes = claims.codes.iter().map(|code| {
            let rivalled =
                near.claims.codes.iter().any(|rival| !holds_phrase(self.unit_plain, &rival.written));
            Stated::new(&code.written, rivalled, |at| holds_phrase(&clauses[at].plain, &code.written))
        });
        let names = self.names(near).into_iter().map(|(name, rivalled)| {
            let needle = Needle::new(&name.written);
            Stated::new(&name.written, rivalled, move |at| needle.is_in(&clauses[at].plain))
        });
        numbers.chain(days).chain(records).chain(codes).chain(names).collect()
    }

    /// The names of the clause, and whether the nearest clause of the passage has others in their place.
    fn names(&self, near: &Clause) -> Vec<(&Wording, bool)> {
        let any_left_out = self.names_left_out(near).next().is_some();
        let mut names: Vec<(&Wording, bool)> =
            self.clause.claims.names.iter().map(|name| (name, any_left_out)).collect();
        if let Some(opening) = &self.clause.opening {
            match self.vocabulary.name(&opening.written) {
                Some(Name::Certain) => names.push((opening, any_left_out)),
                // What a sentence begins with is measured by what the other begins with.
                Some(Name::Opening) => {
                    names.push((opening, near.opening.iter().any(|other| self.is_left_out(&other.written))));
                }
                None => {}
            }
        }
        names
    }

    /// Names of a passage's clause, its first word included, that the reply leaves out.
    fn names_left_out<'c>(&self, near: &'c Clause) -> impl Iterator<Item = &'c str> {
        let names = near.claims.names.iter().chain(&near.opening).map(|name| name.written.as_str());
        names.filter(|name| self.is_left_out(name))
    }

    fn is_left_out(&self, name: &str) -> bool {
        !Needle::new(name).is_in(self.unit_plain) && !self.clause.meanings.contains(&self.meaning(name))
    }

    /// A first word that no passage holds, in the place of a name that the passage gives.
    fn opens_with_a_stranger(&self, near: &Clause) -> Result<(), Lack> {
        let left_out = |name: &str| self.vocabulary.name(name) == Some(Name::Certain);
        match &self.clause.opening {
            Some(opening)
                if self.meaning(&opening.written) == UNHELD && self.names_left_out(near).any(left_out) =>
            {
                Err(Lack::Claim(opening.written.clone()))
            }
            _ => Ok(()),
        }
    }
}
