//! What models say about the evidence instead of from it: `remarks.toml`.

use regex::Regex;
use serde::Deserialize;

use super::error::PackError;
use super::patterns::Compiler;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    no_answer: Vec<String>,
    missing: Vec<String>,
    verdict: String,
}

/// The patterns of a language for remarks.
pub(crate) struct RemarkPatterns {
    /// A refusal.
    pub no_answer: Vec<Regex>,
    /// A remark on what is missing beside an answer.
    pub missing: Vec<Regex>,
    /// What says whether it is so, before a sentence that says how it is.
    pub verdict: Regex,
}

impl Source {
    pub fn compile(&self, compiler: Compiler<'_>) -> Result<RemarkPatterns, PackError> {
        let all = |key, patterns: &[String]| -> Result<Vec<Regex>, PackError> {
            patterns.iter().map(|pattern| compiler.caseless(key, pattern)).collect()
        };
        Ok(RemarkPatterns {
            no_answer: all("no_answer", &self.no_answer)?,
            missing: all("missing", &self.missing)?,
            verdict: compiler.caseless("verdict", &self.verdict)?,
        })
    }
}
