//! How a language asks questions that need the one before them.

mod repeat;

use std::collections::HashMap;

use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};
use repeat::{RepeatRules, RepeatWords};

/// How a pack recognises questions that need the one before them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowUpWords {
    leads: Vec<String>,
    conclusions: Vec<String>,
    bare: Vec<String>,
    more: Vec<String>,
    tell: String,
    pronouns: Vec<(String, String)>,
    plural_pronouns: Vec<(String, String)>,
    anaphoric: Vec<String>,
    expletive: Vec<String>,
    nouns: Vec<String>,
    of: String,
    verbs: Vec<String>,
    general: Vec<String>,
    openers: Vec<String>,
    define: String,
    ordered: Vec<String>,
    ordinals: HashMap<String, usize>,
    option: String,
    sides: String,
    earlier: Vec<String>,
    earlier_of: String,
    repeat: RepeatWords,
}

/// How a language asks for more of what was said, ready for use.
pub(crate) struct FollowUpRules {
    pub lead: Patterns,
    pub lead_of_question: Patterns,
    /// What leads in a conclusion from what was said.
    pub conclusion: Patterns,
    pub bare: Patterns,
    /// Questions for more of the same, and how all of it is asked for.
    pub more: Patterns,
    pub tell: String,
    pub pronouns: Vec<Pronoun>,
    pub anaphoric: Patterns,
    pub expletive: Patterns,
    pub nouns: Vec<String>,
    pub of: String,
    pub verbs: Vec<String>,
    /// Words that are no subject.
    pub general: Vec<String>,
    pub openers: Vec<String>,
    pub define: String,
    /// One of several by its place in the row: a document that was named, or an option of a record.
    pub ordered: Patterns,
    pub ordinals: HashMap<String, usize>,
    /// What an option is called by its number, and how both its sides are asked for.
    pub option: String,
    pub sides: String,
    /// The version before the one that was spoken of, and what it is called.
    pub earlier: Patterns,
    pub earlier_of: String,
    pub repeat: RepeatRules,
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
        let leads = any_of(self.leads.iter().chain(&self.conclusions));
        let lead_of_question = format!(r"^({leads}(?: |, ?)){}\b", any_of(&self.openers));
        let conclusion = format!("^{}(?: |, ?)", any_of(&self.conclusions));
        // One by one, since each may name the same groups.
        let caseless = |key: &str, words: &[String]| {
            let pattern = |word: &String| format!(r"(?i)\b(?:{word})\b");
            compiler.patterns(key, &words.iter().map(pattern).collect::<Vec<_>>())
        };
        Ok(FollowUpRules {
            pronouns: plural.chain(single).collect::<Result<_, PackError>>()?,
            lead: compiler.pattern("follow_up.leads", &format!("^(?:{leads}(?: |, ?))+"))?,
            lead_of_question: compiler.pattern("follow_up.openers", &lead_of_question)?,
            conclusion: compiler.pattern("follow_up.conclusions", &conclusion)?,
            bare: compiler.pattern("follow_up.bare", &format!("^{}$", any_of(&self.bare)))?,
            more: compiler.pattern("follow_up.more", &format!("^{}$", any_of(&self.more)))?,
            anaphoric: compiler.patterns("follow_up.anaphoric", &self.anaphoric)?,
            expletive: compiler.patterns("follow_up.expletive", &self.expletive)?,
            ordered: caseless("follow_up.ordered", &self.ordered)?,
            earlier: caseless("follow_up.earlier", &self.earlier)?,
            repeat: self.repeat.compile(compiler)?,
            tell: self.tell,
            nouns: self.nouns,
            of: self.of,
            verbs: self.verbs,
            general: self.general,
            openers: self.openers,
            define: self.define,
            ordinals: self.ordinals,
            option: self.option,
            sides: self.sides,
            earlier_of: self.earlier_of,
        })
    }
}
