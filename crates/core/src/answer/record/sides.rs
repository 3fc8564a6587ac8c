//! What speaks for something and what against it: by heading, by the line above a list, or by the first word of an item.

use super::parts::CONSEQUENCES;
use super::piece::Piece;
use crate::domain::Chunk;
use crate::language::Pack;
use crate::text::{AGAINST, FOR, UnitKind, aspect_of_heading, is_quotable, units, words};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    For,
    Against,
}

impl Side {
    fn of_heading(heading: &str) -> Option<Self> {
        match aspect_of_heading(heading) {
            Some(FOR) => Some(Self::For),
            Some(AGAINST) => Some(Self::Against),
            // "Negative consequences" are consequences, and its first word takes a side.
            Some(CONSEQUENCES) => {
                let first = words(heading).into_iter().next()?.folded;
                match aspect_of_heading(&first) {
                    Some(FOR) => Some(Self::For),
                    Some(AGAINST) => Some(Self::Against),
                    _ => None,
                }
            }
            _ => None,
        }
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

/// The units of these passages that take a side, each with the passage that it stands in.
pub(super) fn told_apart<'r>(
    passages: impl Iterator<Item = (Option<&'static str>, usize, &'r Chunk)>,
) -> (Vec<Piece<'r>>, Vec<Piece<'r>>) {
    let (mut pro, mut contra) = (Vec::new(), Vec::new());
    for (_, at, chunk) in passages {
        let text = chunk.text.as_str();
        let above = chunk.section_path.iter().rev().find_map(|heading| Side::of_heading(heading));
        let mut announced: Option<Side> = None;
        for unit in units(text) {
            let unit_text = &text[unit.range.clone()];
            let is_item = matches!(unit.kind, UnitKind::ListItem | UnitKind::TableRow);
            if !is_item {
                // "Pros:" over a list, bold or not.
                let label = unit_text.trim_matches(|c: char| !c.is_alphanumeric());
                announced = Side::of_heading(label);
                if announced.is_some() {
                    continue;
                }
            }
            let side = if is_item { Side::of_item(unit_text).or(announced).or(above) } else { above };
            if side.is_some() && is_quotable(text, &unit) {
                let piece = Piece::of_unit(at, unit_text, unit.kind);
                if side == Some(Side::For) { pro.push(piece) } else { contra.push(piece) }
            }
        }
    }
    (pro, contra)
}
