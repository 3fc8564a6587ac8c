//! How a language asks questions that need the one before them.

use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack recognises questions that need the one before them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowUpWords {
    leads: Vec<String>,
    bare: Vec<String>,
    pronouns: Vec<(String, String)>,
    plural_pronouns: Vec<(String, String)>,
    anaphoric: Vec<String>,
    expletive: Vec<String>,
    nouns: Vec<String>,
    of: String,
    verbs: Vec<String>,
    openers: Vec<String>,
    define: String,
}

/// How a language asks for more of what was said, ready for use.
pub(crate) struct FollowUpRules {
    pub lead: Patterns,
    pub lead_of_question: Patterns,
    pub bare: Patterns,
    pub pronouns: Vec<Pronoun>,
    pub anaphoric: Patterns,
    pub expletive: Patterns,
    pub nouns: Vec<String>,
    pub of: String,
    pub verbs: Vec<String>,
    pub openers: Vec<String>,
    pub define: String,
}

/// A word that stands for something said before.
pub(crate) struct Pronoun {
    pub pattern: Patterns,
    /// What it becomes when what it stands for is named.
    pub named: String,
    pub plural: bool,
}

impl FollowUpWords {
    pub fn compile(self, compiler: Compiler<'_>) -> Result<FollowUpRules, PackError> {
        let pronoun = |key: &str, (pronoun, named): &(String, String), plural| {
            let pattern = compiler.pattern(key, &format!(r"(?i)\b(?:{pronoun})\b"))?;
            Ok(Pronoun { pattern, named: named.clone(), plural })
        };
        // Those for several are longer: "those decisions" comes before "that".
        let plural = self.plural_pronouns.iter().map(|one| pronoun("follow_up.plural_pronouns", one, true));
        let single = self.pronouns.iter().map(|one| pronoun("follow_up.pronouns", one, false));
        let leads = any_of(&self.leads);
        let lead_of_question = format!(r"^({leads}(?: |, ?)){}\b", any_of(&self.openers));
        Ok(FollowUpRules {
            pronouns: plural.chain(single).collect::<Result<_, PackError>>()?,
            lead: compiler.pattern("follow_up.leads", &format!("^(?:{leads}(?: |, ?))+"))?,
            lead_of_question: compiler.pattern("follow_up.openers", &lead_of_question)?,
            bare: compiler.pattern("follow_up.bare", &format!("^{}$", any_of(&self.bare)))?,
            anaphoric: compiler.patterns("follow_up.anaphoric", &self.anaphoric)?,
            expletive: compiler.patterns("follow_up.expletive", &self.expletive)?,
            nouns: self.nouns,
            of: self.of,
            verbs: self.verbs,
            openers: self.openers,
            define: self.define,
        })
    }
}
