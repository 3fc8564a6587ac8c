//! A document's sections with their text, as far as its identity may stand in them.

use plumbline_core::language::Sections;

use super::labels::any_language;
use super::plain::{Line, Piece, pieces};
use super::words::folded;
use crate::reading::{BlockKind, ReadDocument};

/// Text under one heading; the first section of a document has none.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) level: u8,
    pub(super) heading: String,
    /// The heading, folded, without a number in front.
    pub(super) name: String,
    pub(super) pieces: Vec<Piece>,
}

impl Section {
    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.pieces.iter().flat_map(|piece| match piece {
            Piece::Lines(lines) => lines.as_slice(),
            Piece::Table(_) => &[],
        })
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &[Vec<Line>]> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Table(rows) => Some(rows.as_slice()),
            Piece::Lines(_) => None,
        })
    }
}

/// The sections of a document in their order.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) sections: Vec<Section>,
}

impl Outline {
    pub(super) fn of(document: &ReadDocument) -> Self {
        let mut sections = vec![Section::default()];
        let mut blocks = document.blocks.iter().peekable();
        while let Some(block) = blocks.next() {
            let mut text = document.text.get(block.span.clone()).unwrap_or_default().to_owned();
            // What a comment has cut in two is read as one.
            while let Some((next, joint)) =
                blocks.peek().and_then(|next| Some((*next, next.continues.as_deref()?)))
            {
                text.push_str(joint);
                text.push_str(document.text.get(next.span.clone()).unwrap_or_default());
                blocks.next();
            }
            match &block.kind {
                BlockKind::Heading { level, text: heading } => sections.push(Section {
                    level: *level,
                    heading: heading.trim().to_owned(),
                    name: section_name(heading),
                    pieces: Vec::new(),
                }),
                BlockKind::Code => {}
                _ => {
                    if let Some(section) = sections.last_mut() {
                        section.pieces.extend(pieces(&text));
                    }
                }
            }
        }
        Self { sections }
    }

    /// The heading that names the document: the first of level 1, if it is no section's name.
    pub(super) fn title(&self) -> Option<&Section> {
        let mut tops = self.sections.iter().filter(|section| section.level == 1);
        let first = tops.next()?;
        // Where every section is of level 1, the first of them is no title.
        let only_sections = tops.next().is_some() && is_section_name(&first.name);
        (!only_sections && !first.heading.is_empty()).then_some(first)
    }

    /// What stands before the first section: the place where documents say what they are.
    pub(super) fn head(&self) -> &[Section] {
        let named = self.sections.iter().skip(1);
        let title = usize::from(named.clone().next().is_some_and(|first| !is_section_name(&first.name)));
        &self.sections[..=title.min(self.sections.len() - 1)]
    }

    /// Whether a section is headed by one of these names, in whatever language.
    pub(super) fn has(&self, names: fn(&Sections) -> &Vec<String>) -> bool {
        let is_one = |section: &Section| any_language(|words| names(&words.sections).contains(&section.name));
        self.sections.iter().any(is_one)
    }
}

/// "2.1 Decision outcome:" is the section "decision outcome".
fn section_name(heading: &str) -> String {
    let name = folded(heading);
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let name = name.trim_start_matches(|c: char| !c.is_alphanumeric());
    name.trim_end_matches([':', '.', ' ']).to_owned()
}

/// Whether a heading is one that records, principles and policies have inside.
pub(super) fn is_section_name(name: &str) -> bool {
    any_language(|words| words.sections.names.iter().any(|known| known == name))
}
