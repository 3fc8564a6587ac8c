//! How a language wishes for a form or a part of what it asks about.

use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns};

/// How a pack recognises what is wished of a record beside its subject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WishWords {
    whole: Vec<String>,
    identifier: Vec<String>,
    points: Vec<String>,
    sentences: Vec<String>,
    headings: Vec<String>,
    for_and_against: Vec<String>,
    option: Vec<String>,
    compare: Vec<String>,
    several: Vec<String>,
    idle: Vec<String>,
}

/// Patterns for wishes, ready for use; they meet any part of the folded question.
pub(crate) struct WishRules {
    pub whole: Patterns,
    pub identifier: Patterns,
    pub points: Patterns,
    pub sentences: Patterns,
    pub headings: Patterns,
    pub for_and_against: Patterns,
    pub option: Patterns,
    pub compare: Patterns,
    pub several: Patterns,
    pub idle: Patterns,
}

impl WishWords {
    pub fn compile(&self, compiler: Compiler<'_>) -> Result<WishRules, PackError> {
        let patterns = |key: &str, words: &[String]| compiler.patterns(&format!("wish.{key}"), words);
        Ok(WishRules {
            whole: patterns("whole", &self.whole)?,
            identifier: patterns("identifier", &self.identifier)?,
            points: patterns("points", &self.points)?,
            sentences: patterns("sentences", &self.sentences)?,
            headings: patterns("headings", &self.headings)?,
            for_and_against: patterns("for_and_against", &self.for_and_against)?,
            option: patterns("option", &self.option)?,
            compare: patterns("compare", &self.compare)?,
            several: patterns("several", &self.several)?,
            idle: patterns("idle", &self.idle)?,
        })
    }
}
