//! What the sections of a record are taken for, to be shown to who keeps the library.

use serde::Serialize;

use super::sections::Sections;
use crate::domain::Chunk;
use crate::text::DECISION;

/// A section of a record, and the part of the record that it is taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TypedSection {
    /// The heading that tells; nothing where text stands under none.
    pub heading: Option<String>,
    /// The part: what is decided, context, consequences and so on; nothing where no heading is known.
    pub part: Option<&'static str>,
    /// Whether it is so by its place alone.
    pub guessed: bool,
}

/// The sections of a record in their order, each heading once. Where none says what is decided, what the record begins with is taken
/// for it.
pub fn typed_sections(record: &[&Chunk]) -> Vec<TypedSection> {
    let sections = Sections::of(record);
    let mut typed: Vec<TypedSection> = Vec::new();
    for (heading, part) in sections.headings() {
        let section = TypedSection { heading: heading.map(str::to_owned), part, guessed: false };
        if !typed.contains(&section) {
            typed.push(section);
        }
    }
    if !typed.iter().any(|section| section.part == Some(DECISION))
        && let Some(lead) = typed.iter_mut().find(|section| section.part.is_none())
    {
        (lead.part, lead.guessed) = (Some(DECISION), true);
    }
    typed
}
