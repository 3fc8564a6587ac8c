//! A record's passages as sections of a known sort, and pieces of them that can be shown.

use super::parts::{CONTEXT, Part, RATIONALE};
use super::piece::Piece;
use crate::answer::sides::{Side, sided};
use crate::domain::Chunk;
use crate::language::Pack;
use crate::text::{
    AGAINST, ALTERNATIVES, Block, CONSEQUENCES, DECISION, FOR, MORE, STATUS, UnitKind, aspect_of_heading,
    blocks, is_field, is_filled_in, is_picture, is_quotable, words,
};

/// A passage and what its section is.
struct Passage<'r> {
    at: usize,
    chunk: &'r Chunk,
    aspect: Option<&'static str>,
    /// The heading that tells, or the innermost one.
    heading: Option<&'r str>,
}

/// The passages of a record, each with what its section is.
pub(super) struct Sections<'r> {
    passages: Vec<Passage<'r>>,
}

impl<'r> Sections<'r> {
    pub fn of(record: &[&'r Chunk]) -> Self {
        let passage = |(at, chunk): (usize, &&'r Chunk)| {
            // The innermost heading that is known decides: consequences inside the outcome are consequences.
            let known =
                chunk.section_path.iter().rev().find_map(|path| Some((aspect_of_heading(path)?, path)));
            let heading = known.map_or_else(|| chunk.section(), |(_, path)| Some(path.as_str()));
            Passage { at, chunk, aspect: known.map(|(aspect, _)| aspect), heading }
        };
        Self { passages: record.iter().enumerate().map(passage).collect() }
    }

    /// The heading that tells what each passage is, or the innermost one, and what it tells.
    pub fn headings(&self) -> impl Iterator<Item = (Option<&'r str>, Option<&'static str>)> + '_ {
        self.passages.iter().map(|passage| (passage.heading, passage.aspect))
    }

    /// A part of the record, up to a length but a block at least; what comes next to it where there is none of that name.
    pub fn part(&self, part: &Part, limit: usize) -> Vec<Piece<'r>> {
        let of = |aspect: &str| self.under(|passage| passage.aspect == Some(aspect), limit);
        let first = part.aspect.map_or_else(|| self.headed(&part.name, limit), of);
        if !first.is_empty() {
            return first;
        }
        match part.aspect {
            Some(RATIONALE) => {
                let reasoned = self.reasons(limit);
                if reasoned.is_empty() { of(CONTEXT) } else { reasoned }
            }
            Some(DECISION) => self.lead(limit),
            // A principle gives its rationale where a decision gives its context.
            Some(CONTEXT) => of(RATIONALE),
            Some(side @ (FOR | AGAINST)) => self.side_of_choice(side, limit),
            _ => Vec::new(),
        }
    }

    /// What the record has under a heading of the reader's own: the section of that name, else what is meant by it. Nothing else
    /// stands in for a part that it does not have.
    pub fn wished(&self, part: &Part, limit: usize) -> Vec<Piece<'r>> {
        let of = |aspect: &str| self.under(|passage| passage.aspect == Some(aspect), limit);
        let named = self.headed(&part.name, limit);
        if !named.is_empty() {
            return named;
        }
        match part.aspect {
            Some(DECISION) => {
                let decided = of(DECISION);
                // What stands under headings of the record's own may be what it decides; what it calls otherwise is not.
                if decided.is_empty() {
                    self.under(|passage| passage.aspect.is_none(), limit)
                } else {
                    decided
                }
            }
            Some(side @ (FOR | AGAINST)) => {
                let taken = self.side_of_choice(side, limit);
                if taken.is_empty() { of(CONSEQUENCES) } else { taken }
            }
            _ => self.part(part, limit),
        }
    }

    fn headed(&self, name: &str, limit: usize) -> Vec<Piece<'r>> {
        let named = name.to_lowercase();
        self.under(|passage| passage.heading.is_some_and(|heading| heading.to_lowercase() == named), limit)
    }

    /// What the record decides, where it has a section for it whose first block is not longer.
    pub fn decided(&self, limit: usize) -> Option<Piece<'r>> {
        let first = self.under(|passage| passage.aspect == Some(DECISION), limit).into_iter().next()?;
        (first.text.chars().count() <= limit).then_some(first)
    }

    /// What the decision itself gives as its reasons.
    fn reasons(&self, limit: usize) -> Vec<Piece<'r>> {
        let decided = self.passages.iter().filter(|passage| passage.aspect == Some(DECISION));
        let reasoned = decided.flat_map(pieces).filter(|piece| {
            let held = words(piece.text);
            Pack::all().any(|pack| held.iter().any(|word| pack.words.because.contains(&word.folded)))
        });
        within(reasoned, limit)
    }

    /// What the record begins with, for one that has no section for what it decides.
    fn lead(&self, limit: usize) -> Vec<Piece<'r>> {
        self.under(|passage| !matches!(passage.aspect, Some(STATUS | MORE)), limit)
    }

    fn under(&self, is_wanted: impl Fn(&Passage<'r>) -> bool, limit: usize) -> Vec<Piece<'r>> {
        within(self.passages.iter().filter(|passage| is_wanted(passage)).flat_map(pieces), limit)
    }

    /// So many sentences: the first of each part in turn, then the second of each.
    pub fn sentences(&self, parts: &[Part], count: usize) -> Vec<Piece<'r>> {
        let found: Vec<Vec<Piece<'r>>> = parts
            .iter()
            .map(|part| {
                let pieces = self.part(part, usize::MAX);
                pieces.iter().flat_map(|piece| self.units_of(piece)).collect()
            })
            .collect();
        let longest = found.iter().map(Vec::len).max().unwrap_or(0);
        let mut taken: Vec<usize> = vec![0; found.len()];
        let mut left = count;
        for round in 0..longest {
            for (at, sentences) in found.iter().enumerate() {
                if left > 0 && round < sentences.len() {
                    taken[at] += 1;
                    left -= 1;
                }
            }
        }
        found
            .into_iter()
            .zip(taken)
            .flat_map(|(sentences, taken)| sentences.into_iter().take(taken))
            .collect()
    }

    fn units_of(&self, piece: &Piece<'r>) -> Vec<Piece<'r>> {
        let text: &'r str = piece.text;
        let found = crate::text::units(text);
        let unit = |unit: crate::text::Unit| Piece {
            passage: piece.passage,
            text: &text[unit.range],
            heading: piece.heading,
            kind: unit.kind,
        };
        found.into_iter().filter(|found| is_quotable(text, found)).map(unit).collect()
    }

    /// What speaks for the record's choice or one of its options, and what against it.
    pub fn sides(&self, option: Option<usize>) -> (Vec<Piece<'r>>, Vec<Piece<'r>>) {
        let path = option.and_then(|number| self.option(number));
        let wanted: Vec<&Passage<'r>> = self
            .passages
            .iter()
            .filter(|passage| {
                path.is_none_or(|path| passage.chunk.section_path.iter().any(|part| part == path))
            })
            .collect();
        told_apart(wanted.into_iter())
    }

    /// What speaks for what the record chose, or what against it: not what it says of its options.
    fn side_of_choice(&self, side: &str, limit: usize) -> Vec<Piece<'r>> {
        let is_option = |passage: &&Passage<'r>| {
            let path = &passage.chunk.section_path;
            path.iter().any(|heading| aspect_of_heading(heading) == Some(ALTERNATIVES))
        };
        let chosen = self.passages.iter().filter(|passage| !is_option(passage));
        let (pro, contra) = told_apart(chosen);
        within((if side == FOR { pro } else { contra }).into_iter(), limit)
    }

    /// The heading of an option by its number: of those below the options, or one that says its number.
    fn option(&self, number: usize) -> Option<&'r str> {
        let digits = number.to_string();
        let headings = || self.passages.iter().flat_map(|passage| passage.chunk.section_path.iter());
        let numbered = headings().find(|heading| {
            aspect_of_heading(heading) == Some(ALTERNATIVES)
                && words(heading).iter().any(|word| word.folded == digits)
        });
        let mut below: Vec<&'r str> = Vec::new();
        for passage in self.passages.iter().filter(|passage| passage.aspect == Some(ALTERNATIVES)) {
            let path = &passage.chunk.section_path;
            let at = path.iter().position(|part| aspect_of_heading(part) == Some(ALTERNATIVES));
            if let Some(heading) = at.and_then(|at| path.get(at + 1))
                && !below.contains(&heading.as_str())
            {
                below.push(heading);
            }
        }
        numbered.map(String::as_str).or_else(|| below.get(number.checked_sub(1)?).copied())
    }
}

fn pieces<'r>(passage: &Passage<'r>) -> Vec<Piece<'r>> {
    let text = passage.chunk.text.as_str();
    let says_something = |block: &Block| {
        block.units.iter().any(|unit| {
            let text = &text[unit.range.clone()];
            let is_head = matches!(unit.kind, UnitKind::Heading | UnitKind::TableHead);
            !is_head && !is_field(text) && !is_picture(text) && !is_filled_in(text)
        })
    };
    let piece = |block: Block| Piece {
        passage: passage.at,
        text: &text[block.range],
        heading: passage.heading,
        kind: block.units.first().map_or(UnitKind::Sentence, |unit| unit.kind),
    };
    blocks(text).into_iter().filter(says_something).map(piece).collect()
}

/// The first of these up to a length, and one at least.
fn within<'r>(pieces: impl Iterator<Item = Piece<'r>>, limit: usize) -> Vec<Piece<'r>> {
    let mut length = 0;
    let mut kept: Vec<Piece<'r>> = Vec::new();
    for piece in pieces {
        length += piece.text.chars().count();
        if !kept.is_empty() && length > limit {
            break;
        }
        kept.push(piece);
    }
    kept
}

/// The units of these passages that take a side, each with the passage that it stands in.
fn told_apart<'p, 'r: 'p>(
    passages: impl Iterator<Item = &'p Passage<'r>>,
) -> (Vec<Piece<'r>>, Vec<Piece<'r>>) {
    let (mut pro, mut contra) = (Vec::new(), Vec::new());
    for passage in passages {
        for (unit, side) in sided(passage.chunk) {
            let piece = Piece::of_unit(passage.at, &passage.chunk.text[unit.range], unit.kind);
            if side == Side::For { pro.push(piece) } else { contra.push(piece) }
        }
    }
    (pro, contra)
}
