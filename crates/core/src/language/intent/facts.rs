//! How a language asks for fields of records.

use serde::Deserialize;

use crate::kinds::FactField;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// What stands for a reference in the packs' patterns; folded text has no capitals.
pub(crate) const MASK: &str = "REF";

/// How a pack recognises questions for fields of records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactWords {
    lead: Vec<String>,
    of: Vec<String>,
    possessive: Vec<String>,
    before: Vec<String>,
    policy: Vec<String>,
    policy_after: Vec<String>,
    appositions: Vec<String>,
    idle: Vec<String>,
    idle_of_numbered: Vec<String>,
    describing: Vec<String>,
    fields: Vec<FieldWords>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldWords {
    is: FactField,
    nouns: Vec<String>,
    patterns: Vec<String>,
    asked: Vec<String>,
}

/// How a language asks for fields, ready for use.
pub(crate) struct FactRules {
    pub fields: Vec<FieldRules>,
    /// A record by what it says, up to that.
    pub described: Patterns,
    pub before: Vec<String>,
    pub policy: Patterns,
    pub policy_after: Vec<String>,
    /// A reference with what else it is called.
    pub appositions: Patterns,
    /// Words of such questions that say nothing of what a record is about.
    pub idle: Patterns,
    /// The same with those that only say nothing where the record goes by its number.
    pub idle_of_numbered: Patterns,
}

/// How a language asks for one field.
pub(crate) struct FieldRules {
    pub field: FactField,
    /// Whole questions for this field alone.
    pub whole: Patterns,
    /// What asks for it inside a longer question.
    pub asked: Patterns,
}

impl FactWords {
    pub fn compile(self, records: &[String], compiler: Compiler<'_>) -> Result<FactRules, PackError> {
        let (lead, of, own) = (any_of(&self.lead), any_of(&self.of), any_of(&self.possessive));
        let field = |field: &FieldWords| {
            let nouns = any_of(&field.nouns);
            let mut patterns =
                vec![format!("^{lead}{nouns} {of} {MASK}$"), format!(r"^{lead}{MASK}{own} \(?{nouns}\)?$")];
            patterns.extend_from_slice(&field.patterns);
            Ok(FieldRules {
                field: field.is,
                whole: compiler.patterns("facts.fields", &patterns)?,
                asked: compiler.patterns("facts.fields", &field.asked)?,
            })
        };
        let idle = |key: &str, words: String| compiler.pattern(key, &format!(r"\b{words}(?:\b|$)"));
        Ok(FactRules {
            fields: self.fields.iter().map(field).collect::<Result<_, PackError>>()?,
            described: compiler.pattern(
                "facts.describing",
                &format!(r"\b{} {} {}\b", any_of(&self.before), any_of(records), any_of(&self.describing)),
            )?,
            before: self.before,
            policy: compiler.patterns("facts.policy", &self.policy)?,
            policy_after: self.policy_after,
            appositions: compiler.patterns("facts.appositions", &self.appositions)?,
            idle: idle("facts.idle", any_of(&self.idle))?,
            idle_of_numbered: idle(
                "facts.idle_of_numbered",
                any_of(self.idle.iter().chain(&self.idle_of_numbered)),
            )?,
        })
    }
}
