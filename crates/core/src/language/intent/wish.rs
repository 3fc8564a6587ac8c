//! How a language wishes for a form or a part of what it asks about.

use serde::Deserialize;

use super::identifier::{IdentifierRules, IdentifierWords, SharedWords};
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack recognises what is wished of a record beside its subject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WishWords {
    whole: Vec<String>,
    show: Vec<String>,
    identifier: IdentifierWords,
    points: Vec<String>,
    sentences: Vec<String>,
    headings: Vec<String>,
    headings_of_known: Vec<String>,
    heading_tails: Vec<String>,
    for_and_against: Vec<String>,
    option: Vec<String>,
    compare: Vec<String>,
    several: Vec<String>,
    idle: Vec<String>,
}

/// Patterns for wishes, ready for use; they meet any part of the folded question.
pub(crate) struct WishRules {
    pub whole: Patterns,
    pub show: Patterns,
    pub identifier: IdentifierRules,
    pub points: Patterns,
    pub sentences: Patterns,
    /// Wished headings, as `names`.
    pub headings: Patterns,
    /// The same where they are parts that records have.
    pub headings_of_known: Patterns,
    /// What stands behind a heading in such a row.
    pub heading_tail: Patterns,
    pub for_and_against: Patterns,
    pub option: Patterns,
    pub compare: Patterns,
    pub several: Patterns,
    pub idle: Patterns,
}

impl WishWords {
    /// What a record is called beside the names of the kinds.
    pub fn records(&self) -> &[String] {
        self.identifier.records()
    }

    pub fn compile(&self, shared: SharedWords<'_>, compiler: Compiler<'_>) -> Result<WishRules, PackError> {
        let patterns = |key: &str, words: &[String]| compiler.patterns(&format!("wish.{key}"), words);
        let closed = self.identifier.closed();
        let named = |leads: &[String]| -> Vec<String> {
            leads.iter().map(|lead| format!(r"{lead}(?P<names>[^.?!:]+?){closed}(?:[.?!)]|$)")).collect()
        };
        Ok(WishRules {
            whole: patterns("whole", &self.whole)?,
            show: patterns("show", &self.show)?,
            identifier: self.identifier.compile(shared, compiler)?,
            points: patterns("points", &self.points)?,
            sentences: patterns("sentences", &self.sentences)?,
            headings: patterns("headings", &named(&self.headings))?,
            headings_of_known: patterns("headings_of_known", &named(&self.headings_of_known))?,
            heading_tail: compiler
                .pattern("wish.heading_tails", &format!(" {}$", any_of(&self.heading_tails)))?,
            for_and_against: patterns("for_and_against", &self.for_and_against)?,
            option: patterns("option", &self.option)?,
            compare: patterns("compare", &self.compare)?,
            several: patterns("several", &self.several)?,
            idle: patterns("idle", &self.idle)?,
        })
    }
}
