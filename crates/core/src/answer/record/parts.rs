//! Which parts of a record a question asks for.

use crate::domain::Language;
use crate::intent::Question;
use crate::text::{AGAINST, CONSEQUENCES, DECISION, FOR, aspect_wished};

/// A part of a record that is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// As the reader called it, or as it is called everywhere.
    pub name: String,
    /// The aspect that its headings belong to, where it is a known one.
    pub aspect: Option<&'static str>,
}

pub(crate) const CONTEXT: &str = "context";
pub(crate) const RATIONALE: &str = "rationale";

impl Part {
    pub fn known(aspect: &'static str) -> Self {
        Self { name: aspect.to_owned(), aspect: Some(aspect) }
    }

    /// A part under a heading of the reader's own.
    pub fn wished(heading: &str, language: Language) -> Self {
        Self { name: heading.to_owned(), aspect: aspect_wished(heading, language) }
    }
}

/// The parts that a question asks for. All of a record is what it decides, then why it had to, then what comes of it.
pub(super) fn parts_of(question: &Question) -> Vec<Part> {
    let of_aspect = |name: &str| match name {
        FOR => Some(FOR),
        AGAINST => Some(AGAINST),
        name => aspect_wished(name, Language::EN),
    };
    let asked = question.aspects.iter().filter_map(|aspect| of_aspect(&aspect.name));
    let asked: Vec<Part> = asked.map(Part::known).collect();
    let is_sided = asked.iter().any(|part| matches!(part.aspect, Some(FOR | AGAINST)));
    if !is_sided && (question.wish.whole || question.wish.show) || asked.is_empty() {
        [DECISION, CONTEXT, CONSEQUENCES].map(Part::known).to_vec()
    } else {
        asked
    }
}
