//! A document as a text names it.

use super::{DocumentId, Kind};

/// A document that a text names by its number, its id or its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    /// What it is said to be; `Document` where a file name does not tell.
    pub kind: Kind,
    /// Its number.
    pub number: Option<u32>,
    /// Its slug, or its file's name without the extension, folded.
    pub name: Option<String>,
    /// As typed.
    pub written: String,
}

impl Reference {
    /// The id of the document; none for a file whose name alone does not tell its kind.
    pub fn id(&self) -> Option<DocumentId> {
        let prefix = self.kind.id_prefix();
        let id = match (self.kind, self.number, &self.name) {
            (Kind::Adr | Kind::Principle, Some(number), _) => format!("{prefix}-{number:04}"),
            (Kind::Dar, Some(number), _) => format!("{prefix}-{number:04}d"),
            (Kind::Dar, None, Some(name)) => name.clone(),
            (Kind::Policy, _, Some(name)) => format!("{prefix}-{name}"),
            _ => return None,
        };
        DocumentId::new(id).ok()
    }

    /// As people write it: `ADR-0012`, `ADR-0012D`, `PCP-0039`, "data retention policy"; a file goes by what was typed.
    pub fn display(&self) -> String {
        match (self.kind, self.number) {
            (Kind::Adr, Some(number)) => format!("ADR-{number:04}"),
            (Kind::Dar, Some(number)) => format!("ADR-{number:04}D"),
            (Kind::Principle, Some(number)) => format!("PCP-{number:04}"),
            (Kind::Policy, _) if self.written.starts_with("policy-") => match &self.name {
                Some(name) => format!("{} policy", name.replace('-', " ")),
                None => self.written.clone(),
            },
            _ => self.written.clone(),
        }
    }

    /// Whether both name the same document, however it was typed.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.number == other.number
            && (self.number.is_some() || self.name == other.name)
    }

    pub(crate) fn numbered(kind: Kind, number: u32, written: &str) -> Self {
        Self { kind, number: Some(number), name: None, written: written.to_owned() }
    }
}
