//! How a language asks for one field of one record.

use serde::Deserialize;

use crate::kinds::FactField;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// What stands for a reference in the packs' patterns; folded text has no capitals.
pub(crate) const MASK: &str = "REF";

/// How a pack recognises questions for one field of one record.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactWords {
    lead: Vec<String>,
    of: Vec<String>,
    possessive: Vec<String>,
    before: Vec<String>,
    policy: Vec<String>,
    policy_after: Vec<String>,
    fields: Vec<FieldWords>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldWords {
    is: FactField,
    nouns: Vec<String>,
    patterns: Vec<String>,
}

/// How a language asks for a field, ready for use.
pub(crate) struct FactRules {
    pub fields: Vec<(FactField, Patterns)>,
    pub before: Vec<String>,
    pub policy: Patterns,
    pub policy_after: Vec<String>,
}

impl FactWords {
    pub fn compile(self, compiler: Compiler<'_>) -> Result<FactRules, PackError> {
        let (lead, of, own) = (any_of(&self.lead), any_of(&self.of), any_of(&self.possessive));
        let field = |field: &FieldWords| {
            let nouns = any_of(&field.nouns);
            let mut patterns =
                vec![format!("^{lead}{nouns} {of} {MASK}$"), format!(r"^{lead}{MASK}{own} \(?{nouns}\)?$")];
            patterns.extend_from_slice(&field.patterns);
            Ok((field.is, compiler.patterns("facts.fields", &patterns)?))
        };
        Ok(FactRules {
            fields: self.fields.iter().map(field).collect::<Result<_, PackError>>()?,
            before: self.before,
            policy: compiler.patterns("facts.policy", &self.policy)?,
            policy_after: self.policy_after,
        })
    }
}
