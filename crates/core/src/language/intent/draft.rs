//! How a language asks for a draft of a record.

use serde::Deserialize;

use super::graph::with_parts;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack recognises that a draft is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DraftWords {
    /// Parts of patterns by the name that stands for them, in capitals; those further down may hold those above.
    parts: Vec<(String, Vec<String>)>,
    patterns: Vec<String>,
}

impl DraftWords {
    pub fn compile(&self, compiler: Compiler<'_>) -> Result<Patterns, PackError> {
        let mut parts: Vec<(String, String)> = Vec::new();
        for (name, words) in &self.parts {
            let whole = with_parts(&any_of(words), &parts);
            parts.push((name.clone(), whole));
        }
        let patterns: Vec<String> = self.patterns.iter().map(|pattern| with_parts(pattern, &parts)).collect();
        compiler.patterns("draft.patterns", &patterns)
    }
}
