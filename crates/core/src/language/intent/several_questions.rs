//! How a language puts several questions into one text.

use std::collections::HashSet;

use regex::Regex;
use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack tells several questions apart. Single words, folded, where nothing else is said.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeveralQuestionsWords {
    joins: HashSet<String>,
    openers: HashSet<String>,
    back: HashSet<String>,
    prepositions: HashSet<String>,
    together: HashSet<String>,
    phrases: PhraseWords,
    sides: SideWords,
}

/// How a pack asks the same about several things.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseWords {
    joins: HashSet<String>,
    /// Patterns of words.
    endings: Vec<String>,
}

/// How a pack sets two sides against each other; patterns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideWords {
    pairs: Vec<String>,
    about: Vec<String>,
    about_ends: Vec<String>,
    leads: Vec<String>,
    idle: Vec<String>,
    choosing: HashSet<String>,
    stand_ins: Vec<String>,
    heads: Vec<String>,
    bare_heads: Vec<String>,
}

/// What other rules know of the words that an aspect is named by.
pub(super) struct AspectNouns {
    /// Patterns of nouns for a property of something.
    pub properties: String,
    /// Patterns of what stands before one that is known.
    pub definite: String,
}

/// How a language puts several questions into one text, ready for use.
pub(crate) struct SeveralQuestions {
    /// Words that join two questions.
    pub joins: HashSet<String>,
    /// Words that a question opens with.
    pub openers: HashSet<String>,
    /// Words that point back to the question before.
    pub back: HashSet<String>,
    /// A noun for what may be asked about anything: "rules", "costs".
    pub aspect: Regex,
    /// Words that a phrase begins with.
    pub prepositions: HashSet<String>,
    /// Words that ask about several things as one, which is lost where each is asked about by itself.
    pub together: HashSet<String>,
    pub phrases: PhraseRules,
    pub sides: SideRules,
}

/// How a language asks the same about several things, each in a phrase of its own.
pub(crate) struct PhraseRules {
    /// Words that join two phrases.
    pub joins: HashSet<String>,
    /// A word that ends a clause and is no part of the phrase before it.
    pub ending: Regex,
}

/// How a language sets two sides against each other.
pub(crate) struct SideRules {
    /// Whole questions with their sides as `first` and `second`, and what is asked about them as one or more of [`ASPECTS`].
    pub pairs: Patterns,
    /// What stands before an aspect, or behind it, and asks for the difference alone.
    pub lead: Regex,
    pub idle: Regex,
    /// Words of an aspect that want one of the sides.
    pub choosing: HashSet<String>,
    /// A side that takes its noun from the other, its `rest` and the `preposition` that this begins with: "that of B".
    pub stand_in: Regex,
    /// The front of a side that names what is asked about it: "the retention of".
    pub head: Regex,
    /// What a side that takes its noun from the other must ask about.
    pub asked: Regex,
}

/// The places of a comparison where an aspect can stand, in the order in which they are met.
pub(crate) const ASPECTS: [&str; 6] = ["topic", "before", "within", "about", "behind", "clause"];

impl SeveralQuestionsWords {
    pub fn compile(self, nouns: &AspectNouns, compiler: Compiler<'_>) -> Result<SeveralQuestions, PackError> {
        Ok(SeveralQuestions {
            aspect: compiler
                .regex("several_questions.sides.heads", &format!("^{}$", any_of(&self.sides.heads)))?,
            phrases: PhraseRules {
                ending: compiler.regex(
                    "several_questions.phrases.endings",
                    &format!("^{}$", any_of(&self.phrases.endings)),
                )?,
                joins: self.phrases.joins,
            },
            sides: self.sides.compile(
                nouns,
                Shared {
                    joins: any_of(&self.joins),
                    openers: any_of(&self.openers),
                    prepositions: any_of(&self.prepositions),
                },
                compiler,
            )?,
            joins: self.joins,
            openers: self.openers,
            back: self.back,
            prepositions: self.prepositions,
            together: self.together,
        })
    }
}

/// Words that the sides have in common with the rest, as patterns.
struct Shared {
    joins: String,
    openers: String,
    prepositions: String,
}

impl SideWords {
    fn compile(
        self,
        nouns: &AspectNouns,
        shared: Shared,
        compiler: Compiler<'_>,
    ) -> Result<SideRules, PackError> {
        let regex =
            |name: &str, pattern: &str| compiler.regex(&format!("several_questions.sides.{name}"), pattern);
        let AspectNouns { properties, definite } = nouns;
        let Shared { joins, openers, prepositions } = &shared;
        let pairs: Vec<String> = self.pairs.iter().map(|pair| self.whole(pair, nouns, &shared)).collect();
        let (idle, stand_ins) = (any_of(&self.idle), any_of(&self.stand_ins));
        Ok(SideRules {
            pairs: compiler.patterns("several_questions.sides.pairs", &pairs)?,
            lead: regex("leads", &format!("^{} ", any_of(&self.leads)))?,
            idle: regex("idle", &format!("(?:^|[,:]? (?:{joins} )?){idle}$"))?,
            stand_in: regex(
                "stand_ins",
                &format!("^(?:{stand_ins} )?(?P<rest>(?P<preposition>{prepositions}) .+)$"),
            )?,
            head: regex(
                "heads",
                &format!(
                    r"^(?:{definite} )?(?:(?:[\w-]+ ){{0,2}}?{} {prepositions}|{}) ",
                    any_of(&self.heads),
                    any_of(&self.bare_heads)
                ),
            )?,
            asked: regex("heads", &format!(r"^(?:{definite}|{openers})\b|\b{properties}$"))?,
            choosing: self.choosing,
        })
    }

    /// The whole question around a pair: what is asked about the two stands before it or behind it.
    fn whole(&self, pair: &str, nouns: &AspectNouns, shared: &Shared) -> String {
        // A point inside a name or a version ends no sentence.
        let side = |name: &str| format!(r"(?P<{name}>(?:[^,;:?!.]|\.\w)+?)");
        let aspect = |name: &str| format!("(?P<{name}>[^;?]+?)");
        let stand_in =
            format!(r"(?P<second>{} {} (?:[^,;:?!.]|\.\w)+?)", any_of(&self.stand_ins), shared.prepositions);
        let pair = pair
            .replace("FIRST", &side("first"))
            .replace("SECOND", &side("second"))
            .replace("THAT", &stand_in)
            .replace("ASPECT", &aspect("within"));
        let (about, ends) = (any_of(&self.about), any_of(&self.about_ends));
        let [topic, before, behind] = ["topic", "before", "behind"].map(aspect);
        let front = format!("(?:{about} {topic}(?: {ends})?[,:] |{before}: )?");
        // Behind a comma may stand anything; what asks or names a property is an aspect.
        let clause = format!(
            r"(?P<clause>(?:{} )?(?:{}|{})\b[^;?]*?)",
            nouns.definite, shared.openers, nouns.properties
        );
        let back = format!(
            "(?:,? {about} {}(?: {ends})?|: {behind}|, (?:{} )?{clause})?",
            aspect("about"),
            shared.joins
        );
        format!("^{front}{pair}{back}$")
    }
}
