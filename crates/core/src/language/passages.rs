//! How models point at the passages that they were given: `passages.toml`.

use serde::Deserialize;

use super::error::PackError;
use super::patterns::Compiler;

/// The words of a language that point at passages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PassageWords {
    /// Words before the number of a passage in a marker; of those that begin alike, the first is taken.
    pub keywords: Vec<String>,
    /// Words between two numbers in a marker.
    pub joining: Vec<String>,
    /// Words around markers that only say where to look.
    pub pointing: Vec<String>,
    pub named: NamedWords,
}

/// Passages that are named in words: "according to passage 2".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedWords {
    /// What a passage is called before its number, and what without one.
    pub nouns: Vec<String>,
    pub alone: Vec<String>,
    /// "The passage in 2".
    pub inside: Vec<String>,
    pub and: Vec<String>,
    pub the: Vec<String>,
    /// "According to".
    pub according: Vec<String>,
    /// "It also says that".
    pub it: Vec<String>,
    pub adverbs: Vec<String>,
    pub says: Vec<String>,
    pub that: Vec<String>,
}

impl PassageWords {
    pub fn check(&self, compiler: Compiler<'_>) -> Result<(), PackError> {
        let named = &self.named;
        for (key, parts) in [
            ("nouns", &named.nouns),
            ("alone", &named.alone),
            ("inside", &named.inside),
            ("and", &named.and),
            ("the", &named.the),
            ("according", &named.according),
            ("it", &named.it),
            ("adverbs", &named.adverbs),
            ("says", &named.says),
            ("that", &named.that),
        ] {
            compiler.parts(&format!("named.{key}"), parts)?;
        }
        Ok(())
    }
}
