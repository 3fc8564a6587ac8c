//! What speaks for something and what against it: by heading, by the line above a list, or by the first word of an item.

use std::collections::{HashMap, HashSet};

use crate::domain::Chunk;
use crate::language::Pack;
use crate::text::{
    AGAINST, Aspect, CONSEQUENCES, FOR, Unit, UnitKind, announces, aspect_of_heading, is_quotable, units,
    words,
};

/// What a text speaks for, or against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    For,
    Against,
}

impl Side {
    fn of_aspect(name: &str) -> Option<Self> {
        match name {
            FOR => Some(Self::For),
            AGAINST => Some(Self::Against),
            _ => None,
        }
    }

    fn of_heading(heading: &str) -> Option<Self> {
        match aspect_of_heading(heading) {
            // "Negative consequences" are consequences, and its first word takes a side.
            Some(CONSEQUENCES) => {
                let first = words(heading).into_iter().next()?.folded;
                aspect_of_heading(&first).and_then(Self::of_aspect)
            }
            aspect => aspect.and_then(Self::of_aspect),
        }
    }

    /// By the one side that a sentence which leads to a list speaks of: "For large tables, the drawbacks are:".
    fn of_announcement(sentence: &str) -> Option<Self> {
        let sides = || words(sentence).into_iter().filter_map(|word| Self::of_heading(&word.folded));
        let first = sides().next().filter(|_| announces(sentence))?;
        sides().all(|side| side == first).then_some(first)
    }

    /// By the word that an item begins with: "Good, because …".
    fn of_item(text: &str) -> Option<Self> {
        let first = words(text).into_iter().next()?.folded;
        Pack::all().find_map(|pack| {
            let sides = &pack.words.sides;
            if sides.pro.contains(&first) {
                Some(Self::For)
            } else {
                sides.contra.contains(&first).then_some(Self::Against)
            }
        })
    }
}

/// The sides that a question asks for.
pub(crate) fn asked(aspects: &[Aspect]) -> HashSet<Side> {
    aspects.iter().filter_map(|aspect| Side::of_aspect(&aspect.name)).collect()
}

/// The units of a passage that take a side, by where they begin.
pub(crate) fn sides_in(chunk: &Chunk) -> HashMap<usize, Side> {
    sided(chunk).into_iter().map(|(unit, side)| (unit.range.start, side)).collect()
}

/// The units of a passage that take a side, in their order.
pub(crate) fn sided(chunk: &Chunk) -> Vec<(Unit, Side)> {
    let text = chunk.text.as_str();
    let above = chunk.section_path.iter().rev().find_map(|heading| Side::of_heading(heading));
    let mut announced: Option<Side> = None;
    let mut sided = Vec::new();
    for unit in units(text) {
        let unit_text = &text[unit.range.clone()];
        let is_item = matches!(unit.kind, UnitKind::ListItem | UnitKind::TableRow);
        if !is_item {
            // "Pros:" over a list, bold or not.
            let label = unit_text.trim_matches(|c: char| !c.is_alphanumeric());
            announced = Side::of_heading(label).or_else(|| Side::of_announcement(unit_text));
            if announced.is_some() {
                continue;
            }
        }
        let side = if is_item { Side::of_item(unit_text).or(announced).or(above) } else { above };
        if let Some(side) = side.filter(|_| is_quotable(text, &unit)) {
            sided.push((unit, side));
        }
    }
    sided
}
