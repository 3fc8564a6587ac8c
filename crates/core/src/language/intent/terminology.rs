//! How a language asks for the meaning of a term.

use std::collections::HashSet;

use regex::Regex;
use serde::Deserialize;

use super::several_questions::AspectNouns;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack recognises questions for a meaning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TerminologyWords {
    exclusions: Vec<String>,
    patterns: Vec<String>,
    /// Patterns beyond IR3's.
    wordings: Vec<String>,
    articles: Vec<String>,
    /// What may stand around a term and belongs to the question.
    lead_ins: Vec<String>,
    tails: Vec<String>,
    places: Vec<String>,
    /// How several of something become one.
    singulars: Vec<(String, String)>,
    /// How two terms are set against each other.
    comparisons: Vec<String>,
    /// Words of a question for a meaning that are no part of the term.
    asking: Vec<String>,
    /// How the terms about a `topic` are asked for.
    listed: Vec<String>,
    further: Further,
}

/// The words of which the exclusions beyond IR3's are made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Further {
    ask: Vec<String>,
    plain: String,
    definite: Vec<String>,
    indefinite: Vec<String>,
    documents: Vec<String>,
    definite_documents: Vec<String>,
    properties: Vec<String>,
    definite_properties: Vec<String>,
    prepositions: Vec<String>,
    clauses: Vec<String>,
    inside: Vec<String>,
    superlatives: Vec<String>,
    patterns: Vec<String>,
}

/// How a language asks for a meaning, ready for use.
pub(crate) struct TerminologyRules {
    pub exclusions: Patterns,
    pub further: Patterns,
    /// "What is a policy?" asks for a meaning although it names a document noun.
    pub kept: Patterns,
    pub patterns: Patterns,
    pub article: Patterns,
    /// "The term", "the abbreviation" before the term itself.
    pub lead_in: Patterns,
    /// What ends a question without changing what is asked: "in one sentence", "according to our vocabulary".
    pub tail: Patterns,
    /// Where a term is used, behind it: "in energy systems".
    pub place: Patterns,
    /// Each with what it becomes; the first that fits counts.
    pub singulars: Vec<(Regex, String)>,
    pub comparisons: Patterns,
    /// Words that only ask for a meaning.
    pub asking: HashSet<String>,
    /// All terms about a `topic`.
    pub listed: Patterns,
    /// What stands around the term inside a question that asks the documents.
    pub around: Patterns,
    pub plain: String,
}

impl TerminologyWords {
    /// The words that name a property of something, wherever one is asked for.
    pub fn aspect_nouns(&self) -> AspectNouns {
        let further = &self.further;
        AspectNouns {
            properties: any_of(further.properties.iter().chain(&further.definite_properties)),
            definite: any_of(&further.definite),
        }
    }

    pub fn compile(self, compiler: Compiler<'_>) -> Result<TerminologyRules, PackError> {
        let further = self.further;
        let (ask, the, a) = (any_of(&further.ask), any_of(&further.definite), any_of(&further.indefinite));
        let (documents, prepositions) = (any_of(&further.documents), any_of(&further.prepositions));
        let links = any_of(further.prepositions.iter().chain(&further.clauses));
        let (inside, superlatives) = (any_of(&further.inside), any_of(&further.superlatives));
        let properties = any_of(&further.properties);
        let every_property = any_of(further.properties.iter().chain(&further.definite_properties));
        let the_documents = any_of(&further.definite_documents);
        let mut exclusions = vec![
            format!(r"^{ask} .+ {documents}(?: {links}\b|$)"),
            format!(r"^{ask} (?:{the} .*)?\b{documents} {links}\b"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,3}}{the_documents}(?: {links}\b|$)"),
            format!(r"\b{inside} (?:{the} |{a} )*(?:[\w-]+ ){{0,3}}?{documents}$"),
            format!(r"^{ask} (?:(?:{the}|{a}) )?(?:[\w-]+ ){{0,2}}?{properties} {links}\b"),
            format!(r"^{ask} (?:{the} )?{properties}$"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,2}}{properties}$"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,2}}?{every_property} {links}\b"),
            format!(r"^{ask} {the} {superlatives}\b"),
        ];
        exclusions.extend_from_slice(&further.patterns);
        let kept = format!(r"^{ask} (?:{a} (?:[\w-]+ ){{0,2}})?{documents}$");
        let around = [
            format!("^(?:{the}|{a}) "),
            format!(r"^(?:[\w-]+ ){{0,2}}?{every_property} {prepositions} "),
            format!("^{superlatives} "),
            format!(r" {inside} (?:{the} |{a} )*(?:[\w-]+ ){{0,3}}?{documents}$"),
            format!("[ -]{documents}$"),
        ];
        Ok(TerminologyRules {
            exclusions: compiler.patterns("terminology.exclusions", &self.exclusions)?,
            further: compiler.patterns("terminology.further", &exclusions)?,
            kept: compiler.pattern("terminology.further", &kept)?,
            patterns: compiler.patterns("terminology.patterns", &[self.patterns, self.wordings].concat())?,
            asking: self.asking.into_iter().collect(),
            listed: compiler.patterns("terminology.listed", &self.listed)?,
            lead_in: compiler.pattern("terminology.lead_ins", &format!("^{} ", any_of(&self.lead_ins)))?,
            tail: compiler.pattern("terminology.tails", &format!("(?:,? {})+$", any_of(&self.tails)))?,
            place: compiler.pattern("terminology.places", &format!("^(.+?),? {}$", any_of(&self.places)))?,
            singulars: self
                .singulars
                .into_iter()
                .map(|(many, one)| Ok((compiler.regex("terminology.singulars", &format!("{many}$"))?, one)))
                .collect::<Result<_, PackError>>()?,
            comparisons: compiler.patterns("terminology.comparisons", &self.comparisons)?,
            article: compiler.pattern("terminology.articles", &format!("^{} ", any_of(&self.articles)))?,
            around: compiler.patterns("terminology.further", &around)?,
            plain: further.plain,
        })
    }
}
