//! A number, day, record or name in the place of another: each is held by the passage, but of something else.

use super::claims::{Day, Needle, holds_phrase};
use super::clause::Clause;
use super::passage::Passage;
use super::support::{Lack, Statement};
use super::vocabulary::{Meaning, UNHELD};
use crate::text::words;

/// Something that a reply states and the clause of the passage nearest to it does not.
struct Lacking<'a> {
    written: &'a str,
    /// Whether that clause states another of its kind, which the reply leaves out.
    rivalled: bool,
    /// Whether a clause of the passage holds it.
    is_held: Box<dyn Fn(usize) -> bool + 'a>,
}

impl Statement<'_> {
    /// Whether a clause of the passage speaks of the same things. What it lacks another clause may speak of.
    pub fn names_the_same(&self, passage: &Passage, at: usize) -> Result<(), Lack> {
        let near = &passage.clauses[at];
        let from = if near.leans_back() { at.saturating_sub(1) } else { at };
        let stated = self.stated(passage, near);
        let lacking: Vec<&Lacking> =
            stated.iter().filter(|lacking| !(from..=at).any(&lacking.is_held)).collect();
        let own: usize = lacking.iter().map(|lacking| words(lacking.written).len()).sum();
        let is_left = |meaning: &Meaning| *meaning != UNHELD && !near.meanings.contains(meaning);
        let rest: Vec<Meaning> = self.clause.meanings.iter().copied().filter(is_left).collect();
        let wanted = own + rest.len().saturating_sub(own).div_ceil(2).max(1);
        for lacking in lacking.iter().filter(|lacking| lacking.rivalled) {
            let explains =
                |other: usize| (lacking.is_held)(other) && passage.clauses[other].overlap(&rest) >= wanted;
            if !(0..passage.clauses.len()).any(explains) {
                return Err(Lack::Swapped(lacking.written.to_owned()));
            }
        }
        self.opens_with_a_stranger(near)
    }

    /// What the clause states, and whether the nearest clause of the passage states another of its kind.
    fn stated<'s>(&'s self, passage: &'s Passage, near: &Clause) -> Vec<Lacking<'s>> {
        let claims = &self.clause.claims;
        let numbers = claims.numbers.iter().map(|number| Lacking {
            written: &number.written,
            rivalled: near.claims.numbers.iter().any(|rival| {
                rival.is_of_a_kind_with(number)
                    && !self.unit.numbers.iter().any(|said| said.is_held_by(rival))
            }),
            is_held: Box::new(move |at| {
                passage.clauses[at].claims.all_numbers.iter().any(|held| number.is_held_by(held))
            }),
        });
        let said = |rival: &Day| self.unit.dates.iter().any(|said| said.parts.is_held_by(rival.parts));
        let days = claims.dates.iter().map(|day| Lacking {
            written: &day.written,
            rivalled: near.claims.dates.iter().any(|rival| !said(rival)),
            is_held: Box::new(move |at| {
                passage.clauses[at].claims.dates.iter().any(|held| day.parts.is_held_by(held.parts))
            }),
        });
        let records = claims.records.iter().map(|record| Lacking {
            written: &record.written,
            rivalled: near
                .claims
                .records
                .iter()
                .any(|rival| !self.unit.records.iter().any(|said| said.is(rival))),
            is_held: Box::new(move |at| {
                passage.clauses[at].claims.records.iter().any(|held| record.is(held))
            }),
        });
        let codes = claims.codes.iter().map(|code| Lacking {
            written: &code.written,
            rivalled: near.claims.codes.iter().any(|rival| !holds_phrase(self.unit_plain, &rival.written)),
            is_held: Box::new(move |at| holds_phrase(&passage.clauses[at].plain, &code.written)),
        });
        let opening =
            self.clause.opening.iter().filter(|opening| self.vocabulary.knows_name(&opening.written));
        let name_rivalled = self.names_left_out(near).next().is_some();
        let names = claims.names.iter().chain(opening).map(|name| {
            let needle = Needle::new(&name.written);
            Lacking {
                written: &name.written,
                rivalled: name_rivalled,
                is_held: Box::new(move |at| needle.is_in(&passage.clauses[at].plain)),
            }
        });
        numbers.chain(days).chain(records).chain(codes).chain(names).collect()
    }

    /// Names of a passage's clause, its first word included, that the reply leaves out.
    fn names_left_out<'c>(&self, near: &'c Clause) -> impl Iterator<Item = &'c str> {
        let names = near.claims.names.iter().chain(&near.opening).map(|name| name.written.as_str());
        names.filter(|name| {
            !Needle::new(name).is_in(self.unit_plain) && !self.clause.meanings.contains(&self.meaning(name))
        })
    }

    /// A first word that no passage holds, in the place of a name that the passage gives.
    fn opens_with_a_stranger(&self, near: &Clause) -> Result<(), Lack> {
        match &self.clause.opening {
            Some(opening)
                if self.meaning(&opening.written) == UNHELD
                    && self.names_left_out(near).any(|name| self.vocabulary.knows_name(name)) =>
            {
                Err(Lack::Claim(opening.written.clone()))
            }
            _ => Ok(()),
        }
    }
}
