//! A piece of a record that can be shown by itself.

use crate::answer::compose::{cited_text, without_bullet};
use crate::text::UnitKind;

/// A piece of a record, verbatim.
pub(super) struct Piece<'r> {
    /// The passage that it stands in, by its place in the record.
    pub passage: usize,
    pub text: &'r str,
    /// The heading that its section goes by.
    pub heading: Option<&'r str>,
    pub kind: UnitKind,
}

impl Piece<'_> {
    pub fn with_citation(&self, number: usize) -> String {
        cited_text(self.text.trim(), number)
    }

    /// Whether it shows all of another.
    pub fn holds(&self, other: &Piece<'_>) -> bool {
        self.passage == other.passage && self.text.contains(other.text.trim())
    }

    /// Without the bullet of a list.
    pub fn plain(&self) -> &str {
        if self.kind == UnitKind::ListItem { without_bullet(self.text.trim()) } else { self.text.trim() }
    }
}

impl<'r> Piece<'r> {
    pub(super) fn of_unit(passage: usize, text: &'r str, kind: UnitKind) -> Self {
        Self { passage, text, heading: None, kind }
    }
}
