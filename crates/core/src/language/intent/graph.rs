//! How a language asks what records say of one another.

use serde::Deserialize;

use crate::kinds::{GraphAsk, RelationKind};
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// What stands for the name of a kind of record in the packs' patterns.
const KINDS: &str = "KINDS";

/// How a pack recognises questions to the graph of records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GraphWords {
    /// What records are called whatever their kind.
    records: Vec<String>,
    /// Parts of patterns by the name that stands for them, in capitals; those further down may hold those above.
    parts: Vec<(String, Vec<String>)>,
    idle: Vec<String>,
    no_topic: Vec<String>,
    questions: Vec<QuestionWords>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionWords {
    asks: GraphAsk,
    #[serde(default)]
    relations: Vec<RelationKind>,
    patterns: Vec<String>,
}

/// How a language asks what records say of one another, ready for use.
pub(crate) struct GraphRules {
    pub questions: Vec<GraphQuestionRules>,
    /// Words around such a question that say nothing more.
    pub idle: Patterns,
    /// What begins no topic: it points back, or asks for something else.
    pub no_topic: Patterns,
}

/// One way to ask.
pub(crate) struct GraphQuestionRules {
    pub asks: GraphAsk,
    pub relations: Vec<RelationKind>,
    pub patterns: Patterns,
}

impl GraphWords {
    pub fn compile<'k>(
        self,
        kinds: impl Iterator<Item = &'k String>,
        compiler: Compiler<'_>,
    ) -> Result<GraphRules, PackError> {
        let kinds = any_of(kinds.cloned().chain(self.records));
        let mut parts = vec![(KINDS.to_owned(), kinds.clone())];
        for (name, words) in &self.parts {
            let whole = with_parts(&any_of(words), &parts);
            parts.push((name.clone(), whole));
        }
        let rules = |words: &QuestionWords| {
            let patterns: Vec<String> =
                words.patterns.iter().map(|pattern| with_parts(pattern, &parts)).collect();
            Ok(GraphQuestionRules {
                asks: words.asks,
                relations: words.relations.clone(),
                patterns: compiler.patterns("graph.questions", &patterns)?,
            })
        };
        let idle = format!(r"\b(?:{}|{kinds})(?:\b|$)", any_of(&self.idle));
        Ok(GraphRules {
            questions: self.questions.iter().map(rules).collect::<Result<_, PackError>>()?,
            idle: compiler.pattern("graph.idle", &idle)?,
            no_topic: compiler.pattern("graph.no_topic", &format!(r"^{}(?:\b|$)", any_of(&self.no_topic)))?,
        })
    }
}

/// A pattern with what its parts stand for.
pub(super) fn with_parts(pattern: &str, parts: &[(String, String)]) -> String {
    parts.iter().fold(pattern.to_owned(), |pattern, (name, part)| pattern.replace(name, part))
}
